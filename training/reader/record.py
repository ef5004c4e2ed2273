"""Records what PyTorch makes of a few texts, so that the server's tests can tell whether its reader does the same."""

import argparse
import json
import os

import numpy as np
import torch

from export import Shipped, load_reader
from words import CHARACTERS, character_ids, plain, shape, stem, tokenize

CASES = [
    {
        "question": "When was the lighthouse at Cape Varde built?",
        "passages": [
            "The lighthouse at Cape Varde was built in 1874 by the engineer Anna Lindqvist. Its lamp, 42.5 metres above the"
            " sea, can be seen from 30 kilometres away.",
            "Cape Varde is known for its seabirds. More than 12,000 pairs of puffins nest on the cliffs every summer.",
            "Lighthouses were once lit by whale oil; most were electrified after 1920.",
        ],
    },
    {
        "question": "who founded the bakery",
        "passages": [
            "“Brød & Café” — a bakery 🥐 in the old harbour — was founded by Márta Kovács, who'd learnt her trade in"
            " Győr. She doesn't sell on Sundays.",
            "Opening hours: 7 a.m. to 5 p.m., U.S. holidays excepted.",
        ],
    },
    {
        "question": "How much does the annual plan cost?",
        "passages": [
            "The monthly plan costs $12 a seat. The annual plan costs $99 a seat and can be cancelled within 30 days.",
            "Yes.",
        ],
    },
]
TEXTS = [
    "It's 1,500.5km; the rock-n'-roll can't wouldn’t U.S.A. e.g. 3.5% x2 v1.2.3",
    "naïve Ångström 東京タワー Ελλάδα привет ½ ™ a\u00a0b\u200bc 🙂🙂 ＡＢ",
    "antidisestablishmentarianism ALLCAPS mixedCase 2024 10th — ‘quoted’ “words” −5",
]


class Numbers(dict):
    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


def inputs_of(question, passages, rows):
    """The model's inputs for one question, longest passage first."""
    numbers = Numbers({"": 0})
    texts = [[text[a:b] for a, b in tokenize(text)] for text in [question] * len(passages) + passages]
    coded = [[numbers[token] for token in tokens] for tokens in texts]
    tokens = list(numbers)
    keys, stems = Numbers(), Numbers()

    def padded(many):
        table = np.zeros((len(many), max(map(len, many))), np.int32)
        for line, numbers in zip(table, many):
            line[: len(numbers)] = numbers
        return torch.as_tensor(table)

    q, p = coded[: len(passages)], coded[len(passages) :]
    return (
        torch.tensor([rows.get(plain(token), 0) if token else 0 for token in tokens]).int(),
        torch.tensor([character_ids(token) if token else [0] * CHARACTERS for token in tokens]).int(),
        torch.tensor([shape(token) if token else [0.0] * 6 for token in tokens]),
        torch.tensor([keys[plain(token)] for token in tokens]).int(),
        torch.tensor([stems[stem(plain(token))] for token in tokens]).int(),
        padded(q), padded(p),
        torch.tensor([len(one) for one in q]).int(), torch.tensor([len(one) for one in p]).int(),
    )  # fmt: skip


def read(shipped, question, passages, rows):
    order = sorted(range(len(passages)), key=lambda i: -len(tokenize(passages[i])))
    inputs = inputs_of(question, [passages[i] for i in order], rows)
    with torch.no_grad():
        scores, spans, presence = shipped(*inputs)
    readings = [None] * len(passages)
    for line, i in enumerate(order):
        first, last = divmod(int(spans[line, 0]), inputs[6].shape[1])
        places = tokenize(passages[i])
        readings[i] = {
            "answer": passages[i][places[first][0] : places[last][1]],
            "share": round(float(scores[line, 0].exp()), 4),
            "presence": round(float(presence[line]), 4),
        }
    return readings


def describe(text):
    tokens = [text[a:b] for a, b in tokenize(text)]
    return {
        "text": text,
        "tokens": tokens,
        "stems": [stem(plain(token)) for token in tokens],
        "characters": [[number for number in character_ids(token) if number] for token in tokens],
        "shapes": [shape(token) for token in tokens],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default="data/reader")
    parser.add_argument("--out", default="server/test/reader-recorded.json")
    options = parser.parse_args()
    with open(os.path.join(options.folder, "words.txt"), encoding="utf-8") as file:
        rows = {word: i + 1 for i, word in enumerate(file.read().rstrip("\n").split("\n"))}
    shipped = Shipped(load_reader(options.folder, os.path.join(options.folder, "reader.pt"))).eval()
    recorded = {
        "texts": [describe(text) for text in TEXTS],
        "cases": [{**case, "readings": read(shipped, rows=rows, **case)} for case in CASES],
    }
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(recorded, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
