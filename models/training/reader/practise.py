"""Practises on the texts before anything is asked: fills in words that are hidden in questions and passages. MiniLM comes
as a model of whole sentences; this brings back what it knows of words, and of how questions and passages belong together."""

import argparse
import os
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from reader.batches import Prepared, cut_batches, make_batch, make_rows
from reader.model import Reader
from shared.faster import compile_layers, reserve_memory
from shared.layers import WIDTH
from shared.pieces import BEGIN, END, HIDDEN, load_pieces

ASKED, TOLD = 0.3, 0.18  # shares of the words that are hidden in questions and in passages
LEFT, OTHER = 0.1, 0.1  # of these, what stays as it is, and what another piece takes the place of
WARM_UP = 300
TOKENS = 48_000


class Filler(nn.Module):
    """The reader's layers, and a guess at each hidden piece."""

    def __init__(self, continues, layers):
        super().__init__()
        self.reader = Reader(continues, layers)
        self.turn, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(len(continues)))

    def forward(self, inputs, where):
        """Scores of all pieces at the places [batch, places] that are asked for."""
        x, inside, *_ = self.reader.begin(*inputs)
        for layer in self.reader.layers:
            x = layer(x, inside)
        x = self.norm(functional.gelu(self.turn(x[where])))
        return x @ self.reader.pieces.weight.T + self.bias


def hide(inputs, filler, hidden):
    """Hides some words whole. Returns the inputs, where pieces are to be guessed, and these pieces."""
    pieces, asked, lengths = inputs
    place = torch.arange(pieces.shape[1], device=pieces.device)[None]
    in_question = (place > 0) & (place <= asked[:, None])
    in_passage = (place > asked[:, None] + 1) & (place < lengths[:, None] - 1)
    words = (~filler.reader.continues[pieces]).long().cumsum(1)
    chance = torch.rand_like(pieces, dtype=torch.float32).gather(1, words.clamp(max=pieces.shape[1] - 1))
    where = (in_question & (chance < ASKED)) | (in_passage & (chance < TOLD))
    way = torch.rand_like(chance)
    other = torch.randint_like(pieces, len(filler.bias))
    shown = torch.where(way < OTHER, other, torch.where(way < OTHER + LEFT, pieces, hidden))
    return (torch.where(where, shown, pieces), asked, lengths), where, pieces[where]


def epoch(data, practice, random):
    """Batches of both, in random order: (whose, rows)."""
    use = ~data.arrays["example_held"]
    rows = np.stack([data.arrays["example_question"][use], data.arrays["example_passage"][use]], 1)
    count = len(practice.question_length)
    batches = []
    for source, pairs in ((data, rows), (practice, np.stack([np.arange(count)] * 2, 1))):
        drawn = make_rows(*pairs.T, np.arange(len(pairs)))
        batches += [(source, batch) for batch in cut_batches(source, drawn, TOKENS, random)]
    random.shuffle(batches)
    return batches


def practise(filler, data, practice, marks, hidden, options, random):
    weights = list(filler.parameters())
    device = weights[0].device.type
    optimizer = torch.optim.AdamW(weights, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    begun, step, losses = time.time(), 0, []
    done = 0.0
    while done < 1:
        for source, batch in epoch(data, practice, random):
            done = (time.time() - begun) / (60 * options.minutes)
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / WARM_UP) * (1 - done)
            inputs, where, right = hide(make_batch(source, batch, random, marks)[0], filler, hidden)
            with torch.autocast(device, torch.bfloat16):
                guesses = filler(inputs, where)
            loss = functional.cross_entropy(guesses.float(), right)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            step += 1
            losses.append(loss.detach())
            if step % 200 == 0:
                print(f"  step {step}, {time.time() - begun:.0f} s, loss {torch.stack(losses).mean():.3f}", flush=True)
                losses = []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py wrote")
    parser.add_argument("--base", default="base", help="whose weights: base or large")
    parser.add_argument("--minutes", type=float, default=6)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    reserve_memory(device)
    random = np.random.default_rng(options.seed)

    def path(name):
        return os.path.join(options.folder, f"{name}.npz")

    data, practice = Prepared(path("prepared"), device), Prepared(path("practice"), device)
    pieces = load_pieces(options.folder)
    marks = [pieces.numbers[mark] for mark in (BEGIN, END, "?")]
    hidden = pieces.numbers[HIDDEN]
    with np.load(path(options.base)) as stored:
        base = {name: torch.as_tensor(stored[name]).float() for name in stored.files}
    layers = sum(name.endswith(".attend.weight") for name in base)
    filler = Filler(data.continues, layers)
    filler.reader.start_from(base, range(layers))
    filler.to(device)
    compile_layers(filler.reader.layers, device)
    practise(filler, data, practice, marks, hidden, options, random)
    known = {name: value for name, value in filler.reader.state_dict().items() if name in base}
    np.savez(path(f"practised-{options.base}"), **{name: value.half().cpu().numpy() for name, value in known.items()})


if __name__ == "__main__":
    main()
