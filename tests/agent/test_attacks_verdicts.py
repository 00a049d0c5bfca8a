"""A model that may change every file of the project cannot have a false statement reported as proved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import repository, write

from unsorry.judge import StrictJudge
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.patch import make_patch
from unsorry.scaffolds.agent.report import Report, review
from unsorry.scaffolds.agent.trees import Tree
from unsorry.scaffolds.agent.workspace import Workspace

BASE = "def double (n : Nat) : Nat := n + n\n"
STATED = "import Lib.Base\n\nnamespace Main\ntheorem bad (n : Nat) : double n = n := by\n  sorry\nend Main\n"
FILES = {"Lib/Base.lean": BASE, "Lib/Main.lean": STATED, "lakefile.toml": 'name = "lib"\n[[lean_lib]]\nname = "Lib"\n'}


def proved(by: str, before: str = "") -> str:
    return STATED.replace("namespace Main\n", f"{before}namespace Main\n").replace("by\n  sorry", by)


ATTACKS: dict[str, dict[str, str]] = {
    "the definition": {"Lib/Base.lean": "def double (n : Nat) : Nat := n\n", "Lib/Main.lean": proved("rfl")},
    "what a sign means": {
        "Lib/Base.lean": BASE + "macro_rules | `($_ = $_) => `(True)\n", "Lib/Main.lean": proved("trivial"),
    },
    "the instance below": {
        "Lib/Base.lean": "instance (priority := high) first : HAdd Nat Nat Nat := ⟨fun a _ => a⟩\n" + BASE,
        "Lib/Main.lean": proved("rfl"),
    },
    "a nearer name": {
        "Lib/Base.lean": BASE + "def Main.double (n : Nat) : Nat := n\n", "Lib/Main.lean": proved("rfl"),
    },
    "a hypothesis around it": {
        "Lib/Main.lean": proved("h.elim", "variable (h : False)\ninclude h\n"),
    },
    "an axiom in a new file": {
        "Lib/Extra.lean": "axiom wish : False\n",
        "Lib/Main.lean": "import Lib.Extra\n" + proved("wish.elim"),
    },
    "a module of the library": {
        "Init.lean": "axiom wish : False\n", "Init/Core.lean": "axiom wish : False\n",
        "Lib/Main.lean": "import Init.Core\n" + proved("wish.elim"),
    },
    "another root": {
        "lakefile.toml": 'name = "lib"\n[[lean_lib]]\nname = "Lib"\nsrcDir = "evil"\n',
        "evil/Lib/Base.lean": "def double (n : Nat) : Nat := n\n",
        "Lib/Main.lean": proved("rfl"),
    },
    "another theorem of the name": {
        "Lib/Base.lean": BASE + "theorem Main.bad (n : Nat) : double n = double n := rfl\n",
        "Lib/Main.lean": "import Lib.Base\n\n/-- \nnamespace Main\ntheorem bad (n : Nat) : double n = n := rfl\n-/\n"
        "example : 1 = 1 := rfl\n",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def judge(embedded: Toolchain) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, Unconfined(), workers=1) as judge:
        yield judge


def reviewed(tmp_path: Path, judge: StrictJudge, files: dict[str, str]) -> Report:
    user = repository(tmp_path / "user", FILES)
    with Workspace.create(user, place=tmp_path / "place") as workspace:
        write(workspace.files, files)
        return review(workspace, make_patch(workspace), judge, task=("Lib/Main.lean",))


REASONS = {
    "the definition": "statement.definition_differs", "the instance below": "statement.definition_differs",
    "what a sign means": "statement.type_differs", "a nearer name": "statement.type_differs",
    "a hypothesis around it": "statement.type_differs", "another theorem of the name": "statement.type_differs",
    "an axiom in a new file": "axioms.illegal", "a module of the library": "axioms.illegal",
    "another root": "compile.failed",
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_change_of_any_file_makes_it_proved(tmp_path: Path, judge: StrictJudge, attack: str) -> None:
    report = reviewed(tmp_path, judge, ATTACKS[attack])
    (verdict,) = [d for d in report.declarations if d.name == "Main.bad"]
    assert (verdict.word, verdict.reason) == ("failed", REASONS[attack])
    assert report.reading  # and a person is told where to look


def test_an_import_in_a_comment_is_none(tmp_path: Path) -> None:
    """Or what is not imported would be judged as if it were, and the patch would not build."""
    main = "import Lib.Base\n/-\nimport Lib.Extra\n-/\ntheorem t : 1 = 1 := helper\n"
    user = repository(tmp_path / "user", {**FILES, "Lib/Extra.lean": "theorem helper : 1 = 1 := rfl\n", "M.lean": main})
    with Workspace.create(user, place=tmp_path / "place") as workspace:
        tree = Tree(workspace.git, workspace.base)
        assert "helper : 1 = 1" not in tree.flat("M.lean").text
        assert tree.below("M.lean") == ["Lib/Base.lean", "M.lean"]
