"""Takes the reader that is shipped back as a checkpoint, for `train.py` to go on from or to learn from. What rounding took is
gone, but its weights lie on the steps that they are rounded to again."""

import argparse
import os

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from reader.model import GLANCE
from shared.layers import HEAD

PARTS = {"glance": 0, "close": GLANCE}  # and the number of their first layer
JUDGES = {"glance": "glance", "close": "judge"}


def restore(folder):
    state, own = {}, "reader."
    for part, first_layer in PARTS.items():
        graph = onnx.load(os.path.join(folder, f"{part}.onnx")).graph
        values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        state |= {name.removeprefix(own): value for name, value in values.items() if name.startswith(own)}
        for node in graph.node:
            if node.op_type == "MatMulIntegerToFloat":
                name = layer_part(node.input[1], first_layer)
                state[f"{name}.weight"] = (values[node.input[1]] * values[node.input[3]]).T
                state[f"{name}.bias"] = values[node.input[6]]
        state |= restore_judge(JUDGES[part], graph, values)
        for table in ("pieces", "places"):
            if f"{table}.rows" in values:
                state[f"{table}.weight"] = values[f"{table}.rows"] * values[f"{table}.scales"][:, None]
    state.pop("continues")
    inner = len(state["layers.0.widen.weight"])
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    size = (state["layers.0.mix.weight"].shape[1] // HEAD, inner)
    return {"layers": layers, "glance_size": size, "state": {name: torch.tensor(value).half() for name, value in state.items()}}


def layer_part(name, first_layer):
    """`/widen_1/MatMul_output_0.weights` is what the second layer of its file is widened by."""
    part, _, number = name.split("/")[1].partition("_")
    return f"layers.{first_layer + int(number or 0)}.{part}"


def restore_judge(judge, graph, values):
    """What `weigh_ends` put into one product."""
    (product,) = (node for node in graph.node if node.op_type == "MatMul" and node.input[1] in values)
    (add,) = (node for node in graph.node if node.op_type == "Add" and product.output[0] in node.input)
    weights = values[product.input[1]].T
    (bias,) = (values[name] for name in add.input if name in values)
    size = (len(weights) - 2) // 2
    scale = np.float32(size**0.5)
    parts = {"first": (0, size, scale), "last": (size, 2 * size, 1), "ends": (2 * size, 2 * size + 2, 1)}
    return {
        f"{judge}.{part}.{kind}": all_parts[start:end] * times
        for part, (start, end, times) in parts.items()
        for kind, all_parts in (("weight", weights), ("bias", bias))
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, help="a folder with glance.onnx and close.onnx")
    parser.add_argument("--out", required=True, help="the reader.pt that is written")
    options = parser.parse_args()
    torch.save(restore(options.model), options.out)


if __name__ == "__main__":
    main()
