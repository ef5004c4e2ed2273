"""Questions turned unanswerable by changing what they ask about, after the kinds that people write to mislead a reader:
another name or number from the same passage, the opposite word, a related word, a negation."""

import json
import re

import numpy as np

from reader.mine import STOP_WORDS
from shared.words import stem

NAME = re.compile(r"^[A-Z][a-z]|^[A-Z]{2,}$")
NUMBER = re.compile(r"^[0-9][0-9.,]*(?:s|th|st|nd|rd)?$")
WORD = re.compile(r"^[A-Za-z]{4,}$")
ASKING = frozenset("what which who whom whose when where why how many much year name type kind".split())
AUXILIARY = frozenset("is are was were did does do has have had can could will would should".split())

PAIRS = """first last|largest smallest|biggest smallest|highest lowest|oldest newest|oldest youngest|longest shortest|
most least|more less|more fewer|greater lesser|before after|earlier later|early late|increase decrease|increased decreased|
rise fall|rose fell|north south|east west|northern southern|eastern western|male female|men women|man woman|father mother|
son daughter|brother sister|king queen|husband wife|win lose|won lost|victory defeat|begin end|began ended|start stop|
started stopped|open close|opened closed|buy sell|bought sold|public private|minimum maximum|common rare|common uncommon|
strong weak|stronger weaker|high low|higher lower|upper lower|large small|larger smaller|long short|longer shorter|
old new|older newer|old young|older younger|good bad|best worst|better worse|positive negative|include exclude|
included excluded|accept reject|accepted rejected|allow forbid|allowed banned|support oppose|supported opposed|
create destroy|created destroyed|built demolished|founded dissolved|born died|birth death|love hate|liked disliked|
hot cold|warm cool|warmer cooler|wet dry|light dark|light heavy|heavier lighter|fast slow|faster slower|hard soft|
easy difficult|rich poor|cheap expensive|strengths weaknesses|ancient modern|traditional modern|domestic foreign|
internal external|inside outside|above below|top bottom|front back|left right|majority minority|all none|always never|
successful unsuccessful|success failure|legal illegal|direct indirect|natural artificial|true false|same different|
similar different|full empty|import export|imports exports|arrive leave|arrived left|enter exit|entered left|
attack defend|attacked defended|enemy ally|peace war|friend enemy|teacher student|doctor patient|morning evening|
day night|summer winter|spring autumn|january july|primary secondary|major minor|urban rural|offensive defensive|
advantage disadvantage|benefits drawbacks|agree disagree|agreed disagreed|known unknown|popular unpopular|
gain loss|gained lost|raise lower|raised lowered|expand shrink|expanded shrank|add remove|added removed|
appear disappear|strengthen weaken|improve worsen|improved worsened|cause prevent|caused prevented|encourage discourage|
encouraged discouraged|protect harm|visible invisible|possible impossible|necessary unnecessary|important unimportant"""
OPPOSITES = {}
for one, other in (pair.split() for pair in PAIRS.replace("\n", "").split("|")):
    OPPOSITES.setdefault(one, []).append(other)
    OPPOSITES.setdefault(other, []).append(one)


def load_vectors(path):
    """The word vectors of the npm package: a list of words, the most frequent first, and a row for each."""
    with open(path, encoding="utf-8") as file:
        stored = json.load(file)
    words = stored["words"]
    return words, np.array([stored["vectors"][word][: stored["dimensions"]] for word in words], dtype=np.float32)


class Neighbours:
    """The words nearest in meaning by the word vectors, which are opposites and siblings as often as synonyms."""

    def __init__(self, words, rows, limit=15_000, count=10):
        rows = rows[:limit] / np.linalg.norm(rows[:limit], axis=1, keepdims=True)
        self.words = words[:limit]
        self.place = {word: i for i, word in enumerate(self.words)}
        nearest = []
        for start in range(0, len(rows), 1000):
            close = rows[start : start + 1000] @ rows.T
            top = np.argpartition(-close, count + 1)[:, : count + 1]
            nearest.append(top)
        self.nearest = np.concatenate(nearest)

    def of(self, word):
        place = self.place.get(word)
        if place is None:
            return []
        return [self.words[i] for i in self.nearest[place] if i != place and stem(self.words[i]) != stem(word)]


def alter_question(question, passage, neighbours, random):
    """The tokens of a question that the passage no longer answers, or None where no way of changing it fits."""
    ways = [swap_name, swap_name, swap_number, swap_word, swap_word, swap_opposite, swap_opposite, negate]
    random.shuffle(ways)
    present = {stem(token.lower()) for token in passage}
    for way in ways:
        altered = way(question, passage, present, neighbours, random)
        if altered is not None and altered != question:
            return altered
    return None


def swap_name(question, passage, present, neighbours, random):
    """A name of the question for another that the passage speaks of."""
    asked = runs(question, NAME, 1)
    if not asked:
        return None
    held = set(question)
    others = [passage[a:b] for a, b in runs(passage, NAME, 1) if not held & set(passage[a:b])]
    if not others:
        return None
    start, end = random.choice(asked)
    return question[:start] + random.choice(others) + question[end:]


def swap_number(question, passage, present, neighbours, random):
    """A number for another of the passage, or for one close by."""
    places = [i for i, token in enumerate(question) if NUMBER.match(token)]
    if not places:
        return None
    place = random.choice(places)
    old = question[place]
    others = [token for token in passage if NUMBER.match(token) and len(token) == len(old) and token not in question]
    if not others or random.random() < 0.3:
        changed = list(old)
        digits = [i for i, character in enumerate(old) if character.isascii() and character.isdigit()]
        at = random.choice(digits[-2:])
        changed[at] = str((int(changed[at]) + random.randint(1, 8)) % 10)
        others = ["".join(changed)]
    return question[:place] + [random.choice(others)] + question[place + 1 :]


def swap_word(question, passage, present, neighbours, random):
    """A word that the passage has for a related one that it has not."""
    places = [
        i
        for i, token in enumerate(question)
        if WORD.match(token) and token.lower() not in STOP_WORDS | ASKING and stem(token.lower()) in present
    ]
    random.shuffle(places)
    for place in places:
        others = [word for word in neighbours.of(question[place].lower()) if stem(word) not in present]
        if others:
            return question[:place] + [like(question[place], random.choice(others))] + question[place + 1 :]
    return None


def swap_opposite(question, passage, present, neighbours, random):
    places = [i for i, token in enumerate(question) if token.lower() in OPPOSITES]
    if not places:
        return None
    place = random.choice(places)
    other = random.choice(OPPOSITES[question[place].lower()])
    return question[:place] + [like(question[place], other)] + question[place + 1 :]


def negate(question, passage, present, neighbours, random):
    """"did … win" becomes "did … never win" or "didn't … win"."""
    places = [i for i, token in enumerate(question) if token.lower() in AUXILIARY]
    if not places or random.random() < 0.4:
        return None
    place = places[-1] + 1
    return question[:place] + [random.choice(["n't", "not", "never"])] + question[place:]


def runs(tokens, pattern, start):
    """Where neighbouring tokens match, as (start, end)."""
    found, begin = [], None
    for i in range(start, len(tokens) + 1):
        matches = i < len(tokens) and bool(pattern.match(tokens[i]))
        if matches and begin is None:
            begin = i
        elif not matches and begin is not None:
            found.append((begin, i))
            begin = None
    return found


def like(old, new):
    return new.capitalize() if old[:1].isupper() else new
