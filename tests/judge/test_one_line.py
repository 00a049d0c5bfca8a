"""A verdict's message is one line, whatever names and Lean's words hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from unsorry import Problem, Status, Verdict
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge.memo import Memo, _check
from unsorry.judge.reasons import Reason, Refusal, one_line
from unsorry.lean.process import Limits

BREAKS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("between", [*BREAKS, "\x1b[2J", "\0", "\x08", "\ud800", "\u202e", "\u200b"])
def test_every_refusal_is_one_printable_line(between: str) -> None:
    refusal = Refusal(Reason.TARGET_MISSING, f"a{between}b is not declared", f"a{between}b")
    assert not str(refusal).isprintable()
    verdict = refusal.verdict()
    assert verdict.message.isprintable() and len(verdict.message.splitlines()) == 1
    assert verdict.message.startswith("a") and verdict.message.endswith("b is not declared")
    assert verdict.target == f"a{between}b", "the name stays the name"


def test_what_is_one_line_stays_as_it_is() -> None:
    for text in ("", "line 3: ∀ x₁, 𝔸  =  é", "two  spaces"):
        assert one_line(text) == text


def test_a_target_with_a_line_break(judge: StrictJudge, tmp_path: Path) -> None:
    """As «…» allows it: missing, of another kind, with a sorry, proved, and in a problem that cannot be used."""
    name = "«a\nb»"
    text = f"theorem {name} : 1 + 1 = 2 := by sorry"
    problem = Problem("one\ntwo", text, (name,))
    fast = FastJudge(judge.toolchain, judge.confinement, limits=Limits(wall=20.0))
    wrong = replace(problem, targets=(name, "«c\nd»"))
    with fast:
        for asked in (problem, wrong):
            for submission in (
                text,
                text.replace("by sorry", "rfl"),
                "def x := 1",
                f"def {name} := 1",
                text + "\n#eval x",
            ):
                for verdict in (judge.judge(asked, submission), fast.judge(asked, submission)):
                    assert verdict.message.isprintable(), verdict


def test_a_memo_that_somebody_wrote(tmp_path: Path) -> None:
    key, path = "0" * 64, tmp_path / "memo"
    Memo(path).put(key, Verdict(Status.REJECTED, "fast.error", "no"), ())
    body = {**json.loads(path.read_text()), "message": "no\nunsorry: accepted"}
    del body["check"]
    path.write_text(json.dumps({**body, "check": _check(body)}))
    found = Memo(path).get(key)
    assert found is not None and found[0].message == "no unsorry: accepted"
