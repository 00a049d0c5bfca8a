"""`unsorry judge` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unsorry import UnsorryError, cli
from unsorry.judge.sandbox import choose

STATEMENT = "namespace A\ntheorem t (a b : Nat) : a + b = b + a := by sorry\nend A\n"


def sandbox() -> str:
    try:
        choose("strict")
    except UnsorryError:
        return "limits"
    return "strict"


@pytest.fixture
def judge(tmp_path: Path, embedded: object) -> Any:
    def run(statement: str, submission: str | None, *options: str) -> int:
        (tmp_path / "Statement.lean").write_text(statement)
        if submission is not None:
            (tmp_path / "Submission.lean").write_text(submission)
        files = [str(tmp_path / "Statement.lean"), str(tmp_path / "Submission.lean")]
        return cli.run(["judge", *files, "--sandbox", sandbox(), *options])

    return run


def test_accepted(judge: Any, tmp_path: Path, capsys: Any) -> None:
    certificate = tmp_path / "certificate.json"
    assert judge(STATEMENT, STATEMENT.replace("sorry", "omega"), "--certificate", str(certificate)) == 0
    out, err = capsys.readouterr()
    assert out.startswith("accepted: ") and "A.t" in out and "propext" in out and err == ""
    assert json.loads(certificate.read_text())["problem"]["targets"] == {"A.t": "theorem"}


@pytest.mark.parametrize(
    ("submission", "reason"),
    [
        (STATEMENT, "axioms.sorry"),
        (STATEMENT.replace("sorry", "rfl"), "compile.failed"),
        (STATEMENT.replace("b + a := by sorry", "a + b := rfl"), "statement.type_differs"),
        ("axiom A.t (a b : Nat) : a + b = b + a\n", "statement.kind_differs"),
        ("theorem other : True := trivial\n", "statement.missing"),
    ],
)
def test_rejected(judge: Any, capsys: Any, submission: str, reason: str) -> None:
    assert judge(STATEMENT, submission, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["reason"], told["targets"]) == ("rejected", reason, ["A.t"])


def test_undecided(judge: Any, capsys: Any) -> None:
    assert judge(STATEMENT.replace("a + b =", "a + True ="), STATEMENT, "--json") == 3
    assert json.loads(capsys.readouterr().out)["reason"] == "statement.invalid"


def test_open_holes(judge: Any, capsys: Any) -> None:
    statement = "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := ⟨sorry, sorry⟩\n"
    partly = statement.replace("sorry", "hp", 1)
    assert judge(statement, partly) == 1
    assert judge(statement, partly, "--open-holes", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["reason"] == "accepted.open_holes"


def test_targets_by_name(judge: Any, capsys: Any) -> None:
    statement = "theorem a : True := sorry\ntheorem b : 1 = 2 := sorry\n"
    submission = statement.replace("sorry", "trivial", 1)
    assert judge(statement, submission) == 1
    assert judge(statement, submission, "--target", "a") == 0
    assert judge(statement, submission, "--target", "c") == 2
    assert "declares no c; it declares a, b" in capsys.readouterr().err


def test_a_problem_of_a_set(judge: Any, tmp_path: Path, capsys: Any) -> None:
    problems = tmp_path / "problems.jsonl"
    row = {"format": 1, "id": "one", "statement": "theorem t : 1 + 1 = 2 := by sorry", "targets": ["t"]}
    problems.write_text(json.dumps(row) + "\n")
    submission = tmp_path / "S.lean"
    submission.write_text("theorem t : 1 + 1 = 2 := by rfl\n")
    assert cli.run(["judge", f"{problems}:one", str(submission), "--sandbox", sandbox()]) == 0
    assert cli.run(["judge", f"{problems}:two", str(submission), "--sandbox", sandbox()]) == 2
    assert "holds no problem 'two'; it has one" in capsys.readouterr().err
    assert cli.run(["judge", str(problems), str(submission)]) == 2
    assert "say which with" in capsys.readouterr().err


def test_bad_input_is_one_line(judge: Any, tmp_path: Path, capsys: Any) -> None:
    assert judge(STATEMENT, None) == 2
    assert "Submission.lean does not exist" in capsys.readouterr().err
    assert judge("theorem t : True := trivial\n", STATEMENT) == 2
    assert "has no named declaration with a sorry" in capsys.readouterr().err
    assert judge("theorem t : True := sorry /- ", STATEMENT) == 2
    assert "does not end" in capsys.readouterr().err
    (tmp_path / "Submission.lean").write_bytes(b"\xff\xfe")
    assert judge(STATEMENT, None) == 2
    assert "is not UTF-8" in capsys.readouterr().err
    assert judge(STATEMENT, STATEMENT, "--certificate", str(tmp_path / "none" / "c.json")) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert judge(STATEMENT, STATEMENT, "--sandbox", "paper") == 2
    err = capsys.readouterr().err
    assert "no sandbox mode 'paper'" in err and err.count("\n") == 1


def test_no_command_file_takes_the_place_of_the_function_that_runs_commands(capsys: Any) -> None:
    for _ in range(2):
        assert cli.run(["--version"]) == 0
    assert callable(cli.run)
