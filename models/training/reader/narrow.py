"""Leaves out the heads and the inner numbers of a layer that matter least, so that it takes less time."""

import torch
from torch import nn
from torch.nn import functional

from shared.layers import HEAD


def narrow_layers(layers, losses, heads, wide):
    """What matters: by how much the losses would change, to first order, without it. `losses` are made one by one, each from
    texts of its own."""
    weights = [weight for layer in layers for weight in (layer.mix.weight, layer.narrow.weight)]
    changes = [torch.zeros(weight.shape[1] // size, device=weight.device) for weight, size in zip(weights, parts(layers))]
    for loss in losses:
        slopes = torch.autograd.grad(loss, weights)
        for change, weight, slope, size in zip(changes, weights, slopes, parts(layers)):
            change += (weight.detach() * slope).sum(0).view(-1, size).sum(1).abs()
    for layer, of_heads, of_inner in zip(layers, changes[::2], changes[1::2]):
        narrow(layer, of_heads.topk(heads).indices.sort().values, of_inner.topk(wide).indices.sort().values)


def parts(layers):
    """How many columns of each layer's two weights go together: those of a head, and single ones."""
    return [HEAD, 1] * len(layers)


def narrow(layer, heads, inner):
    rows = (heads[:, None] * HEAD + torch.arange(HEAD, device=heads.device)).flatten()
    size = layer.heads * HEAD
    keep(layer.attend, torch.cat([rows, rows + size, rows + 2 * size]), 0)
    keep(layer.mix, rows, 1)
    keep(layer.widen, inner, 0)
    keep(layer.narrow, inner, 1)
    layer.heads, layer.bend = len(heads), functional.relu


def keep(dense, places, dimension):
    dense.weight = nn.Parameter(dense.weight.data.index_select(dimension, places))
    if dimension == 0:
        dense.bias = nn.Parameter(dense.bias.data[places])
