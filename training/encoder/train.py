"""Tunes the encoder on the pairs that `prepare.ts` wrote: each query has to find its passage among those of its batch."""

import argparse
import math
import random
import time

import torch
from torch.nn import functional

from batches import QUERY, Pairs, candidates
from encoder import FIXED, encode, read_weights, write_weights

WARM_UP = 0.1  # of all steps
CHUNKS = 4  # in which passages are encoded, by length: less padding
BACKWARDS = 0.5  # the weight of finding the query for a passage
NEVER = -1e4


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default="data/encoder")
    parser.add_argument("--epochs", type=float, default=8)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--power", type=float, default=0.6, help="of a source's size, for how often it is drawn")
    parser.add_argument("--mix", type=float, default=0.75, help="the share of the tuned weights in the mean with the base")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def train(base, pairs, options):
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    weights = {name: value.clone().requires_grad_(name != FIXED) for name, value in base.items()}
    trained = [value for value in weights.values() if value.requires_grad]
    fused = {"fused": True} if pairs.device == "cuda" else {}
    optimizer = torch.optim.AdamW(trained, lr=options.rate, weight_decay=0, **fused)
    steps = int(options.epochs * len(pairs.rows) / options.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: share_of_rate(step, steps))
    begun = time.time()
    for step in range(steps):
        loss = batch_loss(weights, pairs, pairs.draw(options.batch, options.power), options)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == steps - 1:
            print(f"step {step} of {steps}, loss {loss.item():.3f}, {time.time() - begun:.0f} s", flush=True)
    return {name: value.detach() for name, value in weights.items()}


def share_of_rate(step, steps):
    return min(1, (step + 1) / (WARM_UP * steps)) * (0.5 + 0.5 * math.cos(math.pi * step / steps))


def batch_loss(weights, pairs, rows, options):
    passages, also_right = candidates(rows)
    with torch.autocast(pairs.device, dtype=torch.bfloat16):
        asked = encode(weights, *pairs.texts(rows[:, QUERY]), options.dropout)
        order = pairs.lengths[passages].argsort()
        parts = [encode(weights, *pairs.texts(passages[part]), options.dropout) for part in order.chunk(CHUNKS)]
        found = torch.cat(parts)[order.argsort()]
    asked, found = functional.normalize(asked.float(), dim=1), functional.normalize(found.float(), dim=1)
    scores = (asked @ found.T / options.temperature).masked_fill(also_right, NEVER)
    right = torch.arange(len(rows), device=scores.device)
    forwards = functional.cross_entropy(scores, right)
    return forwards + BACKWARDS * functional.cross_entropy(scores[:, : len(rows)].T, right)


def main():
    options = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base = read_weights(options.folder, "base.f16", device)
    tuned = train(base, Pairs(options.folder, device), options)
    # A part of the way back to the base, so that what the pairs do not show is not forgotten.
    mixed = {name: value * (1 - options.mix) + tuned[name] * options.mix for name, value in base.items()}
    write_weights(mixed, options.folder, "tuned.f16")


if __name__ == "__main__":
    main()
