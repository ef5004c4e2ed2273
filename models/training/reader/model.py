"""The reader: question and passage in; a score for every span and one for "not here" out.

Layers of MiniLM read question and passage together. A span's score is what its ends say alone plus what they say together;
absence is judged from the whole and from the place of the likely answer. The first two layers alone give both, too, roughly:
a glance that tells which passages are worth the other layers."""

import torch
from torch import nn
from torch.nn import functional

from shared.layers import HEADS, WIDE, WIDTH, Layer, take_layers

LONGEST_ANSWER = 40  # pieces
LONGEST_TEXT = 464  # pieces of question, passage and marks
NEVER = -1e4
GLANCE = 2  # layers


class Judge(nn.Module):
    """Scores of spans [batch, first, last] and of absence [batch] from the states of a text."""

    def __init__(self, dropout, pair_size=64, size=128):
        super().__init__()
        self.ends = nn.Linear(WIDTH, 2)
        self.first, self.last = nn.Linear(WIDTH, pair_size), nn.Linear(WIDTH, pair_size)
        self.pair_scale = pair_size**-0.5
        self.evidence = nn.Linear(2 * WIDTH, size)
        self.dropout = nn.Dropout(dropout)
        self.absent = nn.Linear(size, 1)
        nn.init.constant_(self.absent.bias, 8.0)  # about what thousands of spans of score 0 add up to

    def forward(self, x, here, goes_on):
        """`here` [batch, places]: the passage. `goes_on`: the piece belongs to the word of the piece before it."""
        ends = self.ends(x).float()
        pairs = (self.first(x) @ self.last(x).transpose(1, 2)).float() * self.pair_scale
        scores = ends[:, :, :1] + ends[:, :, 1:].transpose(1, 2) + pairs
        place = torch.arange(x.shape[1], device=x.device)
        distance = place[None] - place[:, None]
        # Whole words: a span begins where a word does and ends where the next piece does not go on.
        begins = here & ~goes_on
        finishes = here & ~torch.cat([goes_on[:, 1:], torch.zeros_like(goes_on[:, :1])], 1)
        allowed = (distance >= 0) & (distance < LONGEST_ANSWER)
        spans = scores.masked_fill(~(allowed[None] & begins[:, :, None] & finishes[:, None]), NEVER)

        return spans, self.absence(x, ends[:, :, 0].masked_fill(~here, NEVER))

    def absence(self, x, starts):
        """`starts` [batch, places]: how likely the answer begins there."""
        found = functional.softmax(starts, dim=-1).to(x.dtype)[:, None] @ x
        evidence = self.evidence(torch.cat([x[:, 0], found[:, 0]], 1)).relu()
        return self.absent(self.dropout(evidence))[:, 0].float()


class Reader(nn.Module):
    def __init__(self, continues, layers, dropout=0.1, glance_size=(HEADS, WIDE)):
        """`continues` [pieces]: whether a piece goes on with the word of the piece before it. `glance_size`: the heads and
        the inner width of the first layers."""
        super().__init__()
        self.register_buffer("continues", continues)
        self.pieces, self.places = nn.Embedding(len(continues), WIDTH), nn.Embedding(LONGEST_TEXT, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        sizes = [glance_size] * GLANCE + [(HEADS, WIDE)] * (layers - GLANCE)
        self.layers = nn.ModuleList(Layer(dropout, *size) for size in sizes)
        self.dropout = nn.Dropout(dropout)
        self.glance, self.judge = Judge(dropout), Judge(dropout)

    def forward(self, pieces, asked, lengths):
        """`pieces` [batch, places]: a mark, the question, a mark, the passage, a mark, padding. `asked` and `lengths`
        [batch] are the pieces of the question and of all. Returns what the first layers make of it, what all layers
        make of it, and the states behind each layer."""
        x, inside, here, goes_on = self.begin(pieces, asked, lengths)
        states = []
        for layer in self.layers:
            x = layer(x, inside)
            states.append(x)
        glance = self.glance(states[GLANCE - 1], here, goes_on)
        return glance, self.judge(self.dropout(x), here, goes_on), states

    def begin(self, pieces, asked, lengths):
        place = torch.arange(pieces.shape[1], device=pieces.device)[None]
        inside = place < lengths[:, None]
        second = place > asked[:, None] + 1
        x = self.pieces(pieces) + self.places.weight[: pieces.shape[1]] + self.kinds(second.long())
        return self.dropout(self.norm(x)), inside, second & (place < lengths[:, None] - 1), self.continues[pieces]

    def start_from(self, base, layers):
        """Takes over pretrained weights, the layers of these numbers."""
        state = take_layers(base, layers)
        state["places.weight"] = state["places.weight"][:LONGEST_TEXT]
        return self.load_state_dict(state, strict=False)
