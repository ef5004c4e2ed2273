"""Writes the trained reader as ONNX, with the weights of its products as whole numbers of seven bits."""

import argparse
import os

import numpy as np
import torch
from torch import nn

from reader.model import GLANCE, Reader
from shared.layers import WIDTH
from shared.onnx_parts import Rounded, quantize, read_on
from shared.pieces import Pieces, cut_vocabulary

SPANS = 5  # best spans given for each passage
PIECES = 14_000  # the most frequent ones that training knows; the files stay under 15 MB
SAID = ["scores", "spans", "presence"]


def conclude(judge, x, pieces, asked, continues):
    """The best spans as one number each, first * places + last, with their logarithmic share of all spans, and the log
    odds that the passage answers."""
    place = torch.arange(pieces.shape[0])
    here = (place > asked + 1) & (place < pieces.shape[0] - 1)
    spans, absence = judge(x, here[None], continues[pieces][None])
    spans = spans.flatten(1)
    # In steps: ONNX Runtime's own sum of exponentials works on one number at a time.
    highest = spans.amax(1, keepdim=True)
    total = highest[:, 0] + (spans - highest).exp().sum(1).log()
    scores, found = spans.topk(SPANS, dim=1)
    return (scores - total[:, None])[0], found[0].int(), total - absence


class Glance(nn.Module):
    """The first layers for one passage: what they make of it, and the states that the other layers go on from."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader
        self.pieces, self.places = Rounded(reader.pieces.weight.detach()), Rounded(reader.places.weight.detach())

    def forward(self, pieces, asked):
        """`pieces` [places]: a mark, the question, a mark, the passage, a mark. `asked` [1]: pieces of the question. 32-bit
        numbers, since JavaScript has no plain 64-bit ones."""
        pieces, asked = pieces.long(), asked.long()
        place = torch.arange(pieces.shape[0])
        x = self.pieces(pieces) + self.places(place) + self.reader.kinds((place > asked + 1).long())
        x = read_on(self.reader.layers[:GLANCE], self.reader.norm(x)[None])
        return *conclude(self.reader.glance, x, pieces, asked, self.reader.continues), x


class Close(nn.Module):
    """The other layers."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, pieces, asked, states):
        x = read_on(self.reader.layers[GLANCE:], states)
        return conclude(self.reader.judge, x, pieces.long(), asked.long(), self.reader.continues)


def load_reader(folder, weights):
    """Its pieces and the trained reader, without the rarest pieces: a word that had one is cut into shorter ones."""
    with open(os.path.join(folder, "pieces.txt"), encoding="utf-8") as file:
        trained = file.read().rstrip("\n").split("\n")
    with np.load(os.path.join(folder, "prepared.npz")) as stored:
        counts = np.bincount(stored["passage_flat"], minlength=len(trained))
    kept = cut_vocabulary(trained, dict(zip(trained, counts)), PIECES)
    pieces = Pieces(kept)
    numbers = {piece: number for number, piece in enumerate(trained)}
    stored = torch.load(weights, map_location="cpu", weights_only=True)
    state = {name: value.float() for name, value in stored["state"].items()}
    state["pieces.weight"] = state["pieces.weight"][[numbers[piece] for piece in kept]]
    reader = Reader(torch.tensor(pieces.continues()), stored["layers"], glance_size=stored["glance_size"])
    reader.load_state_dict(state, strict=False)
    return pieces, reader.eval()


def export_onnx(module, path, inputs, outputs):
    example = {"pieces": torch.arange(1, 41).int(), "asked": torch.tensor([8]).int(), "states": torch.randn(1, 40, WIDTH)}
    torch.onnx.export(
        module.eval(), tuple(example[name] for name in inputs), path, input_names=inputs, output_names=outputs,
        dynamic_axes={"pieces": {0: "places"}, "states": {1: "places"}}, opset_version=17, dynamo=False,
        custom_opsets={"com.microsoft": 1},
    )  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py wrote")
    parser.add_argument("--weights", help="reader.pt; the folder's unless given")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    pieces, reader = load_reader(options.folder, options.weights or os.path.join(options.folder, "reader.pt"))
    parts = [("glance", Glance(reader), ["pieces", "asked"], [*SAID, "states"])]
    parts.append(("close", Close(reader), ["pieces", "asked", "states"], SAID))
    for name, module, inputs, outputs in parts:
        exact = os.path.join(options.folder, f"{name}-float.onnx")
        export_onnx(module, exact, inputs, outputs)
        quantize(exact, os.path.join(options.out, f"{name}.onnx"))
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(pieces.pieces) + "\n")


if __name__ == "__main__":
    main()
