"""What `prepare.ts` wrote, and the drawing of batches from it."""

import json
import os
import random

import numpy as np
import torch

# Too small for batches of their own.
SMALL = ("omos-qa", "conditionalqa", "pubmedqa-l", "m365-faq")
QUERY, PASSAGE, GROUP, SOURCE, NEGATIVE = range(5)


class Pairs:
    def __init__(self, folder, device):
        def read(name, kind):
            return np.fromfile(os.path.join(folder, name), dtype=kind)

        self.device = device
        self.pieces = torch.from_numpy(read("pieces.u16", np.uint16).astype(np.int16)).to(device)
        self.lengths = torch.from_numpy(read("lengths.u16", np.uint16).astype(np.int64)).to(device)
        self.starts = self.lengths.cumsum(0) - self.lengths
        self.rows = torch.from_numpy(read("pairs.i32", np.int32).reshape(-1, 5).astype(np.int64)).to(device)
        with open(os.path.join(folder, "sources.json")) as file:
            self.pools = self.pool(json.load(file))

    def pool(self, sources):
        """The rows of each source; the small sources are one."""
        pools = {}
        for number, source in enumerate(sources):
            rows = (self.rows[:, SOURCE] == number).nonzero()[:, 0]
            pools.setdefault("small" if source in SMALL else source, []).append(rows)
        return [torch.cat(rows) for rows in pools.values()]

    def draw(self, size, power):
        """Rows of one source, so that wrong passages are of the right one's kind. Large sources come more often, but not
        in proportion."""
        pool = random.choices(self.pools, [len(rows) ** power for rows in self.pools])[0]
        return self.rows[pool[torch.randperm(len(pool), device=self.device)[:size]]]

    def texts(self, numbers):
        """Pieces [texts, places] and where they are inside the text."""
        lengths = self.lengths[numbers][:, None]
        longest = (int(lengths.max()) + 7) // 8 * 8
        places = torch.arange(longest, device=self.device)[None]
        inside = places < lengths
        where = (self.starts[numbers][:, None] + places).clamp(max=len(self.pieces) - 1)
        return self.pieces[where].long() * inside, inside


def candidates(rows):
    """The passages that a batch's queries choose from, the right ones first, then hard ones for up to half of the batch;
    and [queries, passages] which of them must not count as wrong, because they serve the query as well."""
    hard = rows[:, NEGATIVE][rows[:, NEGATIVE] >= 0][: len(rows) // 2]
    passages = torch.cat([rows[:, PASSAGE], hard])
    groups = torch.cat([rows[:, GROUP], torch.full_like(hard, -1)])
    also_right = (rows[:, GROUP, None] == groups[None]) | (rows[:, PASSAGE, None] == passages[None])
    also_right.fill_diagonal_(False)
    return passages, also_right
