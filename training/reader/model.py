"""The reader: question and passage in; a score for every span and one for "not here" out.

Word vectors, characters and matches between the two texts; a bidirectional LSTM over each; attention both ways; a second
LSTM over what the passage's words mean to the question; attention of the passage on itself; a third LSTM. A span's score
is what its ends say alone plus what they say together."""

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

TUNED = 1000  # the most frequent words, whose vectors are trained along: question words mean more here than elsewhere
LONGEST_ANSWER = 32  # tokens
NEVER = -1e4


class LockedDropout(nn.Module):
    """Drops the same features at every position of a text."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if not self.training or self.rate == 0:
            return x
        keep = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) >= self.rate
        return x * (keep / (1 - self.rate))


class BiLstm(nn.Module):
    """Reads each text to its own end, so that padding never changes a score.

    Packed sequences would do that too, but cuDNN has its fast LSTM only for plain ones. So padding is marked by one more
    input, which shuts the input gate: coming from the end, the state is still zero when it meets the last word."""

    def __init__(self, inputs, size, dropout):
        super().__init__()
        self.dropout = LockedDropout(dropout)
        self.lstm = nn.LSTM(inputs + 1, size, batch_first=True, bidirectional=True)
        for weight in (self.lstm.weight_ih_l0, self.lstm.weight_ih_l0_reverse):
            with torch.no_grad():
                weight[:, -1] = 0
                weight[:size, -1] = -40
            weight.register_hook(keep_last_column)

    def forward(self, x, inside):
        return self.lstm(torch.cat([self.dropout(x), 1 - inside[:, :, None].float()], 2))[0] * inside[:, :, None]


class PackedBiLstm(nn.Module):
    """The same for shipping: the lengths of the texts are given to the runtime's LSTM."""

    def __init__(self, trained):
        super().__init__()
        self.lstm = nn.LSTM(trained.lstm.input_size - 1, trained.lstm.hidden_size, batch_first=True, bidirectional=True)
        state = trained.lstm.state_dict()
        self.lstm.load_state_dict({k: v[:, :-1] if "weight_ih" in k else v for k, v in state.items()})

    def forward(self, x, inside):
        packed = pack_padded_sequence(x, inside.sum(1), batch_first=True, enforce_sorted=True)
        return pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=x.shape[1])[0]


def keep_last_column(gradient):
    return torch.cat([gradient[:, :-1], torch.zeros_like(gradient[:, -1:])], 1)


class Trilinear(nn.Module):
    """How much each place of one text has to do with each place of another."""

    def __init__(self, size):
        super().__init__()
        self.left, self.right = nn.Linear(size, 1), nn.Linear(size, 1, bias=False)
        self.both = nn.Parameter(torch.randn(size) / size**0.5 / 4)

    def forward(self, a, b):
        return self.left(a) + self.right(b).transpose(1, 2) + (a * self.both) @ b.transpose(1, 2)


def attend(scores, mask, values):
    """Values averaged by scores over the places that the mask [batch, 1, places] allows."""
    return functional.softmax(scores.masked_fill(~mask, NEVER), dim=-1) @ values


class Reader(nn.Module):
    def __init__(self, vectors, scales, rank, size=128, dropout=0.25, character_filters=64, pair_size=64):
        """`vectors` int8 [words, dimensions] with one scale each, and each word's place in order of frequency."""
        super().__init__()
        words, dimensions = vectors.shape
        self.register_buffer("vectors", torch.cat([vectors.new_zeros(1, dimensions), vectors]))
        self.register_buffer("scales", torch.cat([scales.new_zeros(1), scales]))
        rarity = torch.log1p(rank.float()) / 13  # the logarithm of the last of 400,000 words is 12.9
        self.register_buffer("rarity", torch.cat([rarity.new_ones(1), rarity]))
        self.tuned = nn.Embedding(TUNED + 1, dimensions, padding_idx=0)
        nn.init.zeros_(self.tuned.weight)
        self.characters = nn.Embedding(128, 16, padding_idx=0)
        self.spelling = nn.Conv1d(16, character_filters, 5, padding=2)
        self.align = nn.Linear(dimensions, dimensions)
        self.dropout = LockedDropout(dropout)

        described = dimensions + character_filters + 6 + 2
        wide = 2 * size
        self.encoder = BiLstm(described + 4 + dimensions, size, dropout)
        self.across = Trilinear(wide)
        self.merge_across = nn.Linear(4 * wide, wide)
        self.second = BiLstm(wide, size, dropout)
        self.within = Trilinear(wide)
        self.merge_within = nn.Linear(3 * wide, wide)
        self.third = BiLstm(wide, size, dropout)
        self.ends = nn.Linear(2 * wide, 2)
        self.first, self.last = nn.Linear(2 * wide, pair_size), nn.Linear(2 * wide, pair_size)
        self.pair_scale = pair_size**-0.5

        self.covered = nn.Linear(wide, wide, bias=False)
        self.compare = nn.Linear(3 * wide, size)
        self.weigh = nn.Linear(size, 1)
        self.evidence = nn.Linear(2 * wide, size)
        self.absent = nn.Sequential(nn.Linear(3 * size, size), nn.ReLU(), nn.Dropout(dropout), nn.Linear(size, 1))
        nn.init.constant_(self.absent[-1].bias, 8.0)  # about what thousands of spans of score 0 add up to

    def word_vectors(self, rows):
        words = self.vectors[rows].float() * self.scales[rows][:, None]
        if self.tuned is None:  # they are in the table by then
            return words
        return words + self.tuned(torch.where(rows <= TUNED, rows, torch.zeros_like(rows)))

    def describe(self, rows, characters, shapes):
        """What a token is by itself: [types, dimensions] of its word, and of everything."""
        words = self.word_vectors(rows)
        spelling = self.spelling(self.characters(characters).transpose(1, 2)).amax(2).relu()
        unknown = (rows == 0).float()[:, None]
        return words, torch.cat([words, spelling, shapes, self.rarity[rows][:, None], unknown], 1)

    def forward(self, rows, characters, shapes, keys, stems, question, passage, question_length, passage_length):
        """`rows` to `stems` describe each distinct token once; `question` and `passage` [batch, places] point at them.
        Returns scores of spans [batch, first, last] and of absence [batch]."""
        words, described = self.describe(rows, characters, shapes)
        here = torch.arange(passage.shape[1], device=passage.device)[None] < passage_length[:, None]
        asked = torch.arange(question.shape[1], device=question.device)[None] < question_length[:, None]
        p_words, q_words = functional.embedding(passage, words), functional.embedding(question, words)
        p_match, q_match = self.matches(keys, stems, rows, question, passage, here, asked)
        p_align, q_align = self.align(p_words).relu(), self.align(q_words).relu()
        close = p_align @ q_align.transpose(1, 2)
        p_seen = attend(close, asked[:, None], q_words)
        q_seen = attend(close.transpose(1, 2), here[:, None], p_words)
        p = self.encoder(torch.cat([functional.embedding(passage, described), p_match, p_seen], 2), here)
        q = self.encoder(torch.cat([functional.embedding(question, described), q_match, q_seen], 2), asked)

        p, q = self.dropout(p), self.dropout(q)
        score = self.across(p, q)
        heard = attend(score, asked[:, None], q)
        top = score.masked_fill(~asked[:, None], NEVER).amax(2)
        summary = attend(top[:, None], here[:, None], p)
        x = self.merge_across(torch.cat([p, heard, p * heard, p * summary], 2)).relu()

        x = self.second(x, here)
        dropped = self.dropout(x)
        places = torch.arange(x.shape[1], device=x.device)
        others = here[:, None] & (places[None] != places[:, None])
        elsewhere = attend(self.within(dropped, dropped), others, dropped)
        x = x + self.merge_within(torch.cat([dropped, elsewhere, dropped * elsewhere], 2)).relu()
        x = torch.cat([self.third(x, here), x], 2)
        x = self.dropout(x)
        return self.spans(x, here), self.absence(x, q, here, asked)

    def matches(self, keys, stems, rows, question, passage, here, asked):
        """Whether a token of one text stands in the other: as it is, in lower case, by its stem, and how rare it is."""
        both = (here[:, :, None] & asked[:, None]).float()
        exact = (passage[:, :, None] == question[:, None]).float() * both
        lower = (keys[passage][:, :, None] == keys[question][:, None]).float() * both
        stem = (stems[passage][:, :, None] == stems[question][:, None]).float() * both
        rarity = self.rarity[rows]

        def features(axis, text):
            stemmed = stem.amax(axis)
            return torch.stack([exact.amax(axis), lower.amax(axis), stemmed, stemmed * rarity[text]], 2)

        return features(2, passage), features(1, question)

    def spans(self, x, here):
        ends = self.ends(x)
        pairs = self.first(x) @ self.last(x).transpose(1, 2) * self.pair_scale
        scores = ends[:, :, :1] + ends[:, :, 1:].transpose(1, 2) + pairs
        places = torch.arange(x.shape[1], device=x.device)
        distance = places[None] - places[:, None]
        allowed = (distance >= 0) & (distance < LONGEST_ANSWER)
        return scores.float().masked_fill(~(allowed[None] & here[:, None]), NEVER)

    def absence(self, x, q, here, asked):
        """Compares each word of the question with what the passage has for it, beside the place of the likely answer."""
        places = attend(self.covered(q) @ x[:, :, : q.shape[2]].transpose(1, 2), here[:, None], x[:, :, : q.shape[2]])
        compared = self.compare(torch.cat([q, places, q * places], 2)).relu()
        worst = compared.masked_fill(~asked[:, :, None], 0).amax(1)
        mean = attend(self.weigh(compared).transpose(1, 2), asked[:, None], compared)[:, 0]
        start = self.ends(x)[:, :, 0]
        evidence = self.evidence(attend(start[:, None], here[:, None], x)[:, 0]).relu()
        return self.absent(torch.cat([worst, mean, evidence], 1))[:, 0].float()
