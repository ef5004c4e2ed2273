"""How good the answers are."""

import numpy as np


def token_f1(first, last, gold_first, gold_last):
    """F1 and exact match of spans by their token places."""
    overlap = np.maximum(0, np.minimum(last, gold_last) - np.maximum(first, gold_first) + 1)
    f1 = 2 * overlap / (last - first + 1 + gold_last - gold_first + 1)
    return f1.mean(), ((first == gold_first) & (last == gold_last)).mean()


def auroc(positive, negative):
    """How often a positive scores above a negative."""
    order = np.argsort(np.concatenate([positive, negative]), kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    above = ranks[: len(positive)].sum() - len(positive) * (len(positive) + 1) / 2
    return above / (len(positive) * len(negative))
