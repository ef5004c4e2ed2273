"""The texts that one step of the training reads."""

import numpy as np
import torch

from encoder.model import LONGEST_TEXT
from shared.pieces import BEGIN, END

POWER = 0.6  # of a source's size, for how often it is drawn
CROPS, SENTENCES, LONGEST_CROP = 500_000, 3, 120  # parts of texts: at most so many sentences and pieces
SHORTEST_CROP = 3
BESIDE = 0.75  # texts that are only read, for each pair
STEP = 16  # texts are padded to a multiple of this, so that few shapes occur


class Texts:
    def __init__(self, path, pieces, device, random):
        """`pieces`: the vocabulary."""
        with np.load(path) as stored:
            self.queries, self.passages, self.groups = stored["queries"], stored["passages"], stored["groups"]
            sources, flat = stored["sources"], stored["pieces"]
            lengths = stored["lengths"].astype(np.int64)
        self.device = device
        self.flat = torch.as_tensor(flat.astype(np.int64), device=device)
        self.marks = pieces.index(BEGIN), pieces.index(END)
        ends = np.flatnonzero(np.isin(flat, [pieces.index(mark) for mark in ".?!"])) + 1
        crops = crop(ends, len(flat), random, min(CROPS, 4 * len(lengths)))
        self.starts, self.lengths = (
            np.concatenate(both) for both in zip((np.cumsum(lengths) - lengths, np.maximum(lengths, 1)), crops)
        )
        self.of_source = [np.flatnonzero(sources == number) for number in range(sources.max() + 1)]
        shares = np.array([len(rows) for rows in self.of_source]) ** POWER
        self.shares = shares / shares.sum()

    def draw(self, random, size):
        """Numbers of texts: so many queries or less, their passages, and others that are only read. All pairs are of one
        source, so that wrong passages are of the right one's kind. Returns how many pairs there are, too."""
        source = random.choice(len(self.shares), p=self.shares)
        rows = self.of_source[source]
        rows = random.choice(rows, min(size, len(rows)), replace=False)
        rows = rows[np.unique(self.groups[rows], return_index=True)[1]]
        others = random.integers(len(self.lengths), size=int(BESIDE * size))
        return np.concatenate([self.queries[rows], self.passages[rows], others]), len(rows)

    def put(self, numbers):
        """Pieces [texts, places] with their marks, and their lengths."""
        begin, end = self.marks
        length = np.minimum(self.lengths[numbers], LONGEST_TEXT - 2)
        places = min(LONGEST_TEXT, -(-(int(length.max()) + 2) // STEP) * STEP)
        starts, lengths = (torch.as_tensor(one, device=self.device) for one in (self.starts[numbers], length))
        place = torch.arange(places, device=self.device)[None]
        pieces = self.flat[(starts[:, None] + place - 1).clamp(0, len(self.flat) - 1)]
        pieces = pieces.masked_fill(place == 0, begin).masked_fill(place == lengths[:, None] + 1, end)
        return pieces.masked_fill(place > lengths[:, None] + 1, 0), lengths + 2


def crop(ends, total, random, size):
    """Starts and lengths of a sentence or a few, anywhere."""
    crops = random.integers(len(ends) - SENTENCES, size=size)
    starts = ends[crops]
    lengths = ends[crops + random.integers(1, SENTENCES + 1, size=size)] - starts
    return starts, np.minimum(np.clip(lengths, SHORTEST_CROP, LONGEST_CROP), total - starts)
