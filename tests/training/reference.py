"""The numeric core again, slowly: plain Python loops over floats, written from the formulas and from nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Cispo:
    loss: float
    gradient: list[list[float]]  # of the loss at every log pi
    kept: list[list[bool]]
    tokens: int
    mean_ratio: float
    max_ratio: float
    capped: int
    kl: float
    masked_sequences: int


def cispo(
    logprobs: list[list[float]],
    sampler: list[list[float]],
    advantages: list[float],
    mask: list[list[bool]],
    *,
    c_abs: float,
    delta: float | None,
    denominator: float | None = None,
) -> Cispo:
    """CISPO with the sequence mask; the denominator is the number of kept tokens unless given."""
    kept = []
    masked_sequences = 0
    for row in range(len(logprobs)):
        places = [t for t in range(len(mask[row])) if mask[row][t]]
        drop = False
        if delta is not None and places and advantages[row] < 0:
            total = 0.0
            for t in places:
                total += sampler[row][t] - logprobs[row][t]
            drop = total / len(places) > delta
        masked_sequences += drop
        kept.append([bool(m) and not drop for m in mask[row]])
    if denominator is None:
        denominator = max(1, sum(sum(row) for row in kept))
    loss = 0.0
    gradient = [[0.0] * len(row) for row in logprobs]
    ratios = []
    capped = 0
    kl = 0.0
    for row in range(len(logprobs)):
        for t in range(len(mask[row])):
            if not mask[row][t]:
                continue
            ratio = math.exp(logprobs[row][t] - sampler[row][t])
            ratios.append(ratio)
            capped += ratio > c_abs
            kl += ratio - 1 - math.log(ratio)
            if kept[row][t]:
                weight = min(ratio, c_abs) * advantages[row]
                loss -= weight * logprobs[row][t] / denominator
                gradient[row][t] = -weight / denominator
    count = len(ratios)
    return Cispo(
        loss,
        gradient,
        kept,
        count,
        sum(ratios) / count if count else math.nan,
        max(ratios, default=0.0),
        capped,
        kl / count if count else math.nan,
        masked_sequences,
    )


def advantages(rewards: list[float], groups: list[int], scale: str) -> tuple[list[float], list[bool]]:
    """Group advantages and which of them are informative."""
    members: dict[int, list[float]] = {}
    for reward, group in zip(rewards, groups, strict=True):
        members.setdefault(group, []).append(reward)
    centred = []
    informative = []
    for reward, group in zip(rewards, groups, strict=True):
        others = members[group]
        varied = any(other != others[0] for other in others)
        informative.append(varied)
        centred.append(reward - sum(others) / len(others) if varied else 0.0)
    if scale == "group":
        for i, group in enumerate(groups):
            if informative[i]:
                others = members[group]
                mean = sum(others) / len(others)
                variance = sum((other - mean) ** 2 for other in others) / len(others)
                centred[i] /= math.sqrt(variance)
    if scale == "batch":
        squares = [a * a for a, used in zip(centred, informative, strict=True) if used]
        if squares:
            root = math.sqrt(sum(squares) / len(squares))
            centred = [a / root for a in centred]
    return centred, informative


def logprobs(
    hidden: list[list[float]],
    head: list[list[float]],
    targets: list[int],
    *,
    temperature: float,
    bias: list[float] | None,
) -> tuple[list[float], list[float]]:
    """Log-probability of each target and entropy of each distribution."""
    values = []
    entropies = []
    for state, target in zip(hidden, targets, strict=True):
        logits = []
        for token, weights in enumerate(head):
            logit = sum(h * w for h, w in zip(state, weights, strict=True))
            logits.append((logit + (bias[token] if bias else 0.0)) / temperature)
        top = max(logits)
        normaliser = top + math.log(sum(math.exp(z - top) for z in logits))
        values.append(logits[target] - normaliser)
        entropies.append(-sum(math.exp(z - normaliser) * (z - normaliser) for z in logits))
    return values, entropies


def product(b: list[list[float]], a: list[list[float]], scale: float) -> list[list[float]]:
    """scale * b @ a."""
    return [[scale * sum(b[i][k] * a[k][j] for k in range(len(a))) for j in range(len(a[0]))] for i in range(len(b))]
