"""Records what PyTorch makes of a few texts, so that the server's tests can tell whether its reader does the same."""

import argparse
import json

import torch

from reader.export import Close, Glance, load_reader
from shared.pieces import BEGIN, END

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
    "naïve Ångström 東京タワー Ελλάδα ΟΔΟΣ İzmir привет ½ ™ a\u00a0b\u200bc 🙂🙂 ＡＢ",
    "antidisestablishmentarianism ALLCAPS mixedCase 2024 10th — ‘quoted’ “words” −5",
    "x" * 65,
]


def read(pieces, glance, close, question, passage):
    """What a glance and what all layers make of a passage."""
    words = pieces.words(passage)
    places = [(start, end) for start, end, numbers in words for _ in numbers]
    asked = [number for *_, numbers in pieces.words(question) for number in numbers]
    text = [number for *_, numbers in words for number in numbers]
    begin, end = pieces.numbers[BEGIN], pieces.numbers[END]
    inputs = torch.tensor([begin, *asked, end, *text, end]).int(), torch.tensor([len(asked)]).int()
    with torch.no_grad():
        *_, glanced, states = glance(*inputs)
        scores, spans, presence = close(*inputs, states)
    first, last = (place - len(asked) - 2 for place in divmod(int(spans[0]), len(inputs[0])))
    return {
        "answer": passage[places[first][0] : places[last][1]],
        "share": round(float(scores[0].exp()), 4),
        "presence": round(float(presence), 4),
        "glance": round(float(glanced), 4),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py and train.py wrote")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    pieces, reader = load_reader(options.folder)
    glance, close = Glance(reader).eval(), Close(reader).eval()

    def cut(text):
        words = pieces.words(text)
        cuts = [" ".join(pieces.pieces[number] for number in numbers) for *_, numbers in words]
        return {"text": text, "words": [text[start:end] for start, end, _ in words], "pieces": cuts}

    recorded = {
        "texts": [cut(text) for text in TEXTS],
        "cases": [
            {**case, "readings": [read(pieces, glance, close, case["question"], one) for one in case["passages"]]}
            for case in CASES
        ],
    }
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(recorded, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
