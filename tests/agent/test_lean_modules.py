"""Modules of a project: names, order, circles, what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from lean_world import TOWN, write

from unsorry import UnsorryError
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.modules import ImportFault, Modules, read_header


def modules(root: Path, embedded: Toolchain, roots: tuple[str, ...] = (".",)) -> Modules:
    return Modules(root, roots, embedded.library)


def below(found: Modules, text: str, above: str = "") -> list[str]:
    return [unit.module for unit in found.order(read_header(text).imports, "Test.lean", above)]


def test_imports_come_before_what_imports_them(tmp_path: Path, embedded: Toolchain) -> None:
    found = modules(write(tmp_path, TOWN), embedded)
    assert below(found, "import Town\n") == ["Town.Base", "Town.Street", "Town"]
    assert below(found, "import Town.Street\nimport Town.Base\nimport Init\n") == ["Town.Base", "Town.Street"]


def test_a_diamond_is_read_once(tmp_path: Path, embedded: Toolchain) -> None:
    files = {"A.lean": "", "B.lean": "import A\n", "C.lean": "import A\n", "D.lean": "import B\nimport C\n"}
    assert below(modules(write(tmp_path, files), embedded), "import D\n") == ["A", "B", "C", "D"]


@pytest.mark.parametrize(("above", "circle"), [("", "A -> B -> C -> A"), ("C", "C -> A -> B -> C")])
def test_a_circle_is_named_in_one_line(tmp_path: Path, embedded: Toolchain, above: str, circle: str) -> None:
    files = {"A.lean": "import B\n", "B.lean": "\nimport C\n", "C.lean": "import A\n"}
    with pytest.raises(ImportFault) as fault:
        below(modules(write(tmp_path, files), embedded), "import A\n", above)
    assert str(fault.value).endswith(f"the imports go round in a circle: {circle}")
    assert "\n" not in str(fault.value)


def test_a_file_that_imports_itself_is_a_circle(tmp_path: Path, embedded: Toolchain) -> None:
    with pytest.raises(ImportFault, match=r"circle: A -> A"):
        below(modules(write(tmp_path, {"A.lean": "import A\n"}), embedded), "import A\n", "A")


def test_a_missing_import_is_named_with_file_and_line(tmp_path: Path, embedded: Toolchain) -> None:
    files = {"A.lean": "-- a comment\nimport Init\nimport Nowhere.Else\n"}
    with pytest.raises(ImportFault) as fault:
        below(modules(write(tmp_path, files), embedded, ("src", ".")), "import A\n")
    expected = "A.lean:3: imports Nowhere.Else, which is neither a file of the project (no Nowhere/Else.lean"
    assert str(fault.value).startswith(expected)
    assert "src/Nowhere/Else.lean" in str(fault.value)


def test_a_long_chain_of_imports_does_not_end_in_recursion(tmp_path: Path, embedded: Toolchain) -> None:
    files = {f"M{i}.lean": f"import M{i + 1}\n" for i in range(1100)} | {"M1100.lean": ""}
    assert len(below(modules(write(tmp_path, files), embedded), "import M0\n")) == 1101


def test_roots_and_names(tmp_path: Path, embedded: Toolchain) -> None:
    files = {"src/A/B.lean": "", "Über/fa'l.lean": "", "odd/a-b.lean": "", ".lake/packages/x/X.lean": ""}
    found = modules(write(tmp_path, files), embedded, ("src", "."))
    assert found.module_of(found.root / "src/A/B.lean") == "A.B"
    assert found.path_of("A.B") == found.root / "src/A/B.lean"
    assert found.path_of("Über.fa'l") == found.root / "Über/fa'l.lean"
    assert found.module_of(found.root / "odd/a-b.lean") == "odd.«a-b»"
    assert set(found.everything()) == {"A.B", "Über.fa'l", "odd.«a-b»"}


@pytest.mark.parametrize("name", ["..Secret", "A..B", "«../Secret»", "«/etc/hosts»", ""])
def test_a_module_name_does_not_lead_out_of_the_project(tmp_path: Path, embedded: Toolchain, name: str) -> None:
    write(tmp_path, {"Secret.lean": "", "inside/A.lean": ""})
    assert modules(tmp_path / "inside", embedded).path_of(name) is None


def test_a_link_out_of_the_project_is_no_file_of_it(tmp_path: Path, embedded: Toolchain) -> None:
    write(tmp_path, {"Secret.lean": "", "inside/A.lean": ""})
    (tmp_path / "inside" / "Link.lean").symlink_to(tmp_path / "Secret.lean")
    assert modules(tmp_path / "inside", embedded).path_of("Link") is None


def test_headers() -> None:
    assert read_header("/- c -/ import A -- d\n\nimport «b c».D\ndef x := 1").imports == (("A", 1), ("«b c».D", 3))
    broken = read_header("import A\n/- no end\nimport B")
    assert not broken.plain
    assert ("A", 1) in broken.imports
    assert read_header("import A").plain is False  # nothing behind it: no snapshot
    assert read_header("def x := 1").plain
    assert not read_header("module\nimport A\n").plain


def test_a_file_that_is_no_text_is_named(tmp_path: Path, embedded: Toolchain) -> None:
    (tmp_path / "A.lean").write_bytes(b"import Init\n\xff\xfe")
    with pytest.raises(UnsorryError, match=r"A\.lean is not UTF-8"):
        below(modules(tmp_path, embedded), "import A\n")
