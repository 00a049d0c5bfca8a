"""`unsorry redteam` as it is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unsorry.cli import run
from unsorry.redteam import home


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three cases of the checkout, elsewhere."""
    folder = tmp_path / "corpus"
    for name in ("honest/calc", "hostile/v01-sorry-term", "hostile/v14-axiom-plain"):
        (folder / name).mkdir(parents=True)
        for file in (home() / name).iterdir():
            (folder / name / file.name).write_bytes(file.read_bytes())
    return folder


@pytest.fixture(autouse=True)
def on_the_embedded_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", "embedded")


def objects(text: str) -> Any:
    [line] = text.splitlines()
    return json.loads(line)


def test_one_object_with_the_score(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["redteam", "--corpus", str(corpus), "--json", "-w", "1"]) == 0
    made = objects(capsys.readouterr().out)
    assert made.pop("seconds") > 0
    assert made == {
        "hostile": 2, "honest": 1, "false_accepts": 0, "false_rejects": 0, "undecided": 0,
        "wrong_verdicts": 0, "wrong_reasons": 0, "escapes": 0, "faults": [],
    }  # fmt: skip


def test_a_fooled_judge_is_exit_code_1(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judges = ["-j", "lean-exit-code", "-j", "strict", "-j", "leanchecker"]
    assert run(["redteam", *judges, "--corpus", str(corpus), "--json", "-w", "1"]) == 1
    made = objects(capsys.readouterr().out)
    assert list(made) == ["lean-exit-code", "strict", "leanchecker"]
    assert made["lean-exit-code"]["false_accepts"] == 2 and made["strict"]["false_accepts"] == 0
    assert made["leanchecker"]["present"] is False


def test_the_table(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["redteam", "-j", "lean-messages", "-j", "safeverify", "--corpus", str(corpus), "-w", "1"]) == 1
    said = capsys.readouterr().out
    assert "lean-messages" in said and "not present" in said


def test_a_judge_that_is_not_there_could_not_run(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["redteam", "-j", "comparator", "--corpus", str(corpus), "--json"]) == 2
    assert objects(capsys.readouterr().out)["present"] is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-j", "strikt"], "no judge 'strikt'"),
        (["--corpus", "/nonexistent"], "is no folder"),
        (["--sample", "0"], ""),
    ],
)
def test_what_cannot_run(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["redteam", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_damaged_case_is_one_line(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "honest/calc/case.toml").write_text("format = 1\nkind = ")
    assert run(["redteam", "--corpus", str(corpus)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "case.toml is not TOML" in line


def test_cases_that_need_another_library_are_not_run(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in corpus.rglob("case.toml"):
        file.write_text(file.read_text().replace('needs = "core"', 'needs = "mathlib"'))
    assert run(["redteam", "--corpus", str(corpus), "--json"]) == 2
    assert "all need a library" in capsys.readouterr().err
