"""Trees of strangers are elaborated in the sandbox, for a time; what they would do is not done."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_history import History

from unsorry.judge import sandbox
from unsorry.lean.process import Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment, history
from unsorry.repos.build import Building, build
from unsorry.repos.elaborated import CannotBuild, Compiler
from unsorry.repos.objects import Repository
from unsorry.repos.pull import Options
from unsorry.repos.tasks import Folder

ENDLESS = "partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0\ntheorem never : True := trivial\n"


@pytest.fixture
def town(tmp_path: Path) -> History:
    h = History(tmp_path / "town")
    h.commit("Begin", {"Town/A.lean": "def a : Nat := 1\n"})
    return h


def test_a_build_in_the_strict_sandbox(town: History, embedded: Toolchain, tmp_path: Path) -> None:
    facts = sandbox.probe()
    if not facts.strict:
        pytest.skip(f"no strict sandbox here: {facts.missing or facts.given_up}")
    town.commit("feat: b (#1)", {"Town/B.lean": "import Town.A\n\ntheorem b : a = 1 := by\n  rfl\n"})
    building = Building(sandbox.choose("strict"), embedded, cache=tmp_path / "cache")
    summary = build(town.folder, tmp_path / "out", Options(), building=building)
    (task,) = Folder(tmp_path / "out").tasks()
    assert (summary.built, task.facts, [o.name for o in task.obligations]) == (1, "built", ["b"])


def compiled(h: History, embedded: Toolchain, paths: list[str], cache: Path, limits: Limits | None = None) -> None:
    compiler = Compiler(Unconfined(), cache=cache, limits=limits or Limits(wall=600, cpu=600))
    with Repository(h.folder) as repository:
        tree = history.read(repository, repository.resolve("HEAD")).tree
        compiler.compile(repository, tree, "", paths, environment.read(repository, tree, ""), embedded)


def test_a_file_that_never_ends(town: History, embedded: Toolchain, tmp_path: Path) -> None:
    town.commit("feat: never (#1)", {"Town/Never.lean": ENDLESS})
    with pytest.raises(CannotBuild, match="did not finish"):
        compiled(town, embedded, ["Town/Never.lean"], tmp_path / "cache", Limits(wall=5, cpu=600))


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"A.lean": "import B\n", "B.lean": "import A\n"}, "imports itself"),
        ({"A.lean": "import Mathlib.Topology\n"}, "A.lean:1 imports Mathlib.Topology, which is neither"),
        ({"A.lean": "import «..».«..».etc.passwd\n"}, "which is neither"),
        ({"A.lean": "theorem a : 1 = 2 := rfl\n"}, "A does not compile: line 1"),
        ({"A.lean": b"-- \xff\n"}, "not UTF-8"),
    ],
)
def test_what_cannot_be_built(
    town: History, embedded: Toolchain, tmp_path: Path, files: dict[str, str | bytes], says: str
) -> None:
    town.commit("feat: odd (#1)", files)
    with pytest.raises(CannotBuild, match=says) as told:
        compiled(town, embedded, ["A.lean"], tmp_path / "cache")
    assert "\n" not in str(told.value)


def test_where_modules_are(town: History, embedded: Toolchain, tmp_path: Path) -> None:
    town.commit("the project", {
        "lean/lakefile.toml": 'name = "x"\n[[lean_lib]]\nname = "X"\nsrcDir = "source"\n',
        "lean/source/X/Y.lean": "def y : Nat := 2\n",
    })  # fmt: skip
    town.commit("feat: x (#1)", {"lean/source/X.lean": "import X.Y\n\ntheorem x : y = 2 := rfl\n"})
    summary = build(
        town.folder, tmp_path / "out", Options(), building=Building(Unconfined(), embedded, cache=tmp_path / "cache")
    )
    (task,) = Folder(tmp_path / "out").tasks()
    assert (task.base.project, task.facts, task.obligations[0].file) == ("lean", "built", "lean/source/X.lean")
    assert summary.bench.project == "lean"
