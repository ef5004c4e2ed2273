"""How text becomes tokens. `server/src/models/reader/words.ts` does the same, and a test compares the two."""

import re

# Letters and digits. Beyond ASCII by ranges rather than by Unicode class, so that Python and JavaScript agree whatever
# Unicode version each of them knows: everything that is not punctuation, a symbol, a space or a private character.
WORD_CHARACTER = (
    "A-Za-z0-9\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff"
    "\ufe70-\ufefe\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc"
)
W = f"[{WORD_CHARACTER}]"
SPACE = "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
TOKEN = re.compile(
    rf"[0-9]+(?:[.,][0-9]+)+(?!{W})"  # 1,500 and 8.0
    r"|(?:[A-Za-z]\.){2,}"  # U.S.
    rf"|{W}+?(?=n['\u2019]t(?!{W}))|n['\u2019]t(?!{W})"  # do|n't, as the word vectors have it
    rf"|{W}+"
    rf"|['\u2019](?:s|re|ve|ll|d|m)(?!{W})"
    rf"|[^{SPACE}]"
)

CHARACTERS = 16  # of a word that the model sees: the first ten and the last six of a longer one
HEAD = 10

# What the word vectors call a character that they write in another way.
PLAIN = {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-"}
PLAIN_CHARACTER = re.compile("[" + "".join(PLAIN) + "]")

SUFFIXES = [
    "ations", "ation", "ments", "ment", "ingly", "ings", "ing", "edly", "ions", "ion", "ies", "ied", "ers", "ors",
    "est", "ed", "es", "er", "or", "ly", "al", "s", "y", "e",
]  # fmt: skip
ENGLISH = re.compile(r"^[a-z]{4,}$")


def tokenize(text):
    """[(start, end)] in code points."""
    return [match.span() for match in TOKEN.finditer(text)]


def plain(token):
    """The form under which a token is looked up among the word vectors."""
    return PLAIN_CHARACTER.sub(lambda match: PLAIN[match[0]], token.lower())


def stem(word):
    """A rough common form of a lower-case word: it only has to bring "created" and "creation" together."""
    if not ENGLISH.match(word):
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if word[-1] == word[-2] else word


def character_ids(token):
    """0 is padding, 1 to 94 printable ASCII, 95 to 126 everything else by its code point."""
    points = [ord(character) for character in token]
    if len(points) > CHARACTERS:
        points = points[:HEAD] + points[HEAD - CHARACTERS :]
    ids = [point - 32 if 32 < point < 127 else 95 + point % 32 for point in points]
    return ids + [0] * (CHARACTERS - len(ids))


def shape(token):
    """What the letters look like: capital first, all capitals, a digit, only digits, no letter or digit, long."""
    first, letters = token[0], [c for c in token if "a" <= c <= "z" or "A" <= c <= "Z"]
    digits = [c for c in token if "0" <= c <= "9"]
    return [
        float("A" <= first <= "Z"),
        float(len(letters) > 1 and all("A" <= c <= "Z" for c in letters)),
        float(len(digits) > 0),
        float(len(digits) == len(token)),
        float(not letters and not digits),
        float(len(token) > 8),
    ]
