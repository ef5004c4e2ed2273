"""Teaches a small encoder to give the vectors of the pretrained one, and queries to find their passages."""

import argparse
import os
import time

import numpy as np
import torch

from encoder.batches import Texts
from encoder.model import start_encoder

SMOOTH = 0.999  # of the running average of weights that is shipped
WARM_UP = 200  # steps
PARTS = 6  # in which a batch is read, by length: less padding
TEMPERATURE = 0.05
LIKE_TEACHER, FINDING = 10.0, 0.5  # weights of the losses
SOFT = 0.5  # how much of what is to be found the teacher says; the rest is the pair's own passage
BACKWARDS = 0.5  # the weight of finding the query for a passage


def embed(model, texts, starts, lengths, parts=PARTS):
    order = np.argsort(lengths)
    found = []
    for part in np.array_split(order, parts):
        with torch.autocast(texts.device, torch.bfloat16):
            found.append(model(*texts.put(starts[part], lengths[part])))
    return torch.cat(found)[torch.as_tensor(np.argsort(order), device=texts.device)]


def finding_loss(asked, found, taught_asked, taught_found):
    taught = (taught_asked @ taught_found.T / TEMPERATURE).softmax(1)
    target = SOFT * taught + (1 - SOFT) * torch.eye(len(asked), device=asked.device)
    return -(target * (asked @ found.T / TEMPERATURE).log_softmax(1)).sum(1).mean()


def losses(vectors, taught, pairs):
    far = (1 - (vectors * taught).sum(1)).mean()
    ends = (vectors[:pairs], vectors[pairs : 2 * pairs]), (taught[:pairs], taught[pairs : 2 * pairs])
    (asked, found), (taught_asked, taught_found) = ends
    finding = finding_loss(asked, found, taught_asked, taught_found)
    return far, finding + BACKWARDS * finding_loss(found, asked, taught_found, taught_asked)


def train(teacher, student, texts, options):
    random = np.random.default_rng(options.seed)
    weights = list(student.parameters())
    average = [weight.detach().clone() for weight in weights]
    fused = texts.device == "cuda"
    optimizer = torch.optim.AdamW(weights, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=fused)
    with torch.no_grad():
        known = embed(teacher, texts, texts.starts, texts.lengths, len(texts.lengths) // options.batch + 1)
    begun = time.time()
    step, done = 0, 0.0
    while done < 1:
        whole, pairs = texts.draw(random, options.batch)
        crops = texts.crop(random, options.batch // 2)
        with torch.no_grad():
            taught = torch.cat([known[torch.as_tensor(whole, device=texts.device)], embed(teacher, texts, *crops)])
        where = [np.concatenate(both) for both in zip((texts.starts[whole], texts.lengths[whole]), crops)]
        far, finding = losses(embed(student, texts, *where), taught, pairs)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / WARM_UP) * max(0.02, 1 - done)
        optimizer.zero_grad(set_to_none=True)
        (LIKE_TEACHER * far + FINDING * finding).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        step += 1
        with torch.no_grad():
            torch._foreach_lerp_(average, weights, 1 - min(SMOOTH, (1 + step) / (10 + step)))
        done = (time.time() - begun) / (60 * options.minutes) if options.minutes else step / options.steps
        if step % 500 == 0 or done >= 1:
            print(f"{step} steps, {time.time() - begun:.0f} s, {far.item():.4f} away, {finding.item():.4f}", flush=True)
    with torch.no_grad():
        torch._foreach_copy_(weights, average)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py wrote")
    parser.add_argument("--start", help="encoder.pt to go on from")
    parser.add_argument("--layers", default="0,2,5", help="of the pretrained ones, to begin with")
    parser.add_argument("--wide", type=int, default=1024, help="inner numbers of a layer")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=0, help="fit the schedule to a time instead of the steps")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with open(os.path.join(options.folder, "pieces.txt"), encoding="utf-8") as file:
        texts = Texts(os.path.join(options.folder, "prepared.npz"), file.read().split("\n"), device)
    with np.load(os.path.join(options.folder, "base.npz")) as stored:
        base = {name: torch.as_tensor(stored[name]).float() for name in stored.files}
    teacher = start_encoder(base, range(6)).to(device).requires_grad_(False)
    student = start_encoder(base, [int(number) for number in options.layers.split(",")], options.wide).to(device)
    if options.start:
        student.load_state_dict(torch.load(options.start, map_location=device, weights_only=True))
    train(teacher, student, texts, options)
    state = {name: value.half().cpu() for name, value in student.state_dict().items()}
    torch.save(state, os.path.join(options.folder, "encoder.pt"))


if __name__ == "__main__":
    main()
