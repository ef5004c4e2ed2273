"""Writes the trained encoder as ONNX. The weights of its products are whole numbers of seven bits; what is multiplied with
them is rounded to eight by steps that are the same for all texts, so that a text has one vector, whatever is read with it."""

import argparse
import os

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper, numpy_helper
from torch import nn

from encoder.model import LONGEST_TEXT, Encoder
from shared.onnx_parts import Rounded, read_on
from shared.pieces import BEGIN, END

WEIGHT_STEPS = 63  # eight bits overflow in the sums of processors that have AVX2 but no VNNI; seven do not
TEXT_STEPS = 255
TEXTS = 1500  # that tell how large numbers get
OUTSIDE = 0.001  # share of those texts whose largest number may be cut off


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
    layers = sum(name.endswith("widen.bias") for name in state)
    encoder = Encoder(len(state["pieces.weight"]), layers, len(state["layers.0.widen.bias"]))
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
    with open(os.path.join(folder, "pieces.txt"), encoding="utf-8") as file:
        vocabulary = file.read().split("\n")
    begin, end = vocabulary.index(BEGIN), vocabulary.index(END)
    with np.load(os.path.join(folder, "prepared.npz")) as stored:
        pieces, lengths = stored["pieces"], stored["lengths"].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    for number in np.random.default_rng(1).integers(len(lengths), size=TEXTS):
        text = pieces[starts[number] : starts[number] + min(lengths[number], LONGEST_TEXT - 2)]
        yield np.array([[begin, *text, end]], np.int32)


def products(graph):
    """The products with weights: (node, weights, node that adds the bias, bias)."""
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            (add,) = readers[node.output[0]]
            (bias,) = (constants[name] for name in add.input if name in constants)
            yield node, constants[node.input[1]], add, bias


def measure_ranges(model, texts):
    """How small and how large the numbers get that are multiplied with weights: name → (lowest, highest)."""
    names = list(dict.fromkeys(node.input[0] for node, *_ in products(model.graph)))
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(watched.SerializeToString())
    seen = np.array([[(x.min(), x.max()) for x in session.run(names, {"pieces": text})] for text in texts])
    lowest = np.quantile(seen[:, :, 0], OUTSIDE, axis=0).clip(max=0)
    return dict(zip(names, zip(lowest, np.quantile(seen[:, :, 1], 1 - OUTSIDE, axis=0))))


def round_products(model, ranges):
    """Each product with weights becomes one of whole numbers, its bias added in the same step."""
    graph, put, gone = model.graph, {}, set()

    def constant(name, value):
        graph.initializer.append(numpy_helper.from_array(value, name))
        return name

    rounded = {}
    for name, (lowest, highest) in ranges.items():
        step = (highest - lowest) / TEXT_STEPS
        inputs = [name, constant(f"{name}.step", np.float32(step)), constant(f"{name}.zero", np.uint8(round(-lowest / step)))]
        rounded[name] = helper.make_node("QuantizeLinear", inputs, [f"{name}.rounded"])
    for node, weights, add, bias in list(products(graph)):
        name = node.output[0]
        steps = (np.abs(weights).max(0) / WEIGHT_STEPS).astype(np.float32)
        before = rounded[node.input[0]]
        inputs = [before.output[0], constant(f"{name}.weights", np.round(weights / steps).astype(np.int8)), before.input[1]]
        inputs += [constant(f"{name}.steps", steps), before.input[2], "", constant(f"{name}.bias", bias)]
        put[name] = helper.make_node("MatMulIntegerToFloat", inputs, [add.output[0]], domain="com.microsoft")
        gone.add(add.output[0])
    nodes = []
    for node in graph.node:
        if node.output[0] in put:
            before = rounded.pop(node.input[0], None)
            nodes += [before] if before else []
        if node.output[0] not in gone:
            nodes.append(put.get(node.output[0], node))
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in nodes for name in node.input}
    kept = [one for one in graph.initializer if one.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


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
        a, b = (session.run(None, {"pieces": text})[0][0] for session in sessions)
        near.append(a @ b)
    print(f"cosine with the vector before rounding: {np.mean(near):.4f} on average, {min(near):.4f} at least")
    with open(os.path.join(options.folder, "pieces.txt"), encoding="utf-8") as file:
        pieces = file.read()
    with open(os.path.join(options.out, "pieces.txt"), "w", encoding="utf-8") as file:
        file.write(pieces)


if __name__ == "__main__":
    main()
