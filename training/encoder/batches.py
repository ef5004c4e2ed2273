"""The texts that one step of the training reads."""

import numpy as np
import torch

from encoder.model import LONGEST_TEXT
from shared.pieces import BEGIN, END

POWER = 0.6  # of a source's size, for how often it is drawn
SENTENCES, LONGEST_CROP = 3, 120  # of a crop: at most so many sentences and pieces
SHORTEST_CROP = 3


class Texts:
    def __init__(self, path, pieces, device):
        """`pieces`: the vocabulary."""
        with np.load(path) as stored:
            self.queries, self.passages, self.groups = stored["queries"], stored["passages"], stored["groups"]
            sources, flat = stored["sources"], stored["pieces"]
            self.lengths = np.maximum(stored["lengths"].astype(np.int64), 1)
            self.starts = np.cumsum(stored["lengths"], dtype=np.int64) - stored["lengths"]
        self.device = device
        self.flat = torch.as_tensor(flat.astype(np.int64), device=device)
        self.marks = pieces.index(BEGIN), pieces.index(END)
        self.ends = np.flatnonzero(np.isin(flat, [pieces.index(mark) for mark in ".?!"])) + 1
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
        others = random.integers(len(self.lengths), size=size // 4)
        return np.concatenate([self.queries[rows], self.passages[rows], others]), len(rows)

    def crop(self, random, size):
        """Starts and lengths of a sentence or a few, anywhere."""
        crops = random.integers(len(self.ends) - SENTENCES, size=size)
        starts = self.ends[crops]
        lengths = self.ends[crops + random.integers(1, SENTENCES + 1, size=size)] - starts
        return starts, np.minimum(np.clip(lengths, SHORTEST_CROP, LONGEST_CROP), len(self.flat) - starts)

    def put(self, starts, lengths):
        """Pieces [texts, places] with their marks, and their lengths."""
        begin, end = self.marks
        lengths = torch.as_tensor(np.minimum(lengths, LONGEST_TEXT - 2), device=self.device)
        place = torch.arange(int(lengths.max()) + 2, device=self.device)[None]
        where = torch.as_tensor(starts, device=self.device)[:, None] + place - 1
        pieces = self.flat[where.clamp(0, len(self.flat) - 1)]
        pieces = pieces.masked_fill(place == 0, begin).masked_fill(place == lengths[:, None] + 1, end)
        return pieces.masked_fill(place > lengths[:, None] + 1, 0), lengths + 2
