"""A run as a log of Inspect's format (version 2, JSON), for its viewer: samples, scores, costs; no messages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from unsorry import Attempt, __version__
from unsorry.repos.scores import fraction, outcome
from unsorry.repos.systems import System
from unsorry.scaffolds.prove_or_disprove import proves


def log(system: System) -> dict[str, Any]:
    """The log; its time is the one at which it is made, since attempts have none."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    epochs = max((len(some) for some in system.by_task.values()), default=1)
    solved = sum(map(proves, system.samples)) / max(1, len(system.samples))
    metric = {"accuracy": {"name": "accuracy", "value": solved, "params": {}}}
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": "unsorry", "run_id": "unsorry", "task_id": "unsorry", "created": now, "task": "unsorry-bench",
            "task_version": 0, "model": system.model or "none/search", "model_args": {}, "task_args": {},
            "dataset": {"name": "unsorry-bench", "samples": len(system.items),
                        "sample_ids": [item.id for item in system.items]},
            "config": {"epochs": epochs}, "packages": {"unsorry": __version__},
        },
        "plan": {"name": "plan", "steps": [{"solver": system.scaffold, "params": {}}], "config": {}},
        "results": {"total_samples": len(system.samples), "completed_samples": len(system.samples),
                    "scores": [{"name": "strict", "scorer": "strict", "params": {}, "metrics": metric}]},
        "stats": {"started_at": now, "completed_at": now, "model_usage": {system.model: _usage(system.samples)}},
        "samples": [
            _sample(attempt, epoch) for some in system.by_task.values() for epoch, attempt in enumerate(some, 1)
        ],
    }  # fmt: skip


def _usage(attempts: tuple[Attempt, ...]) -> dict[str, int]:
    tokens_in = sum(a.cost.tokens_in for a in attempts)
    tokens_out = sum(a.cost.tokens_out for a in attempts)
    return {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out,
            "input_tokens_cache_read": sum(a.cost.tokens_cached for a in attempts)}  # fmt: skip


def _sample(attempt: Attempt, epoch: int) -> dict[str, Any]:
    told = f"{attempt.verdict.reason}: {attempt.verdict.message}"
    text = attempt.submission.encode("utf-8", "replace").decode()
    scores = {"strict": {"value": "C" if proves(attempt) else "I", "answer": text[:4000], "explanation": told,
                         "metadata": {"fraction": fraction(attempt), "outcome": outcome(attempt)}}}  # fmt: skip
    return {
        "id": attempt.problem, "epoch": epoch, "input": attempt.problem, "target": "", "messages": [],
        "output": {"model": attempt.prover, "choices": [], "completion": ""}, "scores": scores,
        "metadata": {"seconds": attempt.cost.seconds, "money": attempt.cost.money}, "store": {}, "events": [],
        "model_usage": {attempt.prover: _usage((attempt,))}, "attachments": {},
    }  # fmt: skip
