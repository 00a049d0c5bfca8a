"""The scripted prover: answers by problem id, target, or the last part of the target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unsorry import Problem, Prompt, Sampling, UnsorryError
from unsorry.provers.scripted import ScriptedProver

PROBLEM = Problem("set/one", "@[simp] theorem t : 1 = 1 := by\n  sorry", ("A.t",), preamble="namespace A\n-- sorry")


def ask(answers: dict[str, Any], n: int = 4) -> list[str]:
    ((*completions,),) = ScriptedProver(answers).propose([Prompt(PROBLEM)], n=n, sampling=Sampling())
    return [completion.text for completion in completions]


@pytest.mark.parametrize("key", ["set/one", "A.t", "t"])
def test_names(key: str) -> None:
    assert ask({key: "rfl"}) == [PROBLEM.source.replace("  sorry", "  rfl")]
    assert ask({"u": "rfl"}) == []


def test_several_answers_and_their_number() -> None:
    assert ask({"t": ["rfl", "skip\nrfl"]}) == [
        PROBLEM.source.replace("  sorry", "  rfl"), PROBLEM.source.replace("  sorry", "  skip\n  rfl"),
    ]  # fmt: skip
    assert len(ask({"t": ["rfl", "rfl"]}, n=1)) == 1


def test_lemmas_and_whole_texts() -> None:
    lemma = "theorem h : 1 = 1 := rfl"
    (text,) = ask({"t": {"proof": "exact h", "before": lemma}})
    assert text == PROBLEM.source.replace("@[simp]", f"{lemma}\n\n@[simp]").replace("  sorry", "  exact h")
    assert ask({"t": {"text": "anything"}}) == ["anything"]


def test_scripts_that_are_none(tmp_path: Path) -> None:
    for text, message in (("[", "is not JSON"), ("[]", "one JSON object")):
        (tmp_path / "s.json").write_text(text)
        with pytest.raises(UnsorryError, match=message):
            ScriptedProver.from_file(tmp_path / "s.json")
    with pytest.raises(UnsorryError, match="cannot read"):
        ScriptedProver.from_file(tmp_path / "none.json")
    with pytest.raises(UnsorryError, match="must be a proof"):
        ask({"t": 5})
    with pytest.raises(UnsorryError, match="no sorry in its targets"):
        ScriptedProver({"x": "rfl"}).propose(
            [Prompt(Problem("x", "theorem t : True := trivial", ("t",)))], n=1, sampling=Sampling()
        )
