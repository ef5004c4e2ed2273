"""What one epoch reads: questions with their passage, and beside many of them passages that only look right."""

import numpy as np
import torch

from reader.model import LONGEST_ANSWER

LONGEST_PASSAGE, LONGEST_QUESTION = 384, 64  # pieces
DERIVED, MINED = 0.3, 0.6  # of the passages beside the right one; the rest is any passage
BESIDE, TIMES = 0.7, 2  # the share of the questions that get one, and how often that is drawn
ALTERED = 0.5  # the share of the questions that are asked in an altered form too
QAMR = 0.4  # share of these one-sentence rows in an epoch
UNTOLD, NEARBY, NEAR = 0.5, 0.25, 8  # shares of the texts without known answers, and how far away another's text is taken from
UNMARKED = 0.15  # questions typed without a question mark
STEP = 16  # texts are padded to a multiple of this, so that few shapes occur: each new one costs time


class Prepared:
    def __init__(self, path, device):
        with np.load(path) as stored:
            self.arrays = {name: stored[name] for name in stored.files}
        a = self.arrays
        self.device = device
        self.sources = [str(name) for name in a["sources"]]
        self.passage_offsets, self.question_offsets = a["passage_offsets"], a["question_offsets"]
        self.passage_length = np.diff(self.passage_offsets)
        self.question_length = np.minimum(np.diff(self.question_offsets), LONGEST_QUESTION)
        self.passages = torch.as_tensor(a["passage_flat"].astype(np.int64), device=device)
        self.questions = torch.as_tensor(a["question_flat"].astype(np.int64), device=device)
        self.continues = torch.as_tensor(a["continues"])


def make_rows(question, passage, group, spans=None):
    """One array (question, passage, first, last, group); first is -1 where the passage does not answer."""
    spans = np.full((len(question), 2), -1) if spans is None else spans
    return np.concatenate([np.stack([question, passage], 1), spans, group[:, None]], 1).astype(np.int64)


def draw_epoch(data, random, held=False):
    """Rows of questions with their passage, and of those that a passage does not answer."""
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
    rows = [make_rows(question, passage, group, spans)[use]]
    for _ in range(TIMES):
        beside = make_rows(question, draw_beside(data, derived, random), group)
        rows.append(beside[use & squad & (random.random(count) < BESIDE)])
    altered = make_rows(draw_valid(a["altered"], random), passage, group + count)
    rows.append(altered[use & squad & (altered[:, 0] >= 0) & (random.random(count) < ALTERED)])
    return np.concatenate(rows)


def draw_untold(practice, random):
    """Rows of questions with texts of which nobody has said what answers: their own, and some that stand nearby."""
    count = len(practice.question_length)
    own = np.flatnonzero(random.random(count) < UNTOLD)
    others = np.flatnonzero(random.random(count) < NEARBY)
    nearby = np.clip(others + random.integers(-NEAR, NEAR + 1, size=len(others)), 0, count - 1)
    question = np.concatenate([own, others])
    return make_rows(question, np.concatenate([own, nearby]), np.arange(len(question)))


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
    """Groups of about the same length together, at most so many pieces a batch, in random order."""
    length = np.minimum(data.passage_length[rows[:, 1]], LONGEST_PASSAGE) + data.question_length[rows[:, 0]] + 3
    length = padded(length)
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


def make_batch(data, rows, random, marks, training=True):
    """The model's arguments and the targets (first, last, group), on the device. `marks` are the numbers of the begin, of
    the end and of the question mark."""
    begin, end, asking = marks
    question, passage, first, last, group = rows.T
    length = data.passage_length[passage]
    # A window of a long passage: any that holds the answer whole.
    low = np.maximum(0, np.where(first >= 0, last, 0) - LONGEST_PASSAGE + 1)
    high = np.minimum(np.maximum(length - LONGEST_PASSAGE, 0), np.where(first >= 0, first, length))
    cut = np.where(length > LONGEST_PASSAGE, low + (random.random(len(rows)) * (high - low + 1)).astype(np.int64), 0)
    p_length, q_length = np.minimum(length - cut, LONGEST_PASSAGE), data.question_length[question].copy()
    if training:
        final = data.arrays["question_flat"][data.question_offsets[question] + q_length - 1]
        q_length -= (final == asking) & (q_length > 1) & (random.random(len(rows)) < UNMARKED)

    def put(values):
        return torch.as_tensor(values, device=data.device)

    asked, total = put(q_length), put(q_length + p_length + 3)
    place = torch.arange(padded(int((q_length + p_length).max()) + 3), device=data.device)[None]
    q = data.questions[(put(data.question_offsets[question])[:, None] + place - 1).clamp(0, len(data.questions) - 1)]
    p_start = put(data.passage_offsets[passage] + cut)[:, None] - asked[:, None] - 2
    p = data.passages[(p_start + place).clamp(0, len(data.passages) - 1)]
    pieces = torch.where(place <= asked[:, None], q, p)
    pieces = torch.where((place == asked[:, None] + 1) | (place == total[:, None] - 1), end, pieces)
    pieces = torch.where(place == 0, begin, pieces)
    pieces = torch.where(place >= total[:, None], 0, pieces)
    answers = first >= 0
    shift = q_length + 2 - cut
    targets = [np.where(answers, first + shift, -1), np.where(answers, last + shift, -1)]
    targets.append(np.unique(group, return_inverse=True)[1])
    return (pieces, asked, total), [put(values) for values in targets]


def padded(length):
    return -(-length // STEP) * STEP
