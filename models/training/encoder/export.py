"""Writes the trained encoder as ONNX. The steps by which numbers are rounded are the same for all texts, so that a text has one
vector, whatever is read with it."""

import argparse
import os

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from encoder.model import LONGEST_TEXT, Encoder, count_layers
from shared.onnx_parts import Rounded, read_on
from shared.pieces import BEGIN, END, load_pieces
from shared.rounding import measure_ranges, round_products

TEXTS = 1500  # that tell how large numbers get


class Exported(nn.Module):
    """Texts of one length: nothing is padding."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.pieces, self.places = Rounded(encoder.pieces.weight.detach()), Rounded(encoder.places.weight.detach())

    def forward(self, pieces):
        """32-bit numbers [texts, places]: a mark, the text, a mark."""
        x = self.encoder.norm(self.pieces(pieces.long()) + self.places(torch.arange(pieces.shape[1]))[None])
        total = read_on(self.encoder.layers, x).sum(1)
        return total / (total * total).sum(1, keepdim=True).sqrt()


def load_encoder(path):
    state = {name: value.float() for name, value in torch.load(path, map_location="cpu", weights_only=True).items()}
    encoder = Encoder(len(state["pieces.weight"]), count_layers(state), len(state["layers.0.widen.bias"]))
    encoder.load_state_dict(state)
    return encoder.eval()


def export_onnx(encoder, path):
    example = torch.arange(1, 21).int()[None].repeat(2, 1)
    torch.onnx.export(
        Exported(encoder).eval(), (example,), path, input_names=["pieces"], output_names=["embedding"],
        dynamic_axes={"pieces": {0: "texts", 1: "places"}, "embedding": {0: "texts"}}, opset_version=17, dynamo=False,
        custom_opsets={"com.microsoft": 1},
    )  # fmt: skip


def some_texts(folder):
    numbers = load_pieces(folder).numbers
    begin, end = numbers[BEGIN], numbers[END]
    with np.load(os.path.join(folder, "prepared.npz")) as stored:
        pieces, lengths = stored["pieces"], stored["lengths"].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    for number in np.random.default_rng(1).integers(len(lengths), size=TEXTS):
        text = pieces[starts[number] : starts[number] + min(lengths[number], LONGEST_TEXT - 2)]
        yield {"pieces": np.array([[begin, *text, end]], np.int32)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py and train.py wrote")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    exact = os.path.join(options.folder, "float.onnx")
    export_onnx(load_encoder(os.path.join(options.folder, "encoder.pt")), exact)
    model = onnx.load(exact)
    round_products(model, measure_ranges(model, some_texts(options.folder)))
    onnx.checker.check_model(model)
    target = os.path.join(options.out, "meaning-en.onnx")
    onnx.save(model, target)
    sessions = [onnxruntime.InferenceSession(path) for path in (exact, target)]
    near = []
    for text, _ in zip(some_texts(options.folder), range(300)):
        a, b = (session.run(None, text)[0][0] for session in sessions)
        near.append(a @ b)
    print(f"cosine with the vector before rounding: {np.mean(near):.4f} on average, {min(near):.4f} at least")
    with open(os.path.join(options.folder, "pieces.txt"), encoding="utf-8") as file:
        pieces = file.read()
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write(pieces)


if __name__ == "__main__":
    main()
