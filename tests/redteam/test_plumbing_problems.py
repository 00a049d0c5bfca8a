"""Problem files as an attack: whatever a JSONL file holds, nothing is accepted that was not proved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.problems import load
from unsorry.redteam import home
from unsorry.redteam import load as cases
from unsorry.redteam.judges import Bench

FALSE = "theorem t (n : Nat) : n + 1 = n := by sorry"
HOSTILE: dict[str, tuple[dict[str, Any], str, str]] = {
    # name: (fields, submission, the right status)
    "an axiom in the preamble": (
        {"preamble": "axiom cheat : False", "statement": FALSE},
        "axiom cheat : False\ntheorem t (n : Nat) : n + 1 = n := cheat.elim",
        "rejected",
    ),
    "a target that is an axiom": (
        {"statement": "axiom t : False"},
        "axiom t : False",
        "undecided",
    ),
    "a target that is an axiom, asked as another kind": (
        {"statement": "axiom t : False"},
        "theorem t : False := by\n  exact t",
        "undecided",
    ),
    "an unchecked lemma in the preamble": (
        {"preamble": "set_option debug.skipKernelTC true\ntheorem key : (1 : Nat) = 2 := by decide +kernel",
         "statement": FALSE},
        "set_option debug.skipKernelTC true\ntheorem key : (1 : Nat) = 2 := by decide +kernel\n"
        "theorem t (n : Nat) : n + 1 = n := absurd key (by decide)",
        "rejected",
    ),
    "a sorry in the preamble": (
        {"preamble": "theorem key : False := by sorry", "statement": FALSE},
        "theorem key : False := by sorry\ntheorem t (n : Nat) : n + 1 = n := key.elim",
        "rejected",
    ),
    "a native decision in the preamble": (
        {"preamble": "@[implemented_by Nat.succ] def f (n : Nat) : Nat := n\n"
                     "theorem key : f 0 = 1 := by native_decide", "statement": FALSE},
        "@[implemented_by Nat.succ] def f (n : Nat) : Nat := n\ntheorem key : f 0 = 1 := by native_decide\n"
        "theorem t (n : Nat) : n + 1 = n := absurd key (by decide)",
        "rejected",
    ),
    "a target that the file hides behind #exit": (
        {"statement": "#exit\n" + FALSE},
        "theorem t : True := trivial",
        "undecided",
    ),
    "a comment that never ends": (
        {"preamble": "/-", "statement": FALSE},
        "theorem t : True := trivial",
        "undecided",
    ),
    "a statement inside a string": (
        {"statement": 'def s := "\ntheorem t : False := by sorry\n"'},
        "theorem t : False := by sorry",
        "undecided",
    ),
    "a target that is not declared": (
        {"statement": "theorem u : True := by sorry"},
        "theorem t : True := trivial",
        "undecided",
    ),
    "a target that is private": (
        {"statement": "private theorem t : False := by sorry"},
        "theorem t : True := trivial",
        "rejected",
    ),
    "a target with a newline": (
        {"statement": "theorem t : True := by sorry", "targets": ["t\ntheorem u"]},
        "theorem t : True := trivial",
        "undecided",
    ),
    "a target that prints like another": (
        {"statement": "theorem «a.b» : False := by sorry", "targets": ["a.b"]},
        "theorem a.b : True := trivial",
        "undecided",
    ),
    "one target of two": (
        {"statement": "theorem t : True := by sorry\ntheorem u : False := by sorry", "targets": ["t", "u"]},
        "theorem t : True := trivial",
        "rejected",
    ),
    "an import of nothing": (
        {"header": "import Evil", "statement": "theorem t : True := by sorry"},
        "import Evil\ntheorem t : True := trivial",
        "undecided",
    ),
    "a prelude": (
        {"header": "prelude", "statement": "axiom False' : Prop\ntheorem t : False' := by sorry"},
        "prelude\naxiom False' : Prop\naxiom x : False'\ntheorem t : False' := x",
        "undecided",
    ),
    "a module": (
        {"header": "module", "statement": "public theorem t : True := by sorry"},
        "module\npublic theorem t : True := trivial",
        "undecided",
    ),
    "a definition that changes under the submission": (
        {"preamble": "def P : Prop := False", "statement": "theorem t : P := by sorry"},
        "def P : Prop := True\ntheorem t : P := trivial",
        "rejected",
    ),
    "the header's last line goes on": (
        {"header": "import Init theorem key : False := sorry", "statement": FALSE},
        "import Init theorem key : False := sorry\ntheorem t (n : Nat) : n + 1 = n := key.elim",
        "rejected",
    ),
    "a lone surrogate": (
        {"preamble": 'def s := "\ud800"', "statement": "theorem t : True := by sorry"},
        'def s := "\ud800"\ntheorem t : True := trivial',
        "undecided",
    ),
    "a character of no line": (
        {"preamble": "-- \0 theorem t : True := trivial", "statement": "theorem t : False := by sorry"},
        "-- \0 theorem t : True := trivial\ntheorem t : True := trivial",
        "rejected",
    ),
    "a right-to-left override": (
        {"statement": "theorem t : 1 = 2 := by sorry -- \u202e eurt"},
        "theorem t : 1 = 2 := by decide -- \u202e",
        "rejected",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def judge(bench: Bench) -> Iterator[StrictJudge]:
    with StrictJudge(bench.toolchain, bench.confinement) as made:
        yield made


@pytest.mark.parametrize("name", list(HOSTILE))
def test_a_hostile_problem_is_never_solved(name: str, judge: StrictJudge, tmp_path: Path) -> None:
    fields, submission, status = HOSTILE[name]
    record = {"format": 1, "id": "../../p", "targets": ["t"], **fields}
    (tmp_path / "set.jsonl").write_text(json.dumps(record) + "\n")
    [problem] = load(tmp_path / "set.jsonl")
    verdict = judge.judge(problem, submission)
    assert (str(verdict.status), verdict.reason != "internal") == (status, True), verdict
    assert "\n" not in verdict.message or "\n" in problem.targets[0]


def test_the_statement_too_is_elaborated_in_the_sandbox(judge: StrictJudge, tmp_path: Path) -> None:
    """A problem file's text runs when the judge elaborates it: it must reach nothing outside."""
    attack = next(case for case in cases(home()) if case.id == "v51-write-outside-by-macro")
    markers = [Path(marker) for marker in attack.markers]
    for marker in markers:
        marker.unlink(missing_ok=True)
    [name] = attack.targets
    record = {"format": 1, "id": "p", "statement": attack.submission, "targets": [name]}
    (tmp_path / "set.jsonl").write_text(json.dumps(record) + "\n")
    [problem] = load(tmp_path / "set.jsonl")
    judge.judge(problem, attack.submission)
    assert markers and not [marker for marker in markers if marker.exists()]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": ""}, {"id": 7}, {"id": ["x"]}, {"id": None},
        {"targets": []}, {"targets": "t"}, {"targets": [""]}, {"targets": [["t"]]}, {"targets": ["t", "t"]},
        {"targets": {"t": 1}}, {"targets": [None]},
        {"statement": ""}, {"statement": ["theorem"]}, {"statement": {"$ref": "x"}},
        {"header": 3}, {"preamble": None}, {"split": ["train"]}, {"origin": {}},
        {"verdict": "accepted"}, {"proof": "trivial"}, {"Targets": ["t"]}, {"__class__": "Problem"}, {"source": "x"},
        {"format": 2}, {"format": True}, {"format": "1"}, {"format": None},
    ],
)  # fmt: skip
def test_odd_fields_are_one_line(fields: dict[str, Any], tmp_path: Path) -> None:
    record = {"format": 1, "id": "p", "statement": "theorem t : True := by sorry", "targets": ["t"], **fields}
    file = tmp_path / "set.jsonl"
    file.write_text(json.dumps(record) + "\n")
    with pytest.raises(UnsorryError) as error:
        load(file)
    assert f"{file}:1:" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    ['{"format": 1, "id": "p"', "[" * 100_000, "1" * 10_000, '{"a": ' * 20_000, "NaN", '"p"', "null", "\0", "\ufffe"],
)
def test_odd_lines_are_one_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text(text + "\n")
    with pytest.raises(UnsorryError) as error:
        load(file)
    assert len(str(error.value)) < 1000 and "\n" not in str(error.value)
