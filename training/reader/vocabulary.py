"""The word vectors, cut to the words that are worth their space, one byte a number."""

import json

import numpy as np

SIZE = 60_000
RARE = 3  # a word that occurs this often in the training texts is kept whatever its general frequency


def load_vectors(path):
    """The vectors of the npm package: a list of words, the most frequent first, and a row for each."""
    with open(path, encoding="utf-8") as file:
        stored = json.load(file)
    dimensions = stored["dimensions"]
    words = stored["words"]
    rows = np.array([stored["vectors"][word][:dimensions] for word in words], dtype=np.float32)
    return words, rows


def cut_vocabulary(words, counts):
    """Indexes of the words to keep, in the order of general frequency."""
    wanted = [i for i, word in enumerate(words) if counts.get(word, 0) >= RARE and "\n" not in word]
    kept = set(wanted[:SIZE])
    for i, word in enumerate(words):
        if len(kept) >= SIZE:
            break
        if len(word) < 24 and "\n" not in word:
            kept.add(i)
    return sorted(kept)


def round_rows(rows):
    """Rows as int8 with one scale each. Training uses the rounded ones, so that shipping them changes nothing."""
    scales = np.maximum(np.abs(rows).max(axis=1), 1e-6) / 127
    return np.round(rows / scales[:, None]).astype(np.int8), scales.astype(np.float32)
