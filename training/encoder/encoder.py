"""The encoder in PyTorch: pieces in, a vector of 512 numbers out. `encoder-graph.ts` is the same as ONNX.

Weights are a plain dictionary of tensors, by the names of `layout.json`."""

import json
import math
import os

import numpy as np
import torch
from torch.nn import functional

HEADS = 4
FIXED = "inv"  # frequencies of the places' sines, not trained


def read_weights(folder, name, device):
    values = np.fromfile(os.path.join(folder, name), dtype=np.float16).astype(np.float32)
    weights, start = {}, 0
    for name, shape in read_layout(folder):
        end = start + math.prod(shape)
        weights[name] = torch.from_numpy(values[start:end].reshape(shape)).to(device)
        start = end
    return weights


def write_weights(weights, folder, name):
    with open(os.path.join(folder, name), "wb") as file:
        for name, _ in read_layout(folder):
            file.write(weights[name].cpu().numpy().astype(np.float16).tobytes())


def read_layout(folder):
    with open(os.path.join(folder, "layout.json")) as file:
        return json.load(file)


def encode(weights, pieces, inside, dropout=0.0):
    """`pieces` and `inside` [texts, places]; what is not inside is padding. The vectors' lengths are left as they are."""
    places = torch.arange(pieces.shape[1], device=pieces.device)[:, None] * weights["inv"][None]
    places = torch.cat([places.sin(), places.cos()], 1)
    states = (2 * functional.embedding(pieces, weights["emb"]) + places) * inside[:, :, None]
    for layer in (0, 1):
        normed = normalize(states, weights, f"{layer}.ln1")
        heard = linear(attend(normed, inside, weights, layer, dropout), weights, f"{layer}.out")
        carried = linear(states, weights, "0.res") if layer == 0 else states
        states = functional.dropout(heard, dropout) + carried
        wide = functional.relu(linear(normalize(states, weights, f"{layer}.ln2"), weights, f"{layer}.f1"))
        states = functional.dropout(linear(wide, weights, f"{layer}.f2"), dropout) + states
    mask = inside[:, :, None].to(states.dtype)
    return torch.tanh(linear((states * mask).sum(1) / mask.sum(1), weights, "tanh"))


def attend(states, inside, weights, layer, dropout):
    texts, length, width = states.shape
    joined = linear(states, weights, f"{layer}.qkv").view(texts, length, 3, HEADS, width // HEADS)
    query, key, value = joined.permute(2, 0, 3, 1, 4)
    mask = inside[:, None, None]
    if hasattr(functional, "scaled_dot_product_attention"):
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
    else:  # before PyTorch 2: the same by hand, with more memory
        scores = query @ key.transpose(2, 3) / (width // HEADS) ** 0.5
        chances = scores.masked_fill(~mask, -math.inf).softmax(3)
        mixed = functional.dropout(chances, dropout).to(value.dtype) @ value
    return mixed.transpose(1, 2).reshape(texts, length, width)


def normalize(states, weights, name):
    return functional.layer_norm(states, states.shape[-1:], weights[f"{name}.w"], weights[f"{name}.b"], 1e-6)


def linear(states, weights, name):
    return states @ weights[f"{name}.w"] + weights[f"{name}.b"]
