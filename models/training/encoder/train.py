"""Teaches a small encoder to give the vectors of two large ones, and queries to find their passages."""

import argparse
import os
import time

import numpy as np
import torch
from torch.nn.functional import normalize

from encoder.batches import Texts
from encoder.model import count_layers, start_encoder
from shared.faster import compile_layers, reserve_memory
from shared.layers import WIDTH

SMOOTH = 0.999  # of the running average of weights that is shipped
WARM_UP, KEPT = 300, 2_000  # steps, and after how many the weights are written
PARTS = 6  # in which a batch is read, by length: less padding
TEMPERATURE = 0.05
SHARES = 0.35, 0.65  # of the two teachers
LIKE_TEACHERS, FINDING, RELATED = 10.0, 0.5, 0.5  # weights of the losses
SOFT = 0.7  # how much of what is to be found the teachers say; the rest is the pair's own passage
BACKWARDS = 0.5  # the weight of finding the query for a passage


def embed(model, texts, numbers, parts=PARTS):
    order = np.argsort(texts.lengths[numbers], kind="stable")
    found = []
    for part in np.array_split(numbers[order], parts):
        with torch.autocast(texts.device, torch.bfloat16):
            found.append(model(*texts.put(part)))
    return torch.cat(found)[torch.as_tensor(np.argsort(order), device=texts.device)]


@torch.no_grad()
def ask_teachers(bases, texts, batch):
    """One vector for each text, as near to others as both teachers think, each by its share. To a teacher all texts may be near
    each other, so what they have in common is taken out. Of both vectors, one behind the other, the directions that tell
    most are kept, and turned so that they come nearest to the first teacher's."""
    said = []
    for base in bases:
        teacher = start_encoder(base, range(count_layers(base))).to(texts.device)
        compile_layers(teacher.layers, texts.device)
        every = np.arange(len(texts.lengths))
        vectors = embed(teacher, texts, every, len(every) // batch + 1)
        said.append(normalize(vectors - vectors.mean(0), dim=1))
    both = torch.cat([share**0.5 * vectors for share, vectors in zip(SHARES, said)], 1)
    values, directions = torch.linalg.eigh((both.T @ both).double())
    print(f"{values[-WIDTH:].sum() / values.sum():.4f} of what the teachers say is kept", flush=True)
    taught = normalize(both @ directions[:, -WIDTH:].float(), dim=1)
    left, _, right = torch.linalg.svd((taught.T @ said[0]).double())
    return taught @ (left @ right).float()


def surprise(vectors, others, target):
    return -(target * (vectors @ others.T / TEMPERATURE).log_softmax(1)).sum(1).mean()


def finding_loss(asked, found, taught_asked, taught_found):
    taught = (taught_asked @ taught_found.T / TEMPERATURE).softmax(1)
    return surprise(asked, found, SOFT * taught + (1 - SOFT) * torch.eye(len(asked), device=asked.device))


def losses(vectors, taught, pairs):
    far = (1 - (vectors * taught).sum(1)).mean()
    ends = (vectors[:pairs], vectors[pairs : 2 * pairs]), (taught[:pairs], taught[pairs : 2 * pairs])
    (asked, found), (taught_asked, taught_found) = ends
    finding = finding_loss(asked, found, taught_asked, taught_found)
    finding = finding + BACKWARDS * finding_loss(found, asked, taught_found, taught_asked)
    # Which of all other texts are how near to each.
    self = torch.eye(len(vectors), device=vectors.device, dtype=torch.bool)
    near = (taught @ taught.T / TEMPERATURE).masked_fill(self, -1e4).softmax(1)
    guess = (vectors @ vectors.T / TEMPERATURE).masked_fill(self, -1e4).log_softmax(1)
    related = (near * (near.clamp(min=1e-9).log() - guess)).sum(1).mean()
    return far, finding, related


def train(taught, student, texts, options, random):
    weights = list(student.parameters())
    average = [weight.detach().clone() for weight in weights]
    fused = texts.device == "cuda"
    optimizer = torch.optim.AdamW(weights, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=fused)
    begun = time.time()
    step, done = 0, 0.0
    while done < 1:
        numbers, pairs = texts.draw(random, options.batch)
        aim = taught[torch.as_tensor(numbers, device=texts.device)]
        far, finding, related = losses(embed(student, texts, numbers), aim, pairs)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / WARM_UP) * max(0.02, 1 - done)
        optimizer.zero_grad(set_to_none=True)
        (LIKE_TEACHERS * far + FINDING * finding + RELATED * related).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        step += 1
        with torch.no_grad():
            torch._foreach_lerp_(average, weights, 1 - min(SMOOTH, (1 + step) / (10 + step)))
        done = (time.time() - begun) / (60 * options.minutes) if options.minutes else step / options.steps
        if step % 500 == 0 or done >= 1:
            said = f"{far.item():.4f} away, {finding.item():.4f}, {related.item():.4f}"
            print(f"{step} steps, {time.time() - begun:.0f} s, {said}", flush=True)
        if step % KEPT == 0 or done >= 1:
            names = [name for name, _ in student.named_parameters()]
            torch.save({name: value.half().cpu() for name, value in zip(names, average)}, options.out)


def load_base(path):
    with np.load(path) as stored:
        return {name: torch.as_tensor(stored[name]).float() for name in stored.files}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py wrote")
    parser.add_argument("--out", help="encoder.pt in the folder unless given")
    parser.add_argument("--layers", default="0,1,3,5", help="of the first teacher, to begin with")
    parser.add_argument("--wide", type=int, default=768, help="inner numbers of a layer")
    parser.add_argument("--steps", type=int, default=12_000)
    parser.add_argument("--minutes", type=float, default=0, help="fit the schedule to a time instead of the steps")
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    options.out = options.out or os.path.join(options.folder, "encoder.pt")
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    reserve_memory(device)
    random = np.random.default_rng(options.seed)
    with open(os.path.join(options.folder, "pieces.txt"), encoding="utf-8") as file:
        texts = Texts(os.path.join(options.folder, "prepared.npz"), file.read().split("\n"), device, random)
    bases = [load_base(os.path.join(options.folder, f"{name}.npz")) for name in ("base", "large")]
    taught = ask_teachers(bases, texts, options.batch)
    student = start_encoder(bases[0], [int(number) for number in options.layers.split(",")], options.wide).to(device)
    compile_layers(student.layers, device)
    train(taught, student, texts, options, random)


if __name__ == "__main__":
    main()
