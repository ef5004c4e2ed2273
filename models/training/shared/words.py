"""Words as altering and mining take them: with the contractions apart, and a rough stem."""

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
CLINGS = re.compile(r"n['\u2019]t|['\u2019](?:s|re|ve|ll|d|m)")

SUFFIXES = [
    "ations", "ation", "ments", "ment", "ingly", "ings", "ing", "edly", "ions", "ion", "ies", "ied", "ers", "ors",
    "est", "ed", "es", "er", "or", "ly", "al", "s", "y", "e",
]  # fmt: skip
ENGLISH = re.compile(r"^[a-z]{4,}$")


def tokens_of(text):
    return TOKEN.findall(text)


def joined(tokens):
    """A text of these tokens: contractions cling to the word before them, the rest is set apart."""
    return "".join(token if i == 0 or CLINGS.fullmatch(token) else f" {token}" for i, token in enumerate(tokens))


def stem(word):
    """A rough common form of a lower-case word: it only has to bring "created" and "creation" together."""
    if not ENGLISH.match(word):
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if word[-1] == word[-2] else word
