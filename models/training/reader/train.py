"""Trains the reader on what `prepare.py` wrote. Interrupted, it goes on from its last checkpoint."""

import argparse
import json
import os
import time
from contextlib import contextmanager

import numpy as np
import torch

from reader.batches import Prepared, cut_batches, draw_epoch, draw_untold, make_batch
from reader.losses import Mirrors, presence, reader_loss, taught_loss
from reader.model import GLANCE as GLANCE_LAYERS
from reader.model import Reader
from reader.narrow import narrow_layers
from reader.reword import nearest_pieces, reword
from reader.scores import auroc, token_f1
from shared.faster import compile_layers, reserve_memory
from shared.layers import HEADS, WIDE
from shared.pieces import BEGIN, END, load_pieces

SMOOTH = 0.999  # of the running average of weights that is evaluated and shipped
WARM_UP = 400
GLANCE = 0.4  # weight of what the first layers alone make of a text
TRIED = 60  # batches that tell what matters least in the first layers
FASTER = 10  # how much faster the new parts learn than the pretrained ones


class Training:
    def __init__(self, options):
        self.options = options
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(options.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        reserve_memory(self.device)
        self.data, self.practice = (Prepared(self.path(name), self.device) for name in ("prepared", "practice"))
        numbers = load_pieces(options.folder).numbers
        self.marks = [numbers[mark] for mark in (BEGIN, END, "?")]
        layers = [int(number) for number in options.layers.split(",")]
        self.model = self.start_model(layers)
        self.teachers = [self.load_teacher(path) for path in options.teachers]
        if self.teachers:
            self.nearest = nearest_pieces(self.teachers[0].pieces.weight, self.teachers[0].continues, self.marks)
        for model in (self.model, *self.teachers):
            compile_layers(model.layers, self.device)
        self.mirrors = Mirrors(len(layers), self.teachers).to(self.device)
        self.weights = [*self.model.parameters(), *self.mirrors.parameters()]
        self.average = [weight.detach().clone() for weight in self.weights]
        fresh = [value for name, value in self.model.named_parameters() if name.startswith(("glance", "judge"))]
        known = [value for name, value in self.model.named_parameters() if not name.startswith(("glance", "judge"))]
        groups = [{"params": known, "times": 1}, {"params": [*fresh, *self.mirrors.parameters()], "times": FASTER}]
        self.optimizer = torch.optim.AdamW(
            groups, lr=options.rate, betas=(0.9, 0.98), weight_decay=options.decay, fused=self.device == "cuda"
        )
        self.epoch = self.step = 0
        self.spent = 0.0  # seconds of training before this run
        self.curve = []
        self.checkpoint = os.path.join(options.out, "checkpoint.pt")
        if os.path.exists(self.checkpoint):
            self.resume()

    def path(self, name):
        return os.path.join(self.options.folder, f"{name}.npz")

    def start_model(self, layers):
        has = (HEADS, WIDE)
        if self.options.start.endswith(".pt"):
            stored = torch.load(self.options.start, map_location="cpu", weights_only=True)
            base, has = stored["state"], tuple(stored["glance_size"])
        else:
            with np.load(self.path(self.options.start)) as stored:
                base = {name: torch.as_tensor(stored[name]).float() for name in stored.files}
        model = Reader(self.data.continues, len(layers), dropout=self.options.dropout, glance_size=has)
        model.start_from(base, layers)
        model.to(self.device)
        size = tuple(int(number) for number in self.options.glance.split(","))
        if size != has:
            narrow_layers(model.layers[:GLANCE_LAYERS], self.losses(model), *size)
        return model

    def losses(self, model):
        """Of some batches, to see what matters in a model that has been trained."""
        model.eval()
        batches, random = self.epoch_batches(0)
        for source, batch in [one for one in batches if one[0] is self.data][:TRIED]:
            inputs, targets = make_batch(source, batch, random, self.marks)
            glance, judged, _ = self.think(model, inputs)
            yield reader_loss(judged, *targets)[0] + GLANCE * reader_loss(glance, *targets)[0]

    def load_teacher(self, path):
        stored = torch.load(path, map_location="cpu", weights_only=True)
        teacher = Reader(self.data.continues, stored["layers"], glance_size=stored["glance_size"])
        teacher.load_state_dict(stored["state"], strict=False)
        return teacher.to(self.device).eval().requires_grad_(False)

    def epoch_batches(self, epoch):
        """In random order: (whose, rows). Where there are teachers, they also say what they think of texts without known answers."""
        random = np.random.default_rng([self.options.seed, epoch])
        drawn = [(self.data, draw_epoch(self.data, random))]
        if self.options.teachers:
            drawn.append((self.practice, draw_untold(self.practice, random)))
        batches = [(source, batch) for source, rows in drawn for batch in cut_batches(source, rows, self.options.tokens, random)]
        random.shuffle(batches)
        return batches, random

    def run(self):
        """Epochs to the end of the schedule, which is a number of steps or, where minutes are given, a time."""
        self.started = time.time()
        self.steps = len(self.epoch_batches(0)[0]) * self.options.epochs
        while self.done() < 1 and (self.options.minutes or self.epoch < self.options.epochs):
            batches, random = self.epoch_batches(self.epoch)
            begun, sums = time.time(), torch.zeros(4, device=self.device)
            self.model.train()
            for number, (source, batch) in enumerate(batches, 1):
                sums += self.learn(source, batch, random)
                if self.options.minutes and self.done() >= 1:
                    break
                if number % 400 == 0:
                    print(f"  {number} of {len(batches)} batches, {time.time() - begun:.0f} s", flush=True)
            self.epoch += 1
            report = {"epoch": self.epoch, "step": self.step, "seconds": round(time.time() - begun, 1)}
            report |= dict(zip(("loss", "span", "presence"), (sums / sums[3]).tolist()))
            report |= self.evaluate()
            self.curve.append(report)
            self.write_curve()
            self.save()
            print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in report.items()}), flush=True)

    def done(self):
        """The share of the schedule that lies behind."""
        if self.options.minutes:
            return (self.spent + time.time() - self.started) / (60 * self.options.minutes)
        return self.step / self.steps

    def think(self, model, inputs):
        with torch.autocast(self.device, torch.bfloat16):
            return model(*inputs)

    def learn(self, source, rows, random):
        """A step. Returns the sum of losses and 1, or zeros where nobody has told the answers."""
        told = source is self.data
        inputs, targets = make_batch(source, rows, random, self.marks)
        if self.teachers and random.random() < self.options.reworded:
            inputs, told = reword(inputs, self.nearest), False
        rate = self.options.rate * min(1, (self.step + 1) / WARM_UP)
        left = max(0.0, 1 - self.done())
        for group in self.optimizer.param_groups:
            group["lr"] = group["times"] * rate * (0.02 + 0.98 * left)
        glance, judged, states = self.think(self.model, inputs)
        loss, *parts = reader_loss(judged, *targets)
        total = loss + GLANCE * reader_loss(glance, *targets)[0]
        if self.teachers:
            taught, taught_states = self.ask_teachers(inputs)
            own = self.options.own if told else 0
            total = own * total + taught_loss(judged, taught) + GLANCE * taught_loss(glance, taught)
            with torch.autocast(self.device, torch.bfloat16):
                total += self.options.alike * left * self.mirrors(states, taught_states, inputs[2])
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        self.optimizer.step()
        self.step += 1
        smooth = min(SMOOTH, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(self.average, self.weights, 1 - smooth)
        return told * torch.stack([loss, *parts, torch.ones_like(loss)]).detach()

    @torch.no_grad()
    def ask_teachers(self, inputs):
        thoughts = [self.think(teacher, inputs) for teacher in self.teachers]
        said = [judged for _, judged, _ in thoughts]
        shares = torch.stack([spans.flatten(1).softmax(1) for spans, _ in said]).mean(0)
        odds = torch.stack([presence(*one) for one in said]).mean(0)
        return (shares, odds), [states for _, _, states in thoughts]

    @torch.no_grad()
    def evaluate(self):
        """On the articles held back: spans of the right passages, and right passages told from the others."""
        self.model.eval()
        random = np.random.default_rng(1)
        rows = draw_epoch(self.data, random, held=True)
        found = []
        with self.averaged():
            for batch in cut_batches(self.data, rows, self.options.tokens, random):
                inputs, (first, last, _) = make_batch(self.data, batch, random, self.marks, training=False)
                glance, (spans, absence), _ = self.think(self.model, inputs)
                best = spans.flatten(1).argmax(1)
                width = spans.shape[2]
                altered = torch.as_tensor(np.isin(batch[:, 0], self.data.arrays["altered"]), device=self.device)
                columns = [best // width, best % width, first, last, presence(spans, absence), altered, presence(*glance)]
                found.append(torch.stack(columns, 1).cpu())
        table = torch.cat(found).double().numpy()
        right = table[:, 2] >= 0
        f1, exact = token_f1(*table[right, :4].T)
        odds, altered, glanced = table[:, 4], table[:, 5] > 0, table[:, 6]
        return {
            "f1": float(f1),
            "exact": float(exact),
            "auroc_passages": float(auroc(odds[right], odds[~right & ~altered])),
            "auroc_altered": float(auroc(odds[right], odds[~right & altered])),
            "auroc_glance": float(auroc(glanced[right], glanced[~right & ~altered])),
        }

    def save(self):
        stored = {
            "average": [weight.cpu() for weight in self.average],
            "weights": [weight.detach().cpu() for weight in self.weights],
            "optimizer": self.optimizer.state_dict(),
            "epoch": self.epoch,
            "step": self.step,
            "spent": self.spent + time.time() - self.started,
            "curve": self.curve,
        }
        torch.save(stored, self.checkpoint + ".part")
        os.replace(self.checkpoint + ".part", self.checkpoint)
        with self.averaged():
            state = {name: value.half().cpu() for name, value in self.model.state_dict().items() if name != "continues"}
            first = self.model.layers[0]
            shape = {"layers": len(self.model.layers), "glance_size": (first.heads, len(first.widen.weight))}
            torch.save({**shape, "state": state}, os.path.join(self.options.out, "reader.pt"))

    @contextmanager
    def averaged(self):
        """The model with the average of its weights, for a while."""
        with torch.no_grad():
            kept = [weight.detach().clone() for weight in self.weights]
            torch._foreach_copy_(self.weights, self.average)
            yield
            torch._foreach_copy_(self.weights, kept)

    def resume(self):
        stored = torch.load(self.checkpoint, map_location="cpu", weights_only=True)
        with torch.no_grad():
            for weight, value in zip(self.weights, stored["weights"]):
                weight.copy_(value)
            for weight, value in zip(self.average, stored["average"]):
                weight.copy_(value)
        self.optimizer.load_state_dict(stored["optimizer"])
        self.epoch, self.step, self.curve = stored["epoch"], stored["step"], stored["curve"]
        self.spent = stored["spent"]
        print("goes on after epoch", self.epoch, flush=True)

    def write_curve(self):
        with open(os.path.join(self.options.out, "curve.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(point) + "\n" for point in self.curve)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, help="where prepare.py wrote")
    parser.add_argument("--out", help="checkpoint, weights and curve; the folder unless given")
    parser.add_argument("--start", default="practised-base", help="what to begin with: practised weights, or a reader.pt")
    parser.add_argument("--layers", default="0,1,2,3,4,5", help="of these, the layers that are taken")
    parser.add_argument("--glance", default=f"{HEADS},{WIDE}", help="heads and inner width that the first two layers keep")
    parser.add_argument("--teachers", nargs="*", default=[], help="reader.pt of readers to learn from")
    parser.add_argument("--own", type=float, default=0.5, help="weight of the right answers beside what teachers say")
    parser.add_argument("--reworded", type=float, default=0.5, help="share of the batches that teachers are shown in other words")
    parser.add_argument("--alike", type=float, default=1, help="weight of telling the teachers' states, which falls to 0")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=0, help="fit the schedule to a time instead of the epochs")
    parser.add_argument("--tokens", type=int, default=48_000, help="of texts in a batch")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    options.out = options.out or options.folder
    os.makedirs(options.out, exist_ok=True)
    Training(options).run()


if __name__ == "__main__":
    main()
