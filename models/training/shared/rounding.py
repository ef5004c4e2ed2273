"""Makes the products of an ONNX model faster: weights are rounded to seven bits, and what is multiplied with them to eight,
by steps that are the same for all texts."""

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

WEIGHT_STEPS = 63  # eight bits overflow in the sums of processors that have AVX2 but no VNNI; seven do not
TEXT_STEPS = 255
# Results of a product that is worth it. The reader's judges stay exact: that takes no time and brings half a point of F1.
LEAST = 384
OUTSIDE = 0.001  # share of the texts whose largest number may be cut off


def products(graph):
    """The large products with weights: (node, weights, node that adds the bias, bias)."""
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants and constants[node.input[1]].shape[1] >= LEAST:
            (add,) = readers[node.output[0]]
            (bias,) = (constants[name] for name in add.input if name in constants)
            yield node, constants[node.input[1]], add, bias


def measure_ranges(model, texts):
    """How small and how large the numbers get that are multiplied with weights: name → (lowest, highest). `texts` are inputs of
    the model."""
    names = list(dict.fromkeys(node.input[0] for node, *_ in products(model.graph)))
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(watched.SerializeToString())
    seen = np.array([[(x.min(), x.max()) for x in session.run(names, text)] for text in texts])
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
