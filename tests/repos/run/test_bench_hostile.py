"""Trees and tasks as nobody should make them, and definitions that are not what they look like."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from bench_world import World, git, world

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.evaluation import attempts as store
from unsorry.lean.toolchain import Toolchain
from unsorry.repos.attempts import make_stub
from unsorry.repos.runs import Plan, Run
from unsorry.repos.scores import UNSCORED
from unsorry.repos.scoring import RULES, scored
from unsorry.repos.sources import Item, problems
from unsorry.repos.store import Trees
from unsorry.repos.tasks import Base, Folder, Hole, Task
from unsorry.scaffolds.agent.git import Entry

SHELF, DESK = "Lib/Shelf.lean", "Lib/Desk.lean"
BASE = {
    SHELF: "namespace Lib\n\ndef step (n : Nat) : Nat := n + 1\n\nend Lib\n",
    DESK: "import Lib.Shelf\n\nnamespace Lib\n\n"
    "theorem step_pos (n : Nat) : 0 < step n := by unfold step; omega\n\nend Lib\n",
    "lakefile.toml": 'name = "lib"\n\n[[lean_lib]]\nname = "Lib"\n',
}  # fmt: skip
LEAP = "def leap (n : Nat) : Nat := step n + 1\n\ntheorem leap_pos (n : Nat) : 0 < leap n := Nat.succ_pos _\n\nend Lib"
MOVED = (
    BASE[SHELF]
    .replace("n + 1", "1 + n")
    .replace("\nend Lib", "\ntheorem step_is (n : Nat) : step n = 1 + n := rfl\n\nend Lib")
)
HISTORY = [
    ("Leap (#1)", {DESK: BASE[DESK].replace("end Lib", LEAP)}),
    ("Another build (#2)", {SHELF: MOVED, "lakefile.toml": BASE["lakefile.toml"] + "\n# again\n"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def lib(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    one = world(tmp_path_factory.mktemp("lib"), embedded, BASE, HISTORY)
    with one.scorer:
        yield one


def entry(mode: bytes, name: bytes, id: str) -> bytes:
    return mode + b" " + name + b"\0" + bytes.fromhex(id)


@pytest.mark.parametrize("what", ["up", "absolute", "git", "behind a link", "a link to NUL"])
def test_a_tree_writes_nothing_outside_its_folder(tmp_path: Path, what: str) -> None:
    trees, outside = Trees.make(tmp_path / "objects"), tmp_path / "outside"
    outside.mkdir()
    write = trees.git._write
    blob, link = write(b"blob", b"evil\n"), write(b"blob", os.fsencode(outside))
    inner = write(b"tree", entry(b"100644", b"evil", blob))
    lines = {
        "up": entry(b"40000", b"..", inner), "absolute": entry(b"100644", os.fsencode(outside / "evil"), blob),
        "git": entry(b"40000", b".git", inner),
        "behind a link": entry(b"120000", b"a", link) + entry(b"40000", b"a", inner),
        "a link to NUL": entry(b"120000", b"a", write(b"blob", b"a\0b")),
    }[what]  # fmt: skip
    with pytest.raises(UnsorryError) as refused:
        trees.write(write(b"tree", lines), tmp_path / "run" / "stub")
    assert "\n" not in str(refused.value)
    assert not list(tmp_path.rglob("evil")) and not os.listdir(tmp_path / "run")


def test_a_small_patch_that_unpacks_to_much_is_refused(lib: World) -> None:
    zeros = "0" * 40
    head = f"diff --git a/x b/x\nnew file mode 100644\nindex {zeros}..{'1' * 40}\nGIT binary patch\n"
    bomb = f"{head}literal 3221225472\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n"
    found = lib.scorer.score(lib.case(lib.id(1)), bomb.encode())
    assert found.reason == "tampered.patch" and "memory" in found.fault, found


def test_folders_may_be_named_relative_to_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trees = Trees.make(Path("run/objects"))
    tree = trees.git.write_tree([Entry(b"a", "100644", trees.git.write_blob(b"x"))])
    trees.write(tree, Path("run/stub"))
    assert (tmp_path / "run" / "stub" / "a").read_bytes() == b"x"


def test_a_stub_is_its_tree_byte_for_byte_whatever_its_attributes_say(lib: World, tmp_path: Path) -> None:
    trees, case = lib.cases.trees, lib.case(lib.id(1))
    attributes = b"* text=auto eol=crlf ident filter=x\n*.lean working-tree-encoding=UTF-16\n"
    files = {b".gitattributes": attributes, b"a.lean": b"-- $Id$\r\n", b"b.txt": b"a\r\nb\n"}
    tree = trees.git.write_tree([Entry(p, "100644", trees.git.write_blob(data)) for p, data in files.items()])
    make_stub(trees, case.task, tree, tmp_path / "stub")
    assert git(tmp_path / "stub", "rev-parse", "HEAD^{tree}").decode().strip() == tree


def test_a_score_counts_for_the_patch_that_it_was_given_for(tmp_path: Path) -> None:
    plan, run = Plan("bench"), Run(tmp_path)
    run.save(plan, [Item("t", "t")])
    notes = {"key": plan.key("t", "stub", 1), "stub": "stub", "sample": 1, "outcome": "solved", "rules": RULES}
    verdict = Verdict(Status.ACCEPTED, "accepted", "met")
    score = Attempt("t", "search", "agent:prove", "good", verdict, Cost(money=0.0), 1, notes)
    tried = replace(score, verdict=Verdict(Status.UNDECIDED, UNSCORED, ""), notes={**notes, "outcome": "open"})
    tried.notes.pop("rules")
    store.append(run.scores, score)
    store.append(run.scores, replace(score, notes={**notes, "rules": "x", "sample": "x"}))
    assert not scored(tmp_path)
    store.append(run.attempts, replace(tried, submission="another"))
    assert not scored(tmp_path)
    store.append(run.attempts, tried)
    assert [a.submission for a in scored(tmp_path)] == ["good"]


def test_a_pipe_is_no_file_of_problems(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(UnsorryError, match="is a pipe"):
        problems(tmp_path / "pipe.jsonl")


def test_a_task_from_anybody_names_nothing_outside_its_tree(lib: World, tmp_path: Path) -> None:
    good = lib.case(lib.id(1)).task
    request, base, hole = good.pull_request, good.base, good.holes[0]

    def reads(task: Task) -> None:
        folder = Folder(tmp_path / os.urandom(4).hex())
        gold = lib.case(lib.id(1)).gold
        assert gold is not None
        folder.write(task, lib.cases.bench.stub_patch(good), gold, lib.cases.bench.gold_patch(gold))
        assert folder.task(task.id) == task

    reads(good)
    bad: list[Task] = [
        *(replace(good, base=Base(base.commit, tree)) for tree in ("HEAD", "--help", base.tree[:12])),
        *(replace(good, base=replace(base, project=project)) for project in ("../..", "/etc", "a/./b")),
        *(replace(good, holes=(Hole(file, hole.name, 1),)) for file in ("../secret", "/etc/passwd", ".git/config")),
        *(replace(good, obligations=(replace(good.obligations[0], file=file),)) for file in ("a//b", "a\0b")),
        *(replace(good, pull_request=replace(request, date=date)) for date in ("now", "2026-03-01T12:00:00Z\0")),
    ]
    for task in bad:
        with pytest.raises(UnsorryError, match=r"task\.toml"):
            reads(task)


def test_a_definition_is_compared_in_its_namespace_by_a_proof_that_closes_the_goal(lib: World, tmp_path: Path) -> None:
    id = lib.id(1, "define")
    lib.scorer.search = False
    text = BASE[DESK].replace("end Lib", LEAP)
    other = text.replace("step n + 1", "1 + step n").replace("Nat.succ_pos _", "by unfold leap; omega")
    found = lib.score(id, {DESK: other}, tmp_path)
    assert found.strict and found.obligations[0].reason == "definition.equal", found
    weak = text.replace("step n + 1", "step 0 + 1")
    assert lib.score(id, {DESK: weak}, tmp_path).fraction == 0


def test_what_a_migration_keeps_is_the_definition_too(lib: World, tmp_path: Path) -> None:
    id = lib.id(2, "migrate")
    assert [(o.name, o.role) for o in lib.case(id).task.obligations] == [("Lib.step", "keep")]
    lib.scorer.search = False
    assert lib.score(id, {SHELF: MOVED}, tmp_path).strict
    assert lib.score(id, {SHELF: BASE[SHELF].replace("n + 1", "Nat.succ n")}, tmp_path).strict
    gutted = lib.score(id, {SHELF: BASE[SHELF].replace("n + 1", "1")}, tmp_path)
    assert gutted.fraction == 0 and gutted.obligations[0].reason == "definition.needs_review", gutted


def test_a_file_without_a_def_or_a_theorem_is_compared_too(embedded: Toolchain, tmp_path: Path) -> None:
    text = "abbrev most : Nat := 10\n\nstructure Pair where\n  x : Nat\n\n"
    text += "instance : Add Pair := ⟨fun a b => ⟨a.x + b.x⟩⟩\n"
    more = text + "\ninstance : Inhabited Pair := ⟨⟨most⟩⟩\n"
    made = world(tmp_path, embedded, {**BASE, "Lib/Pair.lean": text}, [("A pair (#1)", {"Lib/Pair.lean": more})])
    with made.scorer:
        changed = more.replace("a.x + b.x", "a.x")
        assert made.score(made.id(1, "open"), {"Lib/Pair.lean": changed}, tmp_path).reason == "library.changed"
