"""Which Lean is found: folders laid out as elan and Lake lay theirs out, with the embedded lean as their binary."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.lean import official
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain, find

PROOF = "theorem t : 1 + 1 = 2 := rfl\n"


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def install(home: Path, embedded: Toolchain) -> Path:
    """A toolchain folder: bin/lean, bin/lake, lib/lean."""
    lean = " ".join(f"'{a}'" for a in embedded.lean)
    script(
        home / "bin" / "lean",
        f'#!/bin/sh\nif [ "$1" = --print-prefix ]; then echo \'{home}\'; exit 0; fi\nexec {lean} "$@"\n',
    )
    # `lake env printenv LEAN_PATH` in the project's folder, as Lake answers it: packages first, then the build folder
    script(
        home / "bin" / "lake",
        "#!/bin/sh\n"
        '[ "$1" = env ] || exit 2\n'
        'LEAN_PATH="$PWD/.lake/packages/dep/.lake/build/lib/lean:$PWD/.lake/build/lib/lean"\n'
        'export LEAN_PATH; shift; exec "$@"\n',
    )
    (home / "lib").mkdir()
    (home / "lib" / "lean").symlink_to(embedded.library[0])
    return home


@pytest.fixture
def elan(tmp_path: Path, embedded: Toolchain, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An elan home with one toolchain, and a `lean` proxy of elan's on PATH."""
    home = tmp_path / "elan"
    chain = install(home / "toolchains" / "leanprover--lean4---v4.35.0", embedded)
    script(home / "bin" / "lean", f"#!/bin/sh\nexec '{chain}/bin/lean' \"$@\"\n")
    monkeypatch.setenv("ELAN_HOME", str(home))
    monkeypatch.delenv("UNSORRY_TOOLCHAIN", raising=False)
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "Foo").mkdir(parents=True)
    (root / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    return root


def test_the_projects_own_is_found_from_a_folder_below(elan: Path, project: Path) -> None:
    found = find(project / "Foo")
    assert (found.kind, found.version) == ("elan", "4.35.0")
    assert found.lean == (str(elan / "toolchains" / "leanprover--lean4---v4.35.0" / "bin" / "lean"),)
    assert run_lean(found, PROOF).ok


def test_a_lakefile_adds_the_search_path_of_lake_env(elan: Path, project: Path, embedded: Toolchain) -> None:
    (project / "lakefile.toml").write_text('name = "demo"\n')
    built = run_lean(embedded, "def answer := 42\n", olean=True).olean
    assert built
    for folder, name in (("packages/dep/.lake/build/lib/lean", "Dep"), ("build/lib/lean", "Demo")):
        target = project / ".lake" / folder
        target.mkdir(parents=True)
        (target / f"{name}.olean").write_bytes(
            built if name == "Demo" else run_lean(embedded, "def dep := 1\n", olean=True).olean or b""
        )
    found = find(project)
    assert found.kind == "lake"
    assert [p.parts[-1] for p in found.library] == ["lean", "lean", "lean"] and len(found.library) == 3
    assert run_lean(found, "import Dep\nimport Demo\nexample : answer = dep + 41 := rfl\n").ok


def test_a_toolchain_that_is_not_installed_is_named_with_the_command(elan: Path, project: Path) -> None:
    (project / "lean-toolchain").write_text("leanprover/lean4:v4.9.0\n")
    with pytest.raises(UnsorryError, match=r"elan toolchain install leanprover/lean4:v4\.9\.0"):
        find(project)


def test_the_override_wins(elan: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "lean-toolchain").write_text("leanprover/lean4:v4.9.0\n")
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", "embedded")
    assert find(project).kind == "embedded"
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", str(elan / "toolchains" / "leanprover--lean4---v4.35.0"))
    assert find(project).kind == "path"


def test_lean_on_path_is_asked_where_it_lives(elan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{elan / 'bin'}:{os.environ['PATH']}")
    (tmp_path / "plain").mkdir()
    found = find(tmp_path / "plain")
    assert found.kind == "path" and "toolchains" in found.lean[0]
    assert run_lean(found, PROOF).ok


def test_without_any_other_the_embedded_one_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("UNSORRY_TOOLCHAIN", raising=False)
    assert find(tmp_path).kind == "embedded"


@pytest.mark.parametrize(("content", "says"), [("", "one line"), ("a\nb\n", "one line"), (b"\xff\xfe", "cannot read")])
def test_a_damaged_toolchain_file(project: Path, content: str | bytes, says: str) -> None:
    (project / "lean-toolchain").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnsorryError, match=says):
        find(project)


def test_a_failing_lake_is_one_line(elan: Path, project: Path) -> None:
    (project / "lakefile.lean").write_text("import Lake")
    script(
        elan / "toolchains" / "leanprover--lean4---v4.35.0" / "bin" / "lake",
        "#!/bin/sh\necho 'error: no such package' >&2\nexit 1\n",
    )
    with pytest.raises(UnsorryError, match=r"no such package; run `lake build`"):
        find(project)


def test_a_folder_that_is_no_toolchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSORRY_TOOLCHAIN", str(tmp_path))
    with pytest.raises(UnsorryError, match="bin/lean"):
        find(tmp_path)


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("leanprover/lean4:v4.9.0", "leanprover--lean4---v4.9.0"),
        ("v4.9.0", "leanprover--lean4---v4.9.0"),
        ("4.9.0", "leanprover--lean4---v4.9.0"),
        ("lean4:nightly-2026-01-01", "leanprover--lean4---nightly-2026-01-01"),
        ("leanprover/lean4-nightly:nightly-2026-01-01", "leanprover--lean4-nightly---nightly-2026-01-01"),
    ],
)
def test_elans_folder_names(name: str, folder: str) -> None:
    assert official.elan_folder(name) == folder


@pytest.mark.parametrize(
    ("version", "unsound"),
    [("4.9.0", True), ("4.34.0", True), ("4.34.1", False), ("4.35.0", False), ("4.35.0-rc3", False), ("5.0.0", False)],
)
def test_old_kernels_are_marked(version: str, unsound: bool) -> None:
    assert Toolchain("path", ("lean",), version, ()).kernel_known_unsound is unsound


def test_the_interpreter_is_not_the_environments_link(embedded: Toolchain) -> None:
    assert Path(embedded.lean[0]) == Path(os.path.realpath(sys.executable))
