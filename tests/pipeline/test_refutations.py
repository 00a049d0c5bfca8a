"""Kept refutations save a search; what was written into their file by hand refutes nothing."""

import json
from pathlib import Path

import pytest

from unsorry import Problem
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.refutations import refutations

FALSE = Problem("f", "theorem f (n : Nat) : n = 0 := by sorry", ("f",))
TRUE = Problem("t", "theorem t (n : Nat) : n + 0 = n := by sorry", ("t",))


def test_found_once_judged_again(tiered: TieredJudge, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    first = refutations([FALSE, TRUE], tiered, path, seconds=20.0, seed=1)
    assert first["f"] and not first["t"]
    kept = json.loads(path.read_text())
    kept["refutations"]["f"]["witness"] = "read from the file"
    path.write_text(json.dumps(kept))
    again = refutations([FALSE, TRUE], tiered, path, seconds=20.0, seed=2)
    assert again["f"].source == first["f"].source and again["f"].witness == "read from the file"


@pytest.mark.parametrize(
    "source",
    [
        "theorem t_neg : ¬ (∀ (n : Nat), n + 0 = n) := by sorry",
        "axiom no : ¬ (∀ (n : Nat), n + 0 = n)\ntheorem t_neg : ¬ (∀ (n : Nat), n + 0 = n) := no",
        "theorem t_neg : ¬ (∀ (n : Nat), n + 1 = n) := fun h => nomatch h 0",
    ],
)
def test_a_written_refutation_of_a_true_statement(tiered: TieredJudge, tmp_path: Path, source: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(json.dumps({"refutations": {"t": {"source": source, "witness": "n = 0"}}}))
    assert not refutations([TRUE], tiered, path, seconds=5.0, seed=1)["t"]


@pytest.mark.parametrize(
    "text", ['{"refutations": []}', '{"refutations": {"f": 1}}', '{"refutations": {"f": {"source": 1}}}']
)
def test_a_file_of_another_shape(tiered: TieredJudge, tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(text)
    assert refutations([FALSE], tiered, path, seconds=20.0, seed=1)["f"]
