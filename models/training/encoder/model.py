"""The encoder: pieces of a text in, a unit vector out."""

import torch
from torch import nn
from torch.nn import functional

from shared.layers import HEADS, WIDE, WIDTH, Layer, take_layers

LONGEST_TEXT = 256  # pieces with the marks


class Encoder(nn.Module):
    def __init__(self, pieces, layers, wide=WIDE):
        super().__init__()
        self.pieces, self.places = nn.Embedding(pieces, WIDTH), nn.Embedding(LONGEST_TEXT, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(0.0, HEADS, wide) for _ in range(layers))

    def forward(self, pieces, lengths):
        """`pieces` [texts, places]: a mark, the text, a mark, padding. `lengths` [texts]."""
        inside = torch.arange(pieces.shape[1], device=pieces.device)[None] < lengths[:, None]
        x = self.norm(self.pieces(pieces) + self.places.weight[: pieces.shape[1]])
        for layer in self.layers:
            x = layer(x, inside)
        return functional.normalize((x.float() * inside[..., None]).sum(1), dim=1)


def count_layers(base):
    return sum(name.endswith("widen.bias") for name in base)


def start_encoder(base, layers, wide=WIDE):
    """These layers of the pretrained model, with the inner numbers that weigh most."""
    state = take_layers(base, layers)
    # Every text is of the first kind.
    state["places.weight"] = (state["places.weight"] + state.pop("kinds.weight")[0])[:LONGEST_TEXT]
    for number in range(len(layers)):
        into, out = f"layers.{number}.widen", f"layers.{number}.narrow"
        weights = state[f"{into}.weight"].norm(dim=1) * state[f"{out}.weight"].norm(dim=0)
        kept = weights.topk(wide).indices.sort().values
        state |= {f"{into}.{part}": state[f"{into}.{part}"][kept] for part in ("weight", "bias")}
        state[f"{out}.weight"] = state[f"{out}.weight"][:, kept]
    encoder = Encoder(len(state["pieces.weight"]), len(layers), wide)
    encoder.load_state_dict(state)
    return encoder
