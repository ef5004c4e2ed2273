"""What training makes smaller: the surprise at the right span, and at whether the passage answers at all."""

import torch
from torch import nn
from torch.nn import functional

from shared.layers import WIDTH

SMOOTHING = 0.03  # a few of the passages said not to answer do


def presence(spans, absence):
    """The log odds that a passage answers: all its spans together against absence."""
    return spans.flatten(1).logsumexp(1) - absence


def reader_loss(judged, first, last, group):
    spans, absence = judged
    odds = presence(spans, absence)
    answers = first >= 0
    rows = torch.arange(len(first), device=first.device)
    gold = spans[rows, first.clamp(min=0), last.clamp(min=0)]
    surprise = spans.flatten(1).logsumexp(1) - gold
    span_loss = (surprise * answers).sum() / answers.sum().clamp(min=1)
    target = answers.float() * (1 - 2 * SMOOTHING) + SMOOTHING
    presence_loss = functional.binary_cross_entropy_with_logits(odds, target)
    return span_loss + presence_loss + 0.5 * shared_loss(odds, answers, group), span_loss, presence_loss


def taught_loss(judged, taught):
    """The surprise at what the teachers think: shares of spans [batch, spans], weighted by how sure they are that there is
    one, and their log odds of presence."""
    spans, absence = judged
    shares, odds = taught
    sure = odds.sigmoid()
    surprise = -(shares * spans.flatten(1).log_softmax(1).clamp(min=-50)).sum(1)
    span_loss = (surprise * sure).sum() / sure.sum().clamp(min=1)
    return span_loss + functional.binary_cross_entropy_with_logits(presence(spans, absence), sure)


def shared_loss(odds, answers, group):
    """The passages of one question against one another and against none: makes their scores comparable."""
    count = len(group)  # at most
    highest = torch.zeros(count, device=odds.device).scatter_reduce(0, group, odds.detach(), "amax")
    total = torch.zeros(count, device=odds.device).scatter_add(0, group, (odds - highest[group]).exp())
    total = highest + torch.log(total + (-highest).exp())
    right = torch.zeros(count, device=odds.device).scatter_add(0, group, odds * answers)
    members = torch.zeros(count, device=odds.device).scatter_add(0, group, torch.ones_like(odds))
    several = (members > 1).float()
    return ((total - right) * several).sum() / several.sum().clamp(min=1)


class Mirrors(nn.Module):
    """How far a reader's states tell those of its teachers: 1 is not at all, 0 is all. Each of its layers but the first is
    compared with the one that lies as deep in each of them."""

    def __init__(self, layers, teachers):
        super().__init__()
        self.levels = range(1, layers)
        self.depths = [[round(len(teacher.layers) * (level + 1) / layers) - 1 for level in self.levels] for teacher in teachers]
        self.turns = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in teachers for _ in self.levels)

    def forward(self, states, taught, lengths):
        """`lengths` [batch]: behind them is padding."""
        place = torch.arange(states[0].shape[1], device=lengths.device)
        kept = (place[None] < lengths[:, None]).flatten().nonzero()[:, 0]
        turns = iter(self.turns)
        losses = []
        for depths, states_taught in zip(self.depths, taught):
            for level, depth in zip(self.levels, depths):
                aim = states_taught[depth].flatten(0, 1)[kept].float()
                aim = (aim - aim.mean(0)) / (aim.std(0) + 1e-3)
                losses.append(functional.mse_loss(next(turns)(states[level].flatten(0, 1)[kept]).float(), aim))
        return torch.stack(losses).mean()
