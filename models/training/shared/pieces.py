"""How text becomes pieces of words. `apps/server/src/models/inference/word-pieces.ts` does the same, and a test compares the two."""

import os
import re
import unicodedata

from shared.words import SPACE, W

WORD = re.compile(rf"{W}+|[^{SPACE}]")
MARKS = re.compile("[\u0300-\u036f]")  # accents, once they are letters of their own
LONGEST_WORD = 64
PADDING, UNKNOWN, BEGIN, END, HIDDEN = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"


class Pieces:
    def __init__(self, pieces):
        """`pieces` in the order of their numbers; those that go on with a word begin with ##."""
        self.pieces = pieces
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        self.known = {}

    def continues(self):
        return [piece.startswith("##") for piece in self.pieces]

    def words(self, text):
        """[(start, end, numbers of pieces)] in code points."""
        return [(*match.span(), self.cut(match[0])) for match in WORD.finditer(text)]

    def cut(self, word):
        if word not in self.known:
            self.known[word] = self.cut_folded(fold(word))
        return self.known[word]

    def cut_folded(self, word):
        """The longest piece that fits, again and again."""
        found, start = [], 0
        while start < len(word) <= LONGEST_WORD:
            end = len(word)
            while end > start and ("##" * (start > 0) + word[start:end]) not in self.numbers:
                end -= 1
            if end == start:
                break
            found.append(self.numbers["##" * (start > 0) + word[start:end]])
            start = end
        return found if found and start == len(word) else [self.numbers[UNKNOWN]]


def load_pieces(folder):
    """The pieces that a training's prepare.py chose."""
    with open(os.path.join(folder, "pieces.txt"), encoding="utf-8") as file:
        return Pieces(file.read().rstrip("\n").split("\n"))


def fold(word):
    """Lower case, without accents."""
    word = word.lower()
    return word if word.isascii() else MARKS.sub("", unicodedata.normalize("NFD", word))


def cut_vocabulary(pieces, counts, size):
    """The pieces to keep, in their old order: the marks, every single Latin character, and the most frequent others."""

    def must_stay(piece):
        bare = piece.removeprefix("##")
        return piece in (PADDING, UNKNOWN, BEGIN, END, HIDDEN) or (len(bare) == 1 and ord(bare) < 0x250)

    kept = {piece for piece in pieces if must_stay(piece)}
    rest = sorted((piece for piece in pieces if piece not in kept), key=lambda piece: -counts[piece])
    kept.update(rest[: size - len(kept)])
    return [piece for piece in pieces if piece in kept]
