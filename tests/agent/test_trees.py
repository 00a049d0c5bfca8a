"""A file with its imports as one text: in order, in sections of their own, line for line."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

from unsorry import UnsorryError
from unsorry.lean.process import run_lean
from unsorry.lean.source import parse
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.trees import Tree, without_proofs
from unsorry.scaffolds.agent.workspace import Workspace

FILES: dict[str, str | bytes] = {
    "A.lean": "-- the first\nnamespace P.Q\nopen Nat\nvariable (n : Nat)\nlocal notation \"mine\" => 7\n"
    "def a : Nat := mine\nsection X\nsection\nset_option maxRecDepth 100\n",
    "src/B/C.lean": b"\xef\xbb\xbf/- doc -/\r\nimport A\r\n\r\ntheorem b : P.Q.a = 7 :=\r\n  rfl\r\n"
    b"#exit\r\nthis is no Lean\r\n",
    "Main.lean": "import B.C\nimport A -- again\n\ntheorem m (n : Nat) : P.Q.a = 7 := by\n  exact b\ndef mine := 1\n",
    "L.lean": "import R\n", "R.lean": "import L\n", "latin.lean": b"caf\xe9", "Mod.lean": "module\n",
    "Cut.lean": "import Main\n/- never ends", "Far.lean": "import Elsewhere.Deep\nimport Main\n",
    ".hidden/x.lean": "", "Bad.lean": "import latin\n",
}  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    with Workspace.create(repository(tmp_path / "user", FILES), place=tmp_path / "place") as workspace:
        return Tree(workspace.git, workspace.base, ("", "src/"))


def test_imports_first_and_each_once(tree: Tree) -> None:
    assert tree.below("Main.lean") == ["A.lean", "src/B/C.lean", "Main.lean"]
    flat = tree.flat("Main.lean")
    assert flat.text.count("def a : Nat") == 1 and "import" not in flat.text.replace("-- again", "")
    assert "this is no Lean" not in flat.text and "\r" not in flat.text
    assert tree.flat("Far.lean").text.startswith("import Elsewhere.Deep\nsection\n")


def test_lean_takes_it_and_lines_lead_back(tree: Tree, embedded: Toolchain) -> None:
    """Scopes, options, notations and variables of a file end with it; an error is found where it stands."""
    flat = tree.flat("Main.lean")
    run = run_lean(embedded, flat.text)
    assert run.ok, run.messages
    for number, line in enumerate(flat.text.split("\n"), 1):
        file, at = flat.place(number)
        if file and line and not line.startswith(("section", "end")):
            assert tree.text(file).split("\n")[at - 1].strip() in (line.strip(), f"import A{line}"), (file, at, line)
    broken = tree.flat("Main.lean", replaced={"src/B/C.lean": tree.text("src/B/C.lean").replace("rfl", "nope")})
    assert {flat.place(error.line) for error in run_lean(embedded, broken.text).errors} == {("src/B/C.lean", 5)}


def test_without_proofs(tree: Tree, embedded: Toolchain) -> None:
    source = tree.source("Main.lean")
    bare = without_proofs(source, range(len(source.commands)))
    assert "exact b" not in bare.text and bare.text.count("\n") == source.text.count("\n")
    assert "def mine := 1" in bare.text and [c.name for c in bare.declarations] == ["m", "mine"]
    pattern = parse("theorem p : ∀ n : Nat, n = n\n  | 0 => rfl\n  | _ + 1 => rfl\n")
    assert without_proofs(pattern, [0]).text == "theorem p : ∀ n : Nat, n = n\n  := sorry\n\n"
    assert run_lean(embedded, tree.flat("Main.lean", bare=True).text).ok


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("L.lean", "imports itself"), ("latin.lean", "not UTF-8: byte 0xe9"), ("Bad.lean", "not UTF-8"),
        ("Mod.lean", "`module`"), ("Cut.lean", "Cut.lean: "), ("None.lean", "no Lean file"),
    ],
)  # fmt: skip
def test_what_cannot_be_put_together_is_one_line(tree: Tree, path: str, said: str) -> None:
    with pytest.raises(UnsorryError, match=said) as raised:
        tree.flat(path)
    assert "\n" not in str(raised.value)


def test_module_names_do_not_leave_the_project(tree: Tree) -> None:
    assert tree.path_of("«..».«..».etc.passwd") == "" and tree.path_of("") == ""
    assert tree.path_of("B.C") == "src/B/C.lean" and tree.path_of("«A»") == "A.lean"
