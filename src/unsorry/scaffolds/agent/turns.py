"""Token-exact turns as JSON: a prompt that begins with all tokens of the turn before stores only what was added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unsorry import Turn


def encode(turn: Turn, before: Turn | None) -> dict[str, Any]:
    """`before` is the turn of the last reply that had one; `shared` counts its tokens that this prompt begins with."""
    seen = before.prompt_ids + before.completion_ids if before is not None else ()
    shared = len(seen) if seen and turn.prompt_ids[: len(seen)] == seen else 0
    return {
        "shared": shared,
        "prompt_ids": list(turn.prompt_ids[shared:]),
        "completion_ids": list(turn.completion_ids),
        "logprobs": list(turn.logprobs),
        "text": turn.text,
        "finish": turn.finish,
        "model": turn.model,
        "reasoning": turn.reasoning,
    }


def decode(raw: Mapping[str, Any], before: Turn | None) -> Turn:
    """The inverse of `encode`; ValueError where the tokens that a turn shares are not there."""
    seen = before.prompt_ids + before.completion_ids if before is not None else ()
    shared = raw["shared"]
    if shared not in (0, len(seen)):
        raise ValueError(f"a turn shares {shared} tokens with one that has {len(seen)}")
    return Turn(
        (*seen[:shared], *_integers(raw["prompt_ids"])),
        _integers(raw["completion_ids"]),
        tuple(float(value) for value in raw["logprobs"]),
        str(raw["text"]),
        finish=str(raw["finish"]),
        model=str(raw["model"]),
        reasoning=str(raw["reasoning"]),
    )


def _integers(values: Any) -> tuple[int, ...]:
    if not all(type(value) is int for value in values):
        raise ValueError("token ids are not integers")
    return tuple(values)
