"""Tasks of a project with a package: a library of ours, compiled where Lake would have put it, shared by attempts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench_world import World, git, write

from unsorry import UnsorryError, cli
from unsorry.evaluation import attempts as store
from unsorry.judge.sandbox import choose
from unsorry.lean.process import environment as lean_environment
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment, packages, scoring
from unsorry.repos.build import Building, build
from unsorry.repos.cases import Cases
from unsorry.repos.objects import Repository
from unsorry.repos.pull import Options
from unsorry.repos.score import Scorer
from unsorry.repos.sources import open_source
from unsorry.repos.tasks import Folder
from unsorry.scaffolds.agent.config import VARIABLE

COMMIT = "5" * 40
GROVE = """namespace Grove

inductive Tree where
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror

@[simp] theorem Tree.mirror_leaf : Tree.leaf.mirror = .leaf := rfl

@[simp] theorem Tree.mirror_node (l r : Tree) (x : Nat) :
    (Tree.node l x r).mirror = .node r.mirror x l.mirror := rfl

end Grove
"""
USE = """import Grove.Basic

namespace Garden

open Grove

def turned (t : Tree) : Tree := t.mirror

end Garden
"""
PROOF = """theorem turned_turned (t : Tree) : turned (turned t) = t := by
  induction t with
  | leaf => rfl
  | node l x r hl hr => simp only [turned, Tree.mirror_node] at *; rw [hl, hr]
"""
FILE = "Garden/A file.lean"
MANIFEST = json.dumps({
    "version": "1.1.0", "packagesDir": ".lake/packages", "name": "garden",
    "packages": [{"type": "git", "name": "grove", "rev": COMMIT, "inherited": False}],
})  # fmt: skip
BASE = {
    FILE: USE, "Garden.lean": "import Garden.«A file»\n", "lake-manifest.json": MANIFEST,
    "lakefile.toml": 'name = "garden"\n\n[[require]]\nname = "grove"\n\n[[lean_lib]]\nname = "Garden"\n',
}  # fmt: skip
SUBMIT = {"calls": [{"name": "submit", "arguments": {"summary": "That is all."}}]}


def compiled(lean: Toolchain, package: Path, files: Mapping[str, str]) -> None:
    """Puts compiled files where Lake would have put them."""
    target = package / ".lake" / "build" / "lib" / "lean"
    write(package, files)
    for name in files:
        olean = (target / name).with_suffix(".olean")
        olean.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [*lean.lean, *lean.options, "-o", str(olean), name],
            cwd=package, env=lean_environment(lean, [target]), check=True, capture_output=True,
        )  # fmt: skip


class Garden(World):
    """A repository that needs the package, its benchmark, and the folder with what is compiled of it."""

    environments: Path
    files_: environment.Files

    @property
    def package(self) -> Path:
        return packages.folder(self.environments, self.files_) / "grove"


@pytest.fixture(scope="module")
def garden(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    folder = tmp_path_factory.mktemp("garden")
    repository = folder / "repository"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main", ".")
    proved = USE.replace("\nend Garden", f"\n{PROOF}\nend Garden")
    for subject, texts in (("Garden", BASE), ("Turned twice (#1)", {FILE: proved})):
        write(repository, texts)
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "-m", subject)
    with Repository(repository) as opened:
        tree = opened.resolve("HEAD")
        files = environment.read(opened, git(repository, "rev-parse", f"{tree}^{{tree}}").decode().strip(), "")
    environments = folder / "environments"
    packages.prepare(environments, files)
    compiled(embedded, packages.folder(environments, files) / "grove", {"Grove/Basic.lean": GROVE})
    bench = folder / "bench"
    strict = choose("strict")
    summary = build(repository, bench, Options(("prove",)), building=Building(strict, environments=environments))
    assert (summary.bench.tasks, summary.built) == (1, 1)  # elaborated: the package is in reach
    cases = Cases(Folder(bench), folder / "objects")
    case = cases.case(Folder(bench).ids()[0])
    toolchain, why = scoring.toolchain_of(open_source(bench, folder / "objects"), case, environments)
    assert toolchain is not None, why
    made = Garden(repository, bench, cases, Scorer(cases.trees, toolchain, strict))
    made.environments, made.files_ = environments, files
    with made.scorer:
        yield made


@pytest.fixture
def no_provers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "agent.toml"
    settings.write_text("[provers]\nnames = []\n")
    monkeypatch.setenv(VARIABLE, str(settings))


def bench(*arguments: str) -> int:
    return cli.run(["bench", *arguments])


def last(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    said = capsys.readouterr()
    found: dict[str, Any] = json.loads(said.out.splitlines()[-1])
    return found, said.err


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        facts = path.stat()
        found[str(path)] = facts.st_mtime_ns, facts.st_ino, path.read_bytes()
    return found


def test_from_preflight_to_score_and_nothing_is_written_into_the_packages(
    garden: Garden, tmp_path: Path, capsys: pytest.CaptureFixture[str], no_provers: None
) -> None:
    """Two samples: an honest one, and one that goes for the shared package by every tool that it has."""
    before, where = state(garden.environments), ("--environments", str(garden.environments))
    assert bench("preflight", str(garden.bench), "-w", "1", "--json", *where) == 0
    found, said = last(capsys)
    assert (found["fit"], found["environment_missing"]) == (1, []), said
    id = garden.id(1)
    stub = garden.files(id)[FILE]
    old = stub[stub.index("theorem turned_turned") : stub.index("sorry") + 5]
    edit = {"calls": [{"name": "edit_file", "arguments": {"path": FILE, "old": old, "new": PROOF.rstrip()}}]}
    olean = ".lake/packages/grove/.lake/build/lib/lean/Grove/Basic.olean"
    real = garden.package / ".lake" / "build" / "lib" / "lean" / "Grove" / "Basic.olean"
    script = f"cat {olean} > /dev/null && echo readable; echo x > {olean}; rm -f {olean}; chmod 777 {real}; " \
             f"echo x > {real}; echo x > {garden.package}/new; mv {garden.package} {garden.package}.old; " \
             f"lean --stdin <<< 'import Grove.Basic #check Grove.Tree.mirror_leaf'"  # fmt: skip
    attack = [{"calls": [{"name": "bash", "arguments": {"command": script}}]},
              {"calls": [{"name": "write_file", "arguments": {"path": olean, "content": "x"}}]},
              {"calls": [{"name": "create_file", "arguments": {"path": ".lake/packages/grove/N.lean", "content": ""}}]},
              {"calls": [{"name": "read_file", "arguments": {"path": ".lake/packages/grove/Grove/Basic.lean"}}]},
              {"calls": [{"name": "bash", "arguments": {"command": "rm .lake/packages; mkdir -p "
                                                        f"{Path(olean).parent}; echo x > {olean}"}}]}]  # fmt: skip
    (tmp_path / "s1.json").write_text(json.dumps([edit, SUBMIT, SUBMIT]))
    (tmp_path / "s2.json").write_text(json.dumps([*attack, edit, SUBMIT, SUBMIT]))
    out = str(tmp_path / "run")
    model = f"scripted:{tmp_path}/s{{sample}}.json"
    assert bench("run", str(garden.bench), "-o", out, "-k", "2", "-w", "1", "--allow", "--model", model, "--json",
                 *where) == 0  # fmt: skip
    assert last(capsys)[0]["environment_missing"] == []
    steps = (tmp_path / "run" / "attempts" / id / "2" / "task" / "1" / "trajectory.jsonl").read_text()
    assert "readable" in steps and "Grove.Tree.mirror_leaf : " in steps  # bash's Lean has the package
    assert "inductive Tree where" in steps  # its source is read
    assert "it is only read" in steps
    assert state(garden.environments) == before
    assert bench("score", out, "-w", "1", "--json") == 0  # the run knows its environments
    assert last(capsys)[0]["ends"] == {"solved": 2}
    assert state(garden.environments) == before


def test_without_the_environment_nothing_is_said_of_a_task(
    garden: Garden, tmp_path: Path, capsys: pytest.CaptureFixture[str], no_provers: None
) -> None:
    key = garden.files_.environment.key
    bare = tmp_path / "bench"
    subprocess.run(["cp", "-r", str(garden.bench), str(bare)], check=True)
    (bare / "preflight.jsonl").unlink(missing_ok=True)
    assert bench("preflight", str(bare), "--json") == 1
    found, said = last(capsys)
    assert found["tasks"] == 0 and found["environment_missing"] == [garden.id(1)]
    assert "environment missing: it needs grove" in said and "--environments DIR" in said
    empty = tmp_path / "new folder"
    assert bench("preflight", str(bare), "--json", "--environments", str(empty)) == 1
    said = last(capsys)[1]
    assert f"make it with: cd '{empty}/{key}' && lake build @grove" in said and said.count("\n") == 1
    assert not (bare / "preflight.jsonl").exists()
    assert (empty / key / "lake-manifest.json").read_text() == MANIFEST  # the folder in which to run it
    (tmp_path / "s.json").write_text(json.dumps([SUBMIT, SUBMIT]))
    given = ("run", str(bare), "-o", str(tmp_path / "run"), "--model", f"scripted:{tmp_path}/s.json", "--json")
    assert bench(*given, "--environments", str(empty)) == 2
    assert "nothing is begun" in capsys.readouterr().err
    assert bench(*given, "--environments", str(garden.environments)) == 0
    capsys.readouterr()
    run = tmp_path / "run"
    assert bench("score", str(run), "--environments", str(empty)) == 2  # and not 0 %
    said = capsys.readouterr().err
    assert "environment missing" in said and "nothing is scored" in said
    assert not (run / "scores.jsonl").exists()
    assert bench("score", str(run), "--json") == 0
    assert last(capsys)[0]["ends"] == {"open": 1} and len(list(store.read(run / "scores.jsonl"))) == 1


def test_a_submission_does_not_take_the_place_of_a_package(garden: Garden, tmp_path: Path) -> None:
    id = garden.id(1)
    stub = garden.files(id)[FILE]
    evil = GROVE.replace("| .node l x r => .node r.mirror x l.mirror", "| t => t").replace("| .leaf => .leaf\n  ", "")
    easy = stub.replace("by\n  sorry", "rfl").replace(":= sorry", ":= rfl")
    proved = stub.replace(stub[stub.index("theorem turned") : stub.index("sorry") + 5], PROOF.rstrip())
    for files, reason in (
        ({FILE: easy, "Grove/Basic.lean": evil}, "tampered.shadow"),
        ({FILE: proved, "Grove/Basic.lean": GROVE}, "tampered.shadow"),
        ({FILE: "import Init\n" + proved, "Init.lean": "prelude\n"}, "tampered.shadow"),
        ({FILE: "import Grove.More\n" + proved, "Grove/More.lean": "import Grove.Basic\n"}, "library.broken"),
        ({FILE: proved, ".lake/packages/grove/.lake/build/lib/lean/Grove/Basic.olean": "x"}, "tampered.build_file"),
        ({FILE: proved, "lake-manifest.json": MANIFEST.replace("5", "6")}, "tampered.build_file"),
    ):
        found = garden.score(id, files, tmp_path)
        assert (found.reason, found.fraction) == (reason, 0.0), found
    assert garden.score(id, {FILE: proved}, tmp_path).strict


def test_an_environment_that_is_not_whole_is_missing(garden: Garden, embedded: Toolchain, tmp_path: Path) -> None:
    files = garden.files_
    home = tmp_path / files.environment.key
    subprocess.run(["cp", "-r", str(garden.environments / home.name), str(tmp_path)], check=True)
    first = packages.within(tmp_path, files, embedded)
    assert first.library[0] == embedded.library[0] and first.digest not in (
        embedded.digest, packages.within(garden.environments, replace(files), embedded).digest
    )  # fmt: skip
    source = open_source(garden.bench, tmp_path / "objects")
    assert scoring.absent(source, [garden.id(1)], tmp_path) == {}
    olean = home / packages.PACKAGES / "grove/.lake/build/lib/lean/Grove/Basic.olean"
    olean.rename(olean.with_name("Other.olean"))
    told = str(scoring.absent(source, [garden.id(1)], tmp_path)[garden.id(1)])
    assert "A file.lean imports Grove.Basic, which is not compiled; make it with: cd " in told
    write(home / packages.PACKAGES / "grove", {".git/HEAD": "4" * 40})
    with pytest.raises(packages.Missing, match="is at 444444444444, the task's manifest asks for 555555555555"):
        packages.within(tmp_path, files, embedded)
    write(home, {"lake-manifest.json": MANIFEST.replace(COMMIT, "4" * 40)})
    with pytest.raises(packages.Missing, match="names other packages than the task's"):
        packages.within(tmp_path, files, embedded)
    os.unlink(home / "lake-manifest.json")
    with pytest.raises(packages.Missing, match="cannot be read"):
        packages.within(tmp_path, files, embedded)


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ('{"packages": [{"type": "path", "name": "near", "dir": "near"}]}', "there is no "),
        ('{"packages": [{"name": "../../etc"}]}', "no name of a package"),
        ('{"packages": [7]}', "cannot be read"),
        ('{"packagesDir": "/etc", "packages": [{"name": "a"}]}', "packagesDir"),
        ("[", "cannot be read"),
        (None, "says which versions"),
    ],
)
def test_odd_manifests_are_one_line(embedded: Toolchain, tmp_path: Path, manifest: str | None, said: str) -> None:
    lakefile = ("lakefile.toml", b'name = "a"\n[[require]]\nname = "b"\n')
    given = environment.Files((lakefile, *((("lake-manifest.json", manifest.encode()),) if manifest else ())))
    with pytest.raises(UnsorryError, match=f"^environment missing: .*{said}") as caught:
        packages.within(tmp_path, given, embedded)
    assert "\n" not in str(caught.value)
    assert packages.needed(environment.Files((("lake-manifest.json", b'{"packages": []}'),))) == ()
