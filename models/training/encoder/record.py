"""Records what PyTorch makes of a few texts, so that the server's tests can tell whether its encoder does the same."""

import argparse
import json
import os

import torch

from encoder.export import load_encoder
from shared.pieces import BEGIN, END, load_pieces

DIMENSIONS = 32  # of each vector that are recorded
TEXTS = [
    "museum",
    "The museum is open daily from nine to five.",
    "Café — ﬁne ½ price 🎨🖼️ 2026!",
    "博物馆每天九点开门。",
    " ".join(f"In room {number} of the museum hangs a painting of the harbour." for number in range(1, 18)),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py and train.py wrote")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    pieces = load_pieces(options.folder)
    encoder = load_encoder(os.path.join(options.folder, "encoder.pt"))
    recorded = []
    for text in TEXTS:
        numbers = [number for *_, cut in pieces.words(text) for number in cut]
        marked = torch.tensor([[pieces.numbers[BEGIN], *numbers, pieces.numbers[END]]])
        with torch.no_grad():
            vector = encoder(marked, torch.tensor([marked.shape[1]]))[0]
        values = [round(value, 5) for value in vector[:DIMENSIONS].tolist()]
        recorded.append({"text": text, "pieces": [pieces.pieces[number] for number in numbers], "vector": values})
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(recorded, file, ensure_ascii=False, indent=2)


if __name__ == "__main__":
    main()
