"""What one epoch reads: questions with their passage, and beside many of them passages that only look right."""

import numpy as np
import torch

from model import LONGEST_ANSWER

LONGEST_PASSAGE = 384
DERIVED, MINED = 0.3, 0.5  # of the passages beside the right one; the rest is any passage
BESIDE, ALTERED = 0.5, 0.4  # shares of the questions that get one, and that are asked in an altered form too
QAMR = 0.4  # share of these one-sentence rows in an epoch
LOWERED, UNMARKED = 0.15, 0.15  # questions typed without capitals, and without a question mark


class Prepared:
    def __init__(self, path, device):
        with np.load(path) as stored:
            self.arrays = {name: stored[name] for name in stored.files}
        a = self.arrays
        self.device = device
        self.sources = [str(name) for name in a["sources"]]
        self.passage_offsets, self.question_offsets = a["passage_offsets"], a["question_offsets"]
        self.passage_length = np.diff(self.passage_offsets)
        self.question_length = np.diff(self.question_offsets)

        def put(name, dtype):
            return torch.as_tensor(a[name].astype(dtype), device=device)

        self.passages, self.questions = put("passage_flat", np.int64), put("question_flat", np.int64)
        self.row, self.characters = put("type_row", np.int64), put("type_characters", np.int64)
        self.shape, self.key = put("type_shape", np.float32), put("type_key", np.int64)
        self.stem, self.lower = put("type_stem", np.int64), put("type_lower", np.int64)
        self.mark = int(np.flatnonzero(a["type_characters"][:, 0] == ord("?") - 32)[0])

    def vectors(self):
        return [torch.as_tensor(self.arrays[name]) for name in ("vectors", "scales", "rank")]


def draw_epoch(data, random, held=False):
    """Rows (question, passage, first, last, group) as one array; first is -1 where the passage does not answer."""
    a = data.arrays
    source = a["example_source"]
    count = len(source)
    squad = source == data.sources.index("squad1.1-train")
    derived = source == data.sources.index("squad1.1-train-derived-negative")
    spans = a["example_spans"][np.arange(count), random.integers(3, size=count)].astype(np.int64)
    use = (a["example_held"] == held) & ~derived & (spans[:, 1] - spans[:, 0] < LONGEST_ANSWER)
    if not held:
        use &= (source != data.sources.index("qamr")) | (random.random(count) < QAMR)
    group = np.arange(count)
    question, passage = a["example_question"], a["example_passage"]
    right = np.stack([question, passage, spans[:, 0], spans[:, 1], group], 1)[use]

    nothing = np.full(count, -1)
    beside = np.stack([question, draw_beside(data, derived, random), nothing, nothing, group], 1)
    beside = beside[use & squad & (random.random(count) < BESIDE)]

    altered = np.stack([draw_valid(a["altered"], random), passage, nothing, nothing, group + count], 1)
    altered = altered[use & squad & (altered[:, 0] >= 0) & (random.random(count) < ALTERED)]
    return np.concatenate([right, beside, altered]).astype(np.int64)


def draw_beside(data, derived, random):
    """A passage for each question that only looks right."""
    a = data.arrays
    count = len(derived)
    chosen = random.integers(len(data.passage_length), size=count)
    way = random.random(count)
    mined = draw_valid(a["mined"], random)
    chosen = np.where((way < MINED) & (mined >= 0), mined, chosen)
    of_number = np.full(a["example_number"].max() + 1, -1)
    of_number[a["example_number"][derived]] = a["example_passage"][derived]
    known = np.where(a["example_number"] >= 0, of_number[a["example_number"]], -1)
    return np.where((way > 1 - DERIVED) & (known >= 0), known, chosen)


def draw_valid(table, random):
    """One of the entries of each row that are not -1, which come first; -1 where there is none."""
    valid = (table >= 0).sum(1)
    return table[np.arange(len(table)), (random.random(len(table)) * np.maximum(valid, 1)).astype(np.int64)]


def cut_batches(data, rows, tokens, random):
    """Groups of about the same length together, at most so many tokens a batch, in random order."""
    length = np.minimum(data.passage_length[rows[:, 1]], LONGEST_PASSAGE)
    longest = np.zeros(rows[:, 4].max() + 1, np.int64)
    np.maximum.at(longest, rows[:, 4], length)
    noisy = longest[rows[:, 4]] * 1000 + (rows[:, 4] * 7919 + int(random.integers(1 << 30))) % 997
    order = np.lexsort((rows[:, 4], noisy))
    batches, begin = [], 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and (
            longest[rows[order[end], 4]] * (end + 1 - begin) <= tokens or rows[order[end], 4] == rows[order[end - 1], 4]
        ):
            end += 1
        batches.append(rows[order[begin:end]])
        begin = end
    random.shuffle(batches)
    return batches


def make_batch(data, rows, random, training=True):
    """The model's arguments and the targets (first, last, group), on the device."""
    question, passage, first, last, group = rows.T
    length = data.passage_length[passage]
    # A window of a long passage: any that holds the answer whole.
    low = np.maximum(0, np.where(first >= 0, last, 0) - LONGEST_PASSAGE + 1)
    high = np.minimum(np.maximum(length - LONGEST_PASSAGE, 0), np.where(first >= 0, first, length))
    cut = np.where(length > LONGEST_PASSAGE, low + (random.random(len(rows)) * (high - low + 1)).astype(np.int64), 0)
    p_length, q_length = np.minimum(length - cut, LONGEST_PASSAGE), data.question_length[question].copy()
    p = gather(data, data.passages, data.passage_offsets[passage] + cut, p_length)
    q = gather(data, data.questions, data.question_offsets[question], q_length)
    if training:
        lowered = torch.as_tensor(random.random(len(rows)) < LOWERED, device=data.device)[:, None]
        q = torch.where(lowered, data.lower[q], q)
        final = q[torch.arange(len(rows), device=data.device), torch.as_tensor(q_length - 1, device=data.device)]
        marked = (final == data.mark).cpu().numpy()
        q_length -= marked & (q_length > 1) & (random.random(len(rows)) < UNMARKED)
    kinds, places = torch.unique(torch.cat([p.flatten(), q.flatten()]), return_inverse=True)
    inputs = (
        data.row[kinds], data.characters[kinds], data.shape[kinds], data.key[kinds], data.stem[kinds],
        places[p.numel() :].view_as(q), places[: p.numel()].view_as(p),
        torch.as_tensor(q_length, device=data.device), torch.as_tensor(p_length, device=data.device),
    )  # fmt: skip
    answers = first >= 0
    targets = [np.where(answers, first - cut, -1), np.where(answers, last - cut, -1), np.unique(group, return_inverse=True)[1]]
    return inputs, [torch.as_tensor(values, device=data.device) for values in targets]


def gather(data, flat, starts, lengths):
    places = torch.arange(int(lengths.max()), device=data.device)[None]
    index = torch.as_tensor(starts, device=data.device)[:, None] + places
    inside = places < torch.as_tensor(lengths, device=data.device)[:, None]
    return torch.where(inside, flat[index.clamp(max=len(flat) - 1)], torch.zeros_like(index))
