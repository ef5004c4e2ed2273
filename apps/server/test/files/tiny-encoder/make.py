import json
import numpy as np
import onnx
from onnx import TensorProto as T, helper as h, numpy_helper as n

words = "[PAD] [UNK] [CLS] [SEP] query : open hours museum ticket price cost children café soup dog".split()
# A word's vector says its topic: times, prices, food, or none. The first dimension is its own.
topics = {"open": 2, "hours": 2, "ticket": 3, "price": 3, "cost": 3, "café": 4, "soup": 4}
table = np.zeros((len(words), 8), np.float32)
for i, word in enumerate(words):
    table[i, 0] = i / 100
    table[i, topics.get(word, 5)] = 1
graph = h.make_graph(
    [h.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
    "tiny",
    [h.make_tensor_value_info("input_ids", T.INT64, [1, "tokens"])],
    [h.make_tensor_value_info("last_hidden_state", T.FLOAT, [1, "tokens", 8])],
    [n.from_array(table, "table")],
)
model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)])
model.ir_version = 7
onnx.save(model, "onnx/model.onnx")
json.dump({"hidden_size": 8, "max_position_embeddings": 16}, open("config.json", "w"))
json.dump({"prompts": {"query": "query: "}}, open("config_sentence_transformers.json", "w"))
special = [{"id": i, "content": words[i], "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False} for i in range(4)]
json.dump({
    "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": False, "lowercase": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
        "pair": [], "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
        "vocab": {word: i for i, word in enumerate(words)}},
}, open("tokenizer.json", "w"), ensure_ascii=False, indent=1)
