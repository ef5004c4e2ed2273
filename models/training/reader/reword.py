"""Questions and passages said with other words: some pieces give way to ones that are near them in meaning or in use. There is
no end of these, so they can't be learnt by heart; whether and where the passage still answers, only the teachers say."""

import torch
from torch.nn import functional

ASKED, TOLD = 0.15, 0.06  # shares of the pieces of questions and of passages that give way
NEAR = 8  # pieces to choose from


def nearest_pieces(weights, continues, marks):
    """[pieces, NEAR]: for each piece those whose weights point the same way most, the marks left out."""
    weights = functional.normalize(weights.float(), dim=1)
    rows = []
    for some, goes_on in zip(weights.split(1000), continues.split(1000)):
        close = (some @ weights.T).masked_fill(goes_on[:, None] != continues[None], -1)
        close[:, marks] = -1
        rows.append(close.topk(NEAR + 1).indices[:, 1:])
    return torch.cat(rows)


def reword(inputs, nearest):
    pieces, asked, lengths = inputs
    place = torch.arange(pieces.shape[1], device=pieces.device)[None]
    in_question = (place > 0) & (place <= asked[:, None])
    in_passage = (place > asked[:, None] + 1) & (place < lengths[:, None] - 1)
    chance = torch.rand(pieces.shape, device=pieces.device)
    gives_way = (in_question & (chance < ASKED)) | (in_passage & (chance < TOLD))
    other = nearest[pieces, torch.randint_like(pieces, NEAR)]
    return torch.where(gives_way, other, pieces), asked, lengths
