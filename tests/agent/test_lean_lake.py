"""A Lake project, as far as that goes without Lake: a toolchain laid out as elan's with the real Lean of the wheel, and
a `lake` that answers as Lake does.  Copies share the user's `.lake`; what is up to date is not compiled again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lean_world import TOWN, write

from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Unconfined, run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.project import LeanProject

NAME = "leanprover/lean4:v4.35.0"
LAKEFILE = """
name = "town"
[leanOptions]
autoImplicit = false
pp.unicode.fun = true
[[lean_lib]]
name = "Town"
srcDir = "src"
"""
LAKE = """#!/bin/sh
echo "$PWD: $*" >> "$(dirname "$0")/asked"
case "$1" in
  env) echo "{packages}:{compiled}" ;;
  build) exit $(cat "$(dirname "$0")/code") ;;
  setup-file) cat "$(dirname "$0")/setup" ;;
  *) exit 1 ;;
esac
"""


@dataclass
class World:
    home: Path
    programs: Path

    def asked(self) -> str:
        return (self.programs / "asked").read_text()

    def open(self, root: Path, cache: Path) -> LeanProject:
        return LeanProject(root, home=self.home, confinement=Unconfined(), cache=cache)


@pytest.fixture
def world(tmp_path: Path, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    elan = tmp_path / "elan"
    folder = elan / "toolchains" / "leanprover--lean4---v4.35.0"
    programs = folder / "bin"
    programs.mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "lib" / "lean").symlink_to(embedded.library[0])
    script = programs / "lean"
    script.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in embedded.lean) + ' "$@"\n')
    script.chmod(0o755)
    home = write(tmp_path / "home", {f"src/{name}": text for name, text in TOWN.items()})
    write(
        home, {"lakefile.toml": LAKEFILE, "lean-toolchain": NAME + "\n", "src/Far.lean": "import Dep\ndef far := dep\n"}
    )
    packages = home / ".lake" / "packages" / "dep" / ".lake" / "build" / "lib" / "lean"
    compiled = home / ".lake" / "build" / "lib" / "lean"
    for folder_ in (packages, compiled):
        folder_.mkdir(parents=True)
    made = run_lean(embedded, "def dep := 42\n", olean=True)
    assert made.olean
    (packages / "Dep.olean").write_bytes(made.olean)
    lake = programs / "lake"
    lake.write_text(LAKE.format(packages=packages, compiled=compiled))
    lake.chmod(0o755)
    (programs / "code").write_text("3")
    (programs / "setup").write_text("")
    monkeypatch.setenv("ELAN_HOME", str(elan))
    monkeypatch.delenv("UNSORRY_TOOLCHAIN", raising=False)
    yield World(home, programs)


def test_options_roots_and_packages_are_the_project_s(world: World, tmp_path: Path) -> None:
    opened = world.open(world.home, tmp_path / "cache")
    try:
        assert opened.toolchain.kind == "lake"
        assert opened.lake is not None
        assert opened.lake.options == {"autoImplicit": "false", "pp.unicode.fun": "true"}
        assert opened.check(Path("src/Town.lean")).clean
        assert opened.check(Path("src/Far.lean")).clean  # imports a package
        found = opened.check_text("theorem t (a : α) : a = a := rfl\n")
        assert found.answer == "errors"  # autoImplicit is off here
        goals = opened.goals(Path("src/Town/Base.lean"), 3, 37)
        assert goals.expected.endswith("⊢ twice 0 = 0")
    finally:
        opened.close()


def test_a_copy_needs_no_lake_folder_and_packages_are_not_copied(world: World, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(world.home, copy, ignore=shutil.ignore_patterns(".lake"))
    opened = world.open(copy, tmp_path / "cache")
    try:
        assert opened.check(Path("src/Far.lean")).clean
        assert not (copy / ".lake").exists()
        assert str(copy) not in world.asked()  # the lakefile of a copy is never evaluated
    finally:
        opened.close()


def test_what_lake_has_up_to_date_is_not_compiled_again(world: World, tmp_path: Path) -> None:
    first = world.open(world.home, tmp_path / "cache")
    try:
        assert first.check(Path("src/Town.lean")).clean
        assert first.builder.compiled == 2  # Lake says that its own files are out of date
        assert "build --no-build +Town.Street" in world.asked()
        for built in ("Town/Base", "Town/Street"):
            target = first.lake.compiled / f"{built}.olean" if first.lake else Path()
            target.parent.mkdir(parents=True, exist_ok=True)
            key = next(b for b in first.builder._known.values() if b.unit.module == built.replace("/", "."))
            assert key.folder is not None
            target.write_bytes((key.folder / "module.olean").read_bytes())
    finally:
        first.close()
    (world.programs / "code").write_text("0")
    copy = tmp_path / "copy"
    shutil.copytree(world.home, copy, ignore=shutil.ignore_patterns(".lake"))
    second = world.open(copy, tmp_path / "another cache")
    try:
        assert second.check(Path("src/Town.lean")).clean
        assert second.builder.compiled == 0
        write(copy, {"src/Town/Base.lean": TOWN["src/Town/Base.lean".removeprefix("src/")].replace("rfl", "by sorry")})
        edited = second.check(Path("src/Town.lean"))
        assert second.builder.compiled == 2  # the edited file, and what imports it
        assert edited.sorries == ("all",)
    finally:
        second.close()


def test_a_stale_compiled_file_of_a_removed_source_is_not_imported(world: World, tmp_path: Path) -> None:
    compiled = world.home / ".lake" / "build" / "lib" / "lean" / "Town"
    compiled.mkdir(parents=True)
    shutil.copy(world.home / ".lake/packages/dep/.lake/build/lib/lean/Dep.olean", compiled / "Gone.olean")
    opened = world.open(world.home, tmp_path / "cache")
    try:
        found = opened.check_text("import Town.Gone\nexample := dep\n")
        assert found.answer == "errors"
        assert "imports Town.Gone, which is neither" in found.text
    finally:
        opened.close()


def test_a_lakefile_in_lean_is_asked_for_its_options(world: World, tmp_path: Path) -> None:
    (world.home / "lakefile.toml").unlink()
    write(world.home, {"lakefile.lean": 'package town where\n  srcDir := "src"\n'})
    (world.programs / "setup").write_text(json.dumps({"name": "Town", "options": {"autoImplicit": False}}) + "\n")
    told = world.open(world.home, tmp_path / "cache")
    try:
        assert told.lake is not None
        assert (dict(told.lake.options), told.lake.note) == ({"autoImplicit": "false"}, "")
        assert told.modules.module_of(told.root / "src/Town/Base.lean") == "Town.Base"
    finally:
        told.close()
    (world.programs / "setup").write_text("no JSON\n")
    silent = world.open(world.home, tmp_path / "cache")
    try:
        assert silent.lake is not None
        assert "not known and not applied" in silent.lake.note
        assert "options of lakefile.lean are not known" in silent.check(Path("src/Town.lean")).text
    finally:
        silent.close()


def test_the_toolchain_is_the_project_s_own(world: World) -> None:
    assert toolchains.find(world.home).kind == "lake"
