"""Writes the trained reader as ONNX in two parts, a glance and the closer reading."""

import argparse
import os

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

from reader.batches import LONGEST_PASSAGE, LONGEST_QUESTION
from reader.model import GLANCE, LONGEST_ANSWER, NEVER, Reader
from shared.layers import WIDTH
from shared.onnx_parts import Rounded, read_on
from shared.pieces import BEGIN, END, load_pieces
from shared.rounding import measure_ranges, round_products

SPANS = 5  # best spans given for each passage
TEXTS = 400  # that tell how large numbers get
SAID = ["scores", "spans", "presence"]


def conclude(judge, x, pieces, asked, continues):
    """The best spans as one number each, first * places + last, with their logarithmic share of all spans, and the log
    odds that the passage answers. The same as the judge itself makes of it, but of spans that are short enough alone."""
    count = pieces.shape[0]
    place = torch.arange(count)
    here = (place > asked + 1) & (place < count - 1)
    goes_on = continues[pieces]
    start, end, first, last = weigh_ends(judge, x[0])
    outside = never(~here)
    starts = start + never(goes_on) + outside
    ends = end + never(torch.cat([goes_on[1:], torch.zeros_like(goes_on[:1])])) + outside
    # One product adds up what the ends say alone and together.
    ones = torch.ones_like(start)
    scores = torch.cat([first, starts, ones], 1) @ torch.cat([last, ones, ends], 1).T
    # Each row is moved to the left by its number: it begins with the span that is this place alone.
    scores = functional.pad(scores, (0, LONGEST_ANSWER), value=NEVER).flatten()
    scores = functional.pad(scores, (0, count), value=NEVER).view(count, -1)[:, :LONGEST_ANSWER].reshape(1, -1)
    absence = judge.absence(x, (start + outside).T)
    # In steps: ONNX Runtime's own sum of exponentials works on one number at a time.
    highest = scores.amax(1, keepdim=True)
    total = highest[:, 0] + (scores - highest).exp().sum(1).log()
    scores, found = scores.topk(SPANS, dim=1)
    first = found[0] // LONGEST_ANSWER
    return (scores - total[:, None])[0], (first * count + first + found[0] % LONGEST_ANSWER).int(), total - absence


def weigh_ends(judge, x):
    """What a place says as a span's first and last, alone [places, 1] and for both together, all in one product."""
    parts = [judge.first, judge.last, judge.ends]
    scales = torch.cat([torch.full((len(part.weight), 1), judge.pair_scale if part is judge.first else 1.0) for part in parts])
    weights = torch.cat([part.weight for part in parts]) * scales
    said = x @ weights.T + torch.cat([part.bias for part in parts]) * scales[:, 0]
    first, last, start, end = said.split([len(judge.first.weight), len(judge.last.weight), 1, 1], 1)
    return start, end, first, last


def never(where):
    return where.float()[:, None] * NEVER


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


def load_reader(folder):
    """Its pieces and the trained reader."""
    pieces = load_pieces(folder)
    stored = torch.load(os.path.join(folder, "reader.pt"), map_location="cpu", weights_only=True)
    reader = Reader(torch.tensor(pieces.continues()), stored["layers"], glance_size=stored["glance_size"])
    reader.load_state_dict({name: value.float() for name, value in stored["state"].items()}, strict=False)
    return pieces, reader.eval()


def export_onnx(module, path, inputs, outputs):
    example = {"pieces": torch.arange(1, 41).int(), "asked": torch.tensor([8]).int(), "states": torch.randn(1, 40, WIDTH)}
    torch.onnx.export(
        module.eval(), tuple(example[name] for name in inputs), path, input_names=inputs, output_names=outputs,
        dynamic_axes={"pieces": {0: "places"}, "states": {1: "places"}}, opset_version=17, dynamo=False,
        custom_opsets={"com.microsoft": 1},
    )  # fmt: skip


def some_texts(folder):
    """Questions with passages, some that answer and some that do not."""
    numbers = load_pieces(folder).numbers
    begin, end = numbers[BEGIN], numbers[END]
    with np.load(os.path.join(folder, "prepared.npz")) as stored:
        rows = np.random.default_rng(1).integers(len(stored["example_question"]), size=TEXTS)
        asked, read = ((stored[f"{name}_flat"], stored[f"{name}_offsets"]) for name in ("question", "passage"))
        for question, passage in zip(stored["example_question"][rows], stored["example_passage"][rows]):
            first = asked[0][asked[1][question] : asked[1][question + 1]][:LONGEST_QUESTION]
            second = read[0][read[1][passage] : read[1][passage + 1]][:LONGEST_PASSAGE]
            pieces = np.array([begin, *first, end, *second, end], np.int32)
            yield {"pieces": pieces, "asked": np.array([len(first)], np.int32)}


def write(model, texts, path):
    round_products(model, measure_ranges(model, texts))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py and train.py wrote")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    pieces, reader = load_reader(options.folder)
    exact = {name: os.path.join(options.folder, f"{name}-float.onnx") for name in ("glance", "close")}
    export_onnx(Glance(reader), exact["glance"], ["pieces", "asked"], [*SAID, "states"])
    export_onnx(Close(reader), exact["close"], ["pieces", "asked", "states"], SAID)
    texts = list(some_texts(options.folder))
    write(onnx.load(exact["glance"]), texts, os.path.join(options.out, "glance.onnx"))
    glance = onnxruntime.InferenceSession(exact["glance"])
    seen = ({**text, "states": glance.run(["states"], text)[0]} for text in texts)
    write(onnx.load(exact["close"]), seen, os.path.join(options.out, "close.onnx"))
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(pieces.pieces) + "\n")


if __name__ == "__main__":
    main()
