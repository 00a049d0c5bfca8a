"""`unsorry run` and `unsorry table` as a person calls them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from unsorry.cli import run as unsorry

sys.path.insert(0, str(Path(__file__).parents[1] / "pipeline"))

import tiny_stages

RECIPE = """
format = 1
name = "cli"
seed = 5
[[stage]]
kind = "t-numbers"
name = "n"
[[stage]]
kind = "t-grow"
name = "a"
numbers = "n"
"""


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("unsorry.pipeline.runner.code_digest", lambda: tiny_stages.CODE)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.toml").write_text(RECIPE)
    return "recipe.toml"


def test_a_run_ends_with_the_table(recipe: str, capfd) -> None:
    assert unsorry(["run", recipe]) == 0
    said = capfd.readouterr()
    assert "sum 6" in said.out and "a: Done" in said.err
    assert Path("runs/cli-5/ledger.json").is_file()
    assert unsorry(["run", recipe, "--seed", "6", "--set", "stage.a.by=2", "--json"]) == 0
    made = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert (made["run"], made["seed"], made["failed"]) == ("runs/cli-6", 6, "")
    assert made["stages"][1]["ours"] == "sum 9"


def test_the_table_in_every_format(recipe: str, capfd) -> None:
    assert unsorry(["run", recipe, "--out", "here"]) == 0
    capfd.readouterr()
    assert unsorry(["table", "here", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert made["rows"][0][2] == "3 numbers"
    assert unsorry(["table", "here/ledger.json", "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out) == made
    assert unsorry(["table", "here", "-f", "markdown"]) == 0
    assert capfd.readouterr().out.startswith("| Stage | Leanstral 1.5 (reported) | This run: cli, seed 5 |")
    assert unsorry(["table", "here"]) == 0
    assert "3 numbers" in capfd.readouterr().out
    assert unsorry(["table", "nowhere"]) == 2
    assert "name the folder of a run" in capfd.readouterr().err


def test_a_failed_gate_is_exit_code_1(recipe: str, capfd) -> None:
    assert unsorry(["run", recipe, "--set", "stage.a.gate=100"]) == 1
    said = capfd.readouterr()
    assert "the gate of a failed: sum 6 < 100" in said.err and "Failed gate" in said.out


def test_faults_are_one_line_and_exit_code_2(recipe: str, capfd) -> None:
    for arguments, wanted in (
        (["--set", "stage.a.bz=2"], "[[stage]] a: unknown key `bz`"),
        (["--only", "b"], "no stage 'b'"),
        (["--keep", "--redo"], "exclude each other"),
        (["--set", 'stage.a.fault="error"'], "stage a: the endpoint does not answer"),
    ):
        assert unsorry(["run", recipe, *arguments]) == 2
        said = [line for line in capfd.readouterr().err.splitlines() if line.startswith("unsorry:")]
        assert len(said) == 1 and wanted in said[0]


def test_an_interruption_is_exit_code_130(recipe: str, capfd, monkeypatch) -> None:
    def interrupted(self: object, context: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tiny_stages.Grow, "run", interrupted)
        assert unsorry(["run", recipe]) == 130
    assert "stage a was interrupted; the same command goes on from there" in capfd.readouterr().err
    assert unsorry(["run", recipe]) == 0


def test_a_plan_runs_nothing(recipe: str, capfd, tmp_path: Path) -> None:
    assert unsorry(["run", recipe, "--plan"]) == 0
    assert "total:" in capfd.readouterr().out
    assert unsorry(["run", recipe, "--plan", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert [stage["name"] for stage in made["stages"]] == ["n", "a"]
    assert [p.name for p in tmp_path.iterdir()] == ["recipe.toml"]


def test_the_table_needs_the_base_install_only(recipe: str, tmp_path: Path) -> None:
    assert unsorry(["run", recipe, "--out", "here"]) == 0
    code = """
import sys
class No:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "transformers", "numpy", "peft", "scipy", "datasketch", "httpx"}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, No())
from unsorry.cli import run
assert run(["table", "here", "--json"]) == 0
assert run(["run", "recipe.toml"]) == 2
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0][2] == "3 numbers"
    assert done.stderr.endswith("is not installed: pip install 'unsorry[train]'\n") and done.stderr.count("\n") == 1
