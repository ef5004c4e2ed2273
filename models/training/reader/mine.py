"""Passages that look as if they held the answer: what a search by words returns for the question."""

import math
import re
from collections import Counter, defaultdict

import numpy as np

K1, B = 1.2, 0.75
STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its"
    " many me much my not of on or our she so some such than that the their them then there these they this to was we"
    " were what when where which who whom whose why will with would you your".split()
)
LETTER = re.compile(r"\w")


class PassageSearch:
    """BM25 over stems."""

    def __init__(self, passages):
        lengths = np.array([len(stems) for stems in passages], dtype=np.float32)
        norms = K1 * (1 - B + B * lengths / lengths.mean())
        postings = defaultdict(list)
        for number, stems in enumerate(passages):
            for word, count in Counter(stems).items():
                if LETTER.search(word) and word not in STOP_WORDS:
                    postings[word].append((number, count))
        self.size = len(passages)
        self.postings = {}
        for word, found in postings.items():
            numbers = np.array([number for number, _ in found])
            counts = np.array([count for _, count in found], dtype=np.float32)
            idf = math.log(1 + (self.size - len(found) + 0.5) / (len(found) + 0.5))
            self.postings[word] = (numbers, idf * counts * (K1 + 1) / (counts + norms[numbers]))

    def find(self, stems, limit):
        """The numbers of the best passages, best first."""
        scores = np.zeros(self.size, dtype=np.float32)
        for word in set(stems):
            if word in self.postings:
                numbers, weights = self.postings[word]
                scores[numbers] += weights
        limit = min(limit, self.size - 1)
        best = np.argpartition(-scores, limit)[:limit]
        best = best[np.argsort(-scores[best], kind="stable")]
        return [int(number) for number in best if scores[number] > 0]
