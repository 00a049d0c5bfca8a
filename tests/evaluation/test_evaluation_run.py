"""A run over a problem set goes on with exactly the problems that it has not tried."""

from __future__ import annotations

import json
from pathlib import Path

from unsorry import Problem
from unsorry.evaluation import attempts as store
from unsorry.evaluation.run import Settings, evaluate, finished, key

A, B = (Problem(name, "theorem t (n : Nat) : n = n := by sorry", ("t",)) for name in "ab")


def test_two_problems_with_one_text_are_two(tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({p.id: [{"text": p.source.replace("by sorry", "rfl")}] for p in (A, B)}))
    settings, out = Settings(f"scripted:{answers}", sandbox="none"), tmp_path / "attempts.jsonl"
    assert A.source == B.source and key(A, settings) != key(B, settings)
    (first,) = evaluate([A], settings, out)
    assert first.problem == "a" and first.verdict.accepted
    assert [a.problem for a in finished([A, B], settings, out)] == ["a"]
    assert [a.problem for a in evaluate([A, B], settings, out)] == ["b"]
    assert [a.problem for a in store.read(out)] == ["a", "b"] and not list(evaluate([A, B], settings, out))
