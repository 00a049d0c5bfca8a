"""The tasks of a made history, built with real Lean and read from the source, exactly as they must be."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from made_history import ENVIRONMENT, make

from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment
from unsorry.repos.build import Building, Summary, build
from unsorry.repos.elaborated import Compiler
from unsorry.repos.objects import Repository
from unsorry.repos.pull import Options
from unsorry.repos.tasks import MODES, Folder, Task

BUILT = {
    "5 prove": ["prove new quad_eq", "prove new unrelated"],
    "5 define": ["define new quad", "prove new quad_eq", "prove new unrelated"],
    "5 open": ["define new quad", "prove new quad_eq", "prove new unrelated"],
    "6 prove": ["prove new three"],
    "6 open": ["prove new three"],
    "9 prove": ["prove restated three"],
    "9 open": ["prove restated three"],
    "11 prove": ["prove new size_nat"],
    "11 define": ["define new instSizedNat", "define new sizedList", "prove new size_nat"],
    "11 open": ["define new instSizedNat", "define new sizedList", "prove new size_nat"],
    "12 prove": ["prove new colour_cases"],
    "12 open": ["prove new colour_cases"],
    "13 prove": ["prove restated colour_cases"],
    "13 open": ["prove restated colour_cases"],
    "14 prove": ["prove new even_or_odd", "prove new odd_or_even"],
    "14 define": ["define new isEven", "define new isOdd", "prove new even_or_odd", "prove new odd_or_even"],
    "14 open": ["define new isEven", "define new isOdd", "prove new even_or_odd", "prove new odd_or_even"],
    "15 prove": [
        "prove new Town.helper", "prove new Town.inside", "prove new Town.Inner.deep", "prove new at_the_top",
    ],
    "15 open": ["prove new Town.inside", "prove new Town.Inner.deep", "prove new at_the_top"],
    "16 prove": ["prove new about_n"],
    "16 open": ["prove new about_n"],
    "17 prove": ["prove restated about_n"],
    "17 open": ["prove restated about_n"],
    "18 prove": ["prove new größer"],
    "18 open": ["prove new größer"],
    "19 prove": ["prove new seen"],
    "19 open": ["prove new seen"],
    "20 prove": ["prove new vendored"],
    "20 open": ["prove new vendored"],
    "22 prove": ["prove new w_one"],
    "22 define": ["define new w", "prove new w_one"],
    "22 open": ["define new w", "prove new w_one"],
    "23 prove": ["prove new w_two"],
    "23 open": ["prove new w_two"],
    "28 prove": ["prove filled goal_b"],
    "28 open": ["prove filled goal_b"],
    "29 prove": ["prove new left", "prove new middle", "prove new right"],
    "29 open": ["prove new left", "prove new middle", "prove new right"],
}  # fmt: skip
OLD_LEAN = {  # of the time before the bump to the Lean that is here
    "1 prove": ["prove filled first_goal"],
    "1 open": ["prove filled first_goal"],
    "2 prove": ["prove new double_one"],
    "2 open": ["prove new double_one"],
}
MIGRATIONS = {
    "3 prove": ["keep kept double", "keep kept double_zero", "keep kept double_add"],
    "30 prove": ["keep kept twice_one"],
}
LEFT_OUT = {
    4: "environment-only", 7: "nothing-new", 8: "nothing-new", 10: "revert", 21: "empty", 24: "nothing-new",
    25: "nothing-new", 26: "no-lean", 27: "sorries", 31: "unreadable",
}  # fmt: skip
# What the text does not tell: what Lean calls an instance, and that a statement changes with its variables.
NAMELESS = ["define new instance : Sized Nat", "define new sizedList", "prove new size_nat"]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("history") / "town").folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def made(
    town: Path, cache: Path, embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Folder, Summary]:
    out = tmp_path_factory.mktemp("bench") / "town"
    summary = build(town, out, Options(MODES), building=Building(Unconfined(), embedded, cache=cache))
    return Folder(out), summary


def owed(folder: Folder, track: str = "", facts: str = "") -> dict[str, list[str]]:
    return {
        f"{t.pull_request.number} {t.mode}": [f"{o.role} {o.change} {o.name or o.statement}" for o in t.obligations]
        for t in folder.tasks()
        if track in ("", t.track) and facts in ("", t.facts)
    }


def test_the_tasks_of_what_was_built(made: tuple[Folder, Summary]) -> None:
    folder, summary = made
    assert owed(folder, facts="built") == BUILT
    assert owed(folder, track="main", facts="source") == OLD_LEAN
    assert owed(folder, track="migration") == MIGRATIONS
    assert {one.number: one.reason for one in folder.left_out() if one.number} == LEFT_OUT
    assert [(one.title, one.reason) for one in folder.left_out() if not one.number] == [
        ("pushed by hand", "no-number"), ("Begin", "no-number"),
    ]  # fmt: skip
    assert summary.built == 17
    assert summary.bench == folder.bench()
    assert (summary.bench.commits, summary.bench.tasks) == (33, len(BUILT) + len(OLD_LEAN) + len(MIGRATIONS))


def test_the_tasks_of_what_was_only_read(town: Path, tmp_path: Path) -> None:
    folder = Folder(tmp_path / "bench")
    build(town, folder.path, Options(MODES))
    expected = {key: value for key, value in BUILT.items() if not key.startswith("17 ")}
    expected |= {"11 define": NAMELESS, "11 open": NAMELESS} | OLD_LEAN | MIGRATIONS
    assert owed(folder, facts="source") == expected == owed(folder)
    assert all(task.facts_why for task in folder.tasks())
    assert not any(o.type_digest for task in folder.tasks() for o in task.obligations)


def test_where_pull_requests_come_from(made: tuple[Folder, Summary]) -> None:
    told = {t.pull_request.number: t.pull_request for t in made[0].tasks()}
    assert (told[1].title, told[1].body) == ("feat: the first goal", "Fills a sorry.")
    assert (told[2].title, told[2].body) == ("A new lemma", "With a body.")
    assert (told[6].title, told[6].body) == ("feat: three", "From a bot.")
    assert told[18].title == "feat: Größe"
    assert (told[1].date, told[29].date) == ("2023-11-16T22:13:20Z", "2023-12-18T22:13:20Z")
    task = next(t for t in made[0].tasks() if t.pull_request.number == 1)
    assert (task.environment.toolchain, task.base.project) == ("leanprover/lean4:v4.34.1", "")


def apply(repository: Path, tree: str, *patches: bytes) -> str:
    """The tree with patches on top, by a user's git."""
    env = {**ENVIRONMENT, "GIT_INDEX_FILE": str(repository / ".git" / "test-index")}

    def git(*arguments: str, stdin: bytes = b"") -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=repository, env=env, input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    git("read-tree", tree)
    for patch in patches:
        if patch:
            git("apply", "--cached", "--whitespace=nowarn", "-", stdin=patch)
    return git("write-tree")


def test_base_stub_and_gold_make_the_merged_tree(town: Path, made: tuple[Folder, Summary]) -> None:
    folder = made[0]
    for task in folder.tasks():
        gold = folder.gold(task.id)
        stub, answer = folder.stub_patch(task), folder.gold_patch(gold)
        assert apply(town, task.base.tree, stub, answer) == gold.tree, task.id
        assert (stub == b"") == (task.mode == "open")
        assert gold.commit not in (folder.task_folder(task.id) / "task.toml").read_text()


def test_a_stub_builds_with_the_sorries_that_it_names(
    town: Path, cache: Path, embedded: Toolchain, made: tuple[Folder, Summary]
) -> None:
    folder, compiler = made[0], Compiler(Unconfined(), cache=cache)
    seen = 0
    for task in folder.tasks():
        if task.facts != "built" or task.mode == "open":
            continue
        tree = apply(town, task.base.tree, folder.stub_patch(task))
        files = {o.file for o in task.obligations} | {hole.file for hole in task.holes}
        with Repository(town) as repository:
            elaborated = compiler.compile(
                repository, tree, "", sorted(files), environment.read(repository, tree, ""), embedded
            )
        uses = [m for built in elaborated.built for m in built.messages if "declaration uses" in m.text]
        assert len(uses) == len(task.holes), task.id
        rests = {name for built in elaborated.built for name in built.facts.resting_on_sorry()}
        for obligation in task.obligations:
            assert any(name == obligation.name or name.endswith(f".0.{obligation.name}") for name in rests), task.id
        seen += 1
    assert seen == sum(not key.endswith("open") for key in BUILT)


def gold_of(folder: Folder, number: int, mode: str) -> tuple[Task, bytes, bytes]:
    task = next(t for t in folder.tasks() if (t.pull_request.number, t.mode) == (number, mode))
    return task, folder.stub_patch(task), folder.gold_patch(folder.gold(task.id))


def test_what_is_in_the_patches(made: tuple[Folder, Summary]) -> None:
    folder = made[0]
    _, stub, answer = gold_of(folder, 23, "prove")  # line ends and letters stay as they are
    assert b"+theorem w_two : w + 1 = 2 := sorry\r\n" in stub and "+/-- Häßlich. -/\r\n".encode() in stub
    assert b"-theorem w_two : w + 1 = 2 := sorry\r\n" in answer and b"+  omega\r\n" in answer
    _, stub, answer = gold_of(folder, 19, "prove")  # what is not Lean is not given
    assert b"GIT binary patch" in answer and b"GIT binary patch" not in stub
    _, stub, answer = gold_of(folder, 20, "prove")
    assert b"160000" in answer and b"160000" not in stub
    task, stub, answer = gold_of(folder, 3, "prove")  # a migration begins with the new environment alone
    assert stub.count(b"diff --git") == 1 and b"+leanprover/lean4:v4.35.0" in stub
    assert answer.count(b"diff --git") == 1 and b"Town/Base.lean" in answer
    assert task.environment.toolchain == "leanprover/lean4:v4.35.0"
    task, stub, answer = gold_of(folder, 18, "prove")
    assert [o.file for o in task.obligations] == ["Town/Größe/Über uns.lean"]
    task, _, _ = gold_of(folder, 28, "prove")
    assert [(hole.name, hole.count) for hole in task.holes] == [("goal_a", 1), ("goal_b", 1)]


def test_elaborated_facts(made: tuple[Folder, Summary]) -> None:
    folder = made[0]
    task, _, _ = gold_of(folder, 15, "prove")
    assert [o.private for o in task.obligations] == [True, False, False, False]
    assert task.obligations[1].statement == "theorem Town.inside : 0 + n = n"
    digests = [o.type_digest for n in (16, 17) for o in gold_of(folder, n, "prove")[0].obligations]
    assert len(set(digests)) == 2 and all(len(digest) == 64 for digest in digests)  # the same text, other variables
    assert [folder.gold(gold_of(folder, n, "define")[0].id).later for n in (5, 11)] == [("quad_eq",), ()]
    parity = folder.gold(gold_of(folder, 14, "prove")[0].id)
    assert [a.axioms for a in parity.answers] == [(), ()] and all(a.value_digest for a in parity.answers)


def test_the_same_tasks_again(
    town: Path, cache: Path, embedded: Toolchain, made: tuple[Folder, Summary], tmp_path: Path
) -> None:
    again = tmp_path / "again"
    build(town, again, Options(MODES), building=Building(Unconfined(), embedded, cache=cache))
    for task in made[0].tasks():
        for name in (f"tasks/{task.id}/task.toml", f"tasks/{task.id}/stub.patch", f"gold/{task.id}/gold.toml",
                     f"gold/{task.id}/gold.patch"):  # fmt: skip
            assert (again / name).read_bytes() == (made[0].path / name).read_bytes()
