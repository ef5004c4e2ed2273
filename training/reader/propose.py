"""Writes questions that a passage does not answer, as people do who have it before them: one word of a question gives way to
another that would fit there. `alter.py` does so by rules, this by what a model that fills in hidden words thinks."""

import numpy as np
import torch
from torch.nn import functional

from reader.alter import ASKING
from reader.batches import draw_beside, make_batch
from reader.mine import STOP_WORDS
from shared.words import stem

FORMS = 3  # for each question
LIKELY = 12  # the likeliest words, of which one is drawn
SAME = 0.92  # questions whose vectors are nearer than this ask the same
ROWS = 256


class Vocabulary:
    """Which pieces are words that tell something, and which of them are forms of one word."""

    def __init__(self, pieces, device):
        tells = [
            piece.isascii() and piece.isalnum() and (len(piece) > 2 or piece.isdigit()) and piece not in STOP_WORDS | ASKING
            for piece in pieces.pieces
        ]
        stems = {}
        self.tells = torch.tensor(tells, device=device)
        self.stems = torch.tensor([stems.setdefault(stem(piece), len(stems)) for piece in pieces.pieces], device=device)


def place_words(inputs, words, continues):
    """Where a question has a word of one piece that tells something."""
    pieces, asked, _ = inputs
    place = torch.arange(pieces.shape[1], device=pieces.device)[None]
    goes_on = torch.cat([continues[pieces][:, 1:], torch.zeros_like(pieces[:, :1], dtype=torch.bool)], 1)
    return words.tells[pieces] & ~goes_on & (place > 0) & (place <= asked[:, None])


def vectors_of(base, pieces, asked):
    """What the pretrained model, which came as a model of sentences, makes of questions."""
    place = torch.arange(int(asked.max()) + 2, device=pieces.device)[None]
    inside = place < asked[:, None] + 2
    x = base.norm(base.pieces(pieces[:, : place.shape[1]]) + base.places.weight[: place.shape[1]] + base.kinds.weight[0])
    for layer in base.layers:
        x = layer(x, inside)
    return functional.normalize((x.float() * inside[..., None]).sum(1), dim=1)


@torch.no_grad()
def change_words(filler, base, inputs, words, hidden):
    """The pieces with one word changed, and whether that makes another question of it."""
    pieces, asked, _ = inputs
    places = place_words(inputs, words, filler.reader.continues)
    has = places.any(1)
    at = torch.multinomial(places.float() + 1e-9, 1)
    old = pieces.gather(1, at)
    where = torch.zeros_like(places).scatter(1, at, True)
    scores = filler((pieces.scatter(1, at, hidden), *inputs[1:]), where).float()
    in_question = torch.arange(pieces.shape[1], device=pieces.device)[None] <= asked[:, None]
    taken = torch.zeros_like(scores, dtype=torch.bool).scatter(1, torch.where(in_question, pieces, old), True)
    allowed = words.tells & ~taken & (words.stems != words.stems[old])
    best, which = scores.masked_fill(~allowed, -1e4).topk(LIKELY, dim=1)
    new = which.gather(1, torch.multinomial(best.softmax(1), 1))
    changed = pieces.scatter(1, at, new)
    near = (vectors_of(base, pieces, asked) * vectors_of(base, changed, asked)).sum(1)
    return changed, has & (near < SAME)


def propose(filler, base_state, data, pieces, marks, hidden, random):
    """Flat pieces and offsets of the new questions, and their numbers for each example, -1 where there is none."""
    device = data.device
    words = Vocabulary(pieces, device)
    base = type(filler.reader)(data.continues, len(filler.reader.layers))
    base.start_from(base_state, range(len(filler.reader.layers)))
    base = base.to(device).eval()
    a = data.arrays
    squad = a["example_source"] == data.sources.index("squad1.1-train")
    derived = a["example_source"] == data.sources.index("squad1.1-train-derived-negative")
    use = np.flatnonzero(squad & ~a["example_held"])
    use = use[np.argsort(data.passage_length[a["example_passage"][use]], kind="stable")]
    made, offsets = [], [0]
    table = np.full((len(squad), FORMS), -1, np.int32)
    for form in range(FORMS):
        # The last is written with another passage before the eyes.
        passages = a["example_passage"] if form < FORMS - 1 else draw_beside(data, derived, random)
        for begin in range(0, len(use), ROWS):
            numbers = use[begin : begin + ROWS]
            nothing = np.full(len(numbers), -1)
            rows = np.stack([a["example_question"][numbers], passages[numbers], nothing, nothing, nothing], 1).astype(np.int64)
            inputs, _ = make_batch(data, rows, random, marks, training=False)
            with torch.autocast(torch.device(device).type, torch.bfloat16):
                changed, other = change_words(filler, base, inputs, words, hidden)
            changed, asked = changed.cpu().numpy(), inputs[1].cpu().numpy()
            for i in np.flatnonzero(other.cpu().numpy()):
                table[numbers[i], form] = len(offsets) - 1
                made.append(changed[i, 1 : asked[i] + 1])
                offsets.append(offsets[-1] + asked[i])
    print("proposed", len(made), flush=True)
    return {
        "flat": np.concatenate(made).astype(np.uint16),
        "offsets": np.array(offsets, np.int64),
        "proposed": np.take_along_axis(table, np.argsort(table < 0, axis=1, kind="stable"), 1),
    }

