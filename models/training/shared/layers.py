"""The layers of MiniLM, which the reader and the encoder begin with."""

from torch import nn
from torch.nn import functional

WIDTH, HEADS, WIDE = 384, 12, 1536
HEAD = WIDTH // HEADS


class Layer(nn.Module):
    def __init__(self, dropout, heads=HEADS, wide=WIDE):
        super().__init__()
        self.heads = heads
        # A layer that is made narrower for the sake of speed bends its inner numbers in the fastest way, too.
        self.bend = functional.gelu if wide == WIDE else functional.relu
        self.attend, self.mix = nn.Linear(WIDTH, 3 * HEAD * heads), nn.Linear(HEAD * heads, WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, wide), nn.Linear(wide, WIDTH)
        self.norm_mix, self.norm_narrow = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = dropout

    def forward(self, x, inside):
        drop = self.dropout if self.training else 0.0
        x = self.norm_mix(x + functional.dropout(self.mix(self.hear(x, inside, drop)), drop))
        return self.norm_narrow(x + functional.dropout(self.narrow(self.bend(self.widen(x))), drop))

    def hear(self, x, inside, drop):
        batch, places, _ = x.shape
        asked, keys, values = self.attend(x).view(batch, places, 3, self.heads, HEAD).permute(2, 0, 3, 1, 4).unbind(0)
        mask = inside[:, None, None]
        heard = functional.scaled_dot_product_attention(asked, keys, values, attn_mask=mask, dropout_p=drop)
        return heard.transpose(1, 2).reshape(batch, places, HEAD * self.heads)


def take_layers(base, numbers):
    """Of pretrained weights, these layers as the first, second and so on, and all that belongs to no layer."""
    state = {name: value for name, value in base.items() if not name.startswith("layers.")}
    for number, source in enumerate(numbers):
        start = f"layers.{source}."
        state |= {f"layers.{number}.{n.removeprefix(start)}": v for n, v in base.items() if n.startswith(start)}
    return state
