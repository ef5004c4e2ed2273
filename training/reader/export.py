"""Writes the trained reader as ONNX, with the weights of its products as whole numbers of seven bits."""

import argparse
import os

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from batches import Prepared
from model import TUNED, PackedBiLstm, Reader
from vocabulary import round_rows

SPANS = 5  # best spans given for each passage
INPUTS = ["rows", "characters", "shapes", "keys", "stems", "question", "passage", "question_length", "passage_length"]
OUTPUTS = ["scores", "spans", "presence"]
AXES = {
    **{name: {0: "types"} for name in INPUTS[:5]},
    "question": {0: "batch", 1: "asked"},
    "passage": {0: "batch", 1: "places"},
    "question_length": {0: "batch"},
    "passage_length": {0: "batch"},
    **{name: {0: "batch"} for name in OUTPUTS},
}


class Shipped(nn.Module):
    """The reader with its answer worked out: log odds that the passage answers, and the best spans as one number each,
    first * places + last, with their logarithmic share of all spans."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, *inputs):
        # 32-bit numbers outside: JavaScript has no plain 64-bit ones.
        spans, absence = self.reader(*[one.long() if one.dtype == torch.int32 else one for one in inputs])
        spans = spans.flatten(1)
        total = spans.logsumexp(1)
        scores, places = spans.topk(SPANS, dim=1)
        return scores - total[:, None], places.int(), total - absence


def load_reader(folder, weights):
    """The trained reader, its LSTMs in the form that ships and the tuned word vectors rounded like the others."""
    data = Prepared(os.path.join(folder, "prepared.npz"), "cpu")
    stored = torch.load(weights, map_location="cpu", weights_only=True)
    reader = Reader(*data.vectors(), size=stored["size"])
    reader.load_state_dict(stored["state"], strict=False)
    for name in ("encoder", "second", "third"):
        setattr(reader, name, PackedBiLstm(getattr(reader, name)))
    rows = reader.vectors[1 : TUNED + 1].float() * reader.scales[1 : TUNED + 1, None] + reader.tuned.weight[1:].detach()
    table, scales = round_rows(rows.numpy())
    reader.vectors[1 : TUNED + 1], reader.scales[1 : TUNED + 1] = torch.as_tensor(table), torch.as_tensor(scales)
    reader.tuned = None
    return reader.eval()


def example_inputs():
    """Any inputs of the right kinds, longest passage first: the exporter only follows the operations."""
    types, places, asked = 30, 40, 8
    random = np.random.default_rng(3)

    def whole(*shape, high=types):
        return torch.as_tensor(random.integers(0, high, size=shape).astype(np.int32))

    return (
        whole(types, high=1000), whole(types, 16, high=127), torch.zeros(types, 6), whole(types), whole(types),
        whole(2, asked), whole(2, places), torch.tensor([asked, asked - 1]).int(), torch.tensor([places, places - 4]).int(),
    )  # fmt: skip


def export_onnx(reader, path):
    torch.onnx.export(
        Shipped(reader), example_inputs(), path, input_names=INPUTS, output_names=OUTPUTS, dynamic_axes=AXES,
        opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.checker.check_model(path)


def part_lstms(path):
    """Gives each LSTM its own weights: the encoder reads both texts, and the quantizer rewrites what is shared only once."""
    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    aliases = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Identity"}
    seen = set()
    for node in model.graph.node:
        if node.op_type != "LSTM":
            continue
        for i in (1, 2):
            name = node.input[i] = aliases.get(node.input[i], node.input[i])
            if name in seen:
                copy = onnx.TensorProto()
                copy.CopyFrom(tensors[name])
                copy.name = node.input[i] = f"{name}_question"
                model.graph.initializer.append(copy)
            seen.add(name)
    used = {name for node in model.graph.node for name in node.input}
    for node in [node for node in model.graph.node if node.op_type == "Identity" and node.output[0] not in used]:
        model.graph.node.remove(node)
    onnx.save(model, path)


def quantize(source, target):
    part_lstms(source)
    # Eight bits overflow in the sums of processors that have AVX2 but no VNNI; seven do not.
    quantize_dynamic(
        source, target, weight_type=QuantType.QInt8, reduce_range=True, per_channel=True,
        op_types_to_quantize=["MatMul", "LSTM"], extra_options={"MatMulConstBOnly": True},
    )  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default="data/reader", help="where prepare.py wrote")
    parser.add_argument("--weights", help="reader.pt; the folder's unless given")
    parser.add_argument("--out", default="server/models/reader")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    reader = load_reader(options.folder, options.weights or os.path.join(options.folder, "reader.pt"))
    exact = os.path.join(options.folder, "reader-float.onnx")
    export_onnx(reader, exact)
    quantize(exact, os.path.join(options.out, "reader.onnx"))
    with open(os.path.join(options.folder, "words.txt"), encoding="utf-8") as file:
        words = file.read()
    with open(os.path.join(options.out, "words.txt"), "w", encoding="utf-8") as file:
        file.write(words)


if __name__ == "__main__":
    main()
