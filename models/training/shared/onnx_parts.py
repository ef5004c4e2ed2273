"""What a model is made of when it is written as ONNX."""

import torch
from torch import nn
from torch.nn import functional


class Attention(torch.autograd.Function):
    """ONNX Runtime's own attention, several times as fast as its single steps. It takes no mask here: a text is read
    alone, without padding."""

    @staticmethod
    def forward(_, asked, keys, values, heads):
        parts = [one.unflatten(2, (heads, -1)).transpose(1, 2) for one in (asked, keys, values)]
        return functional.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2)

    @staticmethod
    def symbolic(graph, asked, keys, values, heads):
        name = "com.microsoft::MultiHeadAttention"
        return graph.op(name, asked, keys, values, num_heads_i=heads).setType(asked.type())


class Sum(torch.autograd.Function):
    """A sum that ONNX Runtime leaves alone. It would make one step of a sum and the normalisation behind it, which takes
    seven times as long as the two."""

    @staticmethod
    def forward(_, a, b):
        return a + b

    @staticmethod
    def symbolic(graph, a, b):
        return graph.op("Sum", a, b).setType(a.type())


class Rounded(nn.Module):
    """A table of vectors, one byte a number and one scale a row."""

    def __init__(self, table):
        super().__init__()
        scales = table.abs().amax(1).clamp(min=1e-6) / 127
        self.register_buffer("scales", scales)
        self.register_buffer("rows", (table / scales[:, None]).round().to(torch.int8))

    def forward(self, numbers):
        return self.rows[numbers].float() * self.scales[numbers][..., None]


def read_on(layers, x):
    for layer in layers:
        heard = layer.mix(Attention.apply(*layer.attend(x).chunk(3, 2), layer.heads))
        x = layer.norm_mix(Sum.apply(x, heard))
        x = layer.norm_narrow(Sum.apply(x, layer.narrow(layer.bend(layer.widen(x)))))
    return x
