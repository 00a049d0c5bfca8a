"""lean_check: three-valued, never stale, and it tells what hides.  Each fault here was reported of another tool."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lean_world import ENDLESS, TOWN, Watched, children, project, wait_for, write

from unsorry import UnsorryError
from unsorry.lean.process import Limits, Unconfined
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.lean_tools import LeanCheck


@pytest.fixture
def town(tmp_path: Path, embedded: Toolchain) -> Iterator[LeanProject]:
    opened = project(tmp_path / "town", embedded)
    yield opened
    opened.close()


TOP = Path("Town.lean")


def test_files_that_import_each_other_are_clean_and_compiled_once(town: LeanProject) -> None:
    assert town.check(TOP).answer == "clean"
    assert town.builder.compiled == 2
    assert town.check(TOP).clean
    assert town.builder.compiled == 2
    assert town.warm.started == 1


def test_errors_have_places_that_count_characters(town: LeanProject) -> None:
    write(town.root, {"Town/Bad.lean": 'import Town.Base\n\ntheorem a : "𝔸β" = "γ" ∧ Nat.missing := sorry\n'})
    found = town.check(Path("Town/Bad.lean"))
    (error,) = found.errors
    assert (found.answer, error.line, error.column) == ("errors", 3, 25)
    assert found.text.startswith("Town/Bad.lean: 1 error")
    assert "Town/Bad.lean:3:26: error:" in found.text


def test_an_edit_is_seen_at_once_however_long_lean_takes(town: LeanProject) -> None:
    slow = "def fib : Nat → Nat | 0 => 0 | 1 => 1 | n + 2 => fib (n + 1) + fib n\n#eval fib 24\n"
    write(town.root, {"Slow.lean": slow})
    assert town.check(Path("Slow.lean")).clean
    write(town.root, {"Slow.lean": slow + "example : fib 3 = 3 := rfl\n"})
    found = town.check(Path("Slow.lean"))
    assert found.answer == "errors"
    assert found.errors[0].line == 3


def test_running_out_of_time_is_unknown(town: LeanProject) -> None:
    write(town.root, {"Endless.lean": "example : 1 = 1 := rfl\n" + ENDLESS})
    tool = LeanCheck(town).run({"file": "Endless.lean", "timeout": 1.0})
    assert tool.status == "unknown"
    assert "did not finish within 1 s" in tool.text
    assert "clean" not in tool.text
    assert town.check(TOP).clean  # and the next call works


def test_a_lean_that_never_answers_is_unknown(town: LeanProject, tmp_path: Path) -> None:
    script = tmp_path / "silent"
    script.write_text("#!/bin/sh\nexec sleep 1000\n")
    script.chmod(0o755)
    silent = replace(town.toolchain, lean=(str(script),), native=None, digest="silent")
    opened = project(town.root, silent)
    try:
        found = opened.check(Path("Town/Base.lean"), timeout=1.0)
        assert found.answer == "unknown"
        importer = opened.check(TOP, timeout=1.0)
        assert importer.answer == "unknown"
        assert "Town.Base, of which nothing is known" in importer.reason
        goals = opened.goals(Path("Town/Base.lean"), 3, timeout=1.0)
        assert not goals.known
        assert goals.before is None
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("code", "said", "answer", "reason"),
    [
        (0, b"", "unknown", "left no compiled file"),
        (1, b"", "unknown", "code 1 and named no error"),
        (139, b"", "unknown", "code 139"),
        (0, b"not json\n" * 10_000, "unknown", "errors may be lost"),
        (0, b'{"severity":"error","data":"no","pos":{"line":1,"column":0}}\n', "errors", ""),
    ],
)
def test_only_a_complete_run_without_errors_is_clean(
    town: LeanProject, tmp_path: Path, code: int, said: bytes, answer: str, reason: str
) -> None:
    (tmp_path / "said").write_bytes(said)
    script = tmp_path / "lean"
    script.write_text(f"#!/bin/sh\ncat '{tmp_path / 'said'}'\nexit {code}\n")
    script.chmod(0o755)
    odd = replace(town.toolchain, lean=(str(script),), native=None, digest=f"odd {code}")
    opened = project(town.root, odd, limits=Limits(output=1000))
    try:
        found = opened.check(Path("Town/Base.lean"))
        assert found.answer == answer
        assert reason in found.reason
    finally:
        opened.close()


def test_changing_an_import_line_is_answered(town: LeanProject) -> None:
    assert town.check(Path("Town/Base.lean")).clean
    write(
        town.root, {"Town/Base.lean": "import Town.Other\n" + TOWN["Town/Base.lean"], "Town/Other.lean": "def o := 1\n"}
    )
    assert town.check(Path("Town/Base.lean")).clean
    write(town.root, {"Town/Other.lean": "import Town.Base\n"})
    circle = town.check(TOP)
    assert circle.answer == "errors"
    assert "circle: Town.Base -> Town.Other -> Town.Base" in circle.reason
    write(town.root, {"Town/Other.lean": "import Town.Nowhere\n"})
    assert "Town/Other.lean:1: imports Town.Nowhere, which is neither" in town.check(TOP).text


def test_an_edit_below_is_compiled_again_and_its_sorry_is_told(town: LeanProject) -> None:
    assert not town.check(TOP).sorries
    write(town.root, {"Town/Base.lean": TOWN["Town/Base.lean"].replace(":= rfl", ":= by sorry")})
    found = town.check(TOP)
    assert found.answer == "clean"
    assert found.sorries == ("all",)  # the text itself has none
    assert found.imported_sorries == ("Town.Base: twice_zero",)
    assert "not finished" in found.text
    write(
        town.root, {"Town/Base.lean": "def twice (n : Nat) : Nat := n + 3\n\ntheorem twice_zero : twice 0 = 3 := rfl\n"}
    )
    broken = town.check(TOP)
    assert broken.answer == "errors"
    assert broken.reason == "Town.lean imports Town.Street, which has errors; first correct Town/Street.lean"
    assert "Town/Street.lean:3:" in broken.text


def test_files_edited_outside_are_read_anew_and_a_change_meanwhile_is_stale(town: LeanProject) -> None:
    class Edits(Unconfined):
        """Somebody edits an imported file while the importer is being elaborated."""

        def popen(self, argv: Sequence[str], **given: object):  # type: ignore[no-untyped-def]
            write(town.root, {"Town/Base.lean": "def twice := 7\n"})
            return super().popen(argv, **given)  # type: ignore[arg-type]

    opened = project(town.root, town.toolchain, confinement=Edits(), limits=Limits(wall=599.0))
    try:
        found = opened.check(TOP)
        assert found.answer == "unknown"
        assert "stale: Town/Base.lean was changed" in found.reason
        assert opened.check(TOP).answer == "errors"
        write(town.root, TOWN)
    finally:
        opened.close()


@pytest.mark.parametrize(
    "hidden",
    [
        "theorem t (f : Nat → Nat) (h : ∀ n, f n = n) : f 3 = 4 := by apply?\n",
        "set_option warn.sorry false in\ntheorem t : 1 = 2 := sorry\n",
        'macro "magic" : tactic => `(tactic| exact sorryAx _ false)\nset_option warn.sorry false\n'
        "theorem t : 1 = 2 := by magic\n",
        "theorem t : 1 = 2 := sorryAx _ true\n",
        "private theorem aux : 1 = 2 := by admit\ntheorem t : 1 = 2 := aux\n",
    ],
)
def test_a_sorry_that_hides_is_told(town: LeanProject, hidden: str) -> None:
    found = town.check_text(hidden)
    assert found.answer == "errors" or "t" in found.sorries
    assert not (found.clean and not found.sorries)


def test_axioms_that_the_judge_refuses_are_told(town: LeanProject) -> None:
    found = town.check_text("axiom wish : 1 = 2\ntheorem t : 1 = 2 := wish\n")
    assert found.clean
    assert found.axioms == ("wish",)
    assert "axioms that the judge refuses: wish" in found.text
    assert town.check_text("theorem t (p : Prop) : p ∨ ¬p := Classical.em p\n").axioms == ()


def test_sorries_of_cached_imports_are_told_again(town: LeanProject, tmp_path: Path) -> None:
    write(town.root, {"Town/Base.lean": TOWN["Town/Base.lean"].replace(":= rfl", ":= by sorry")})
    first = town.check(TOP)
    town.close()
    again = project(town.root, town.toolchain, town_files(town.root))
    try:
        second = again.check(TOP)
        assert again.builder.compiled == 0  # all from the cache
        assert second.sorries == first.sorries == ("all",)
        assert second.imported_sorries == first.imported_sorries
    finally:
        again.close()


def town_files(root: Path) -> Mapping[str, str]:
    return {p.relative_to(root).as_posix(): p.read_text() for p in root.rglob("*.lean")}


def test_a_damaged_cache_is_made_again(town: LeanProject) -> None:
    assert town.check(TOP).clean
    shutil.rmtree(town.builder.store)
    write(town.root, {"Town.lean": TOWN["Town.lean"] + "\n-- more\n"})
    write(town.root, {"Town/Street.lean": TOWN["Town/Street.lean"] + "\n-- more\n"})
    assert town.check(TOP).clean


def test_attempts_share_processes_and_compiled_files(town: LeanProject, tmp_path: Path) -> None:
    copies = [project(tmp_path / f"copy{i}", town.toolchain, home=town.root, places=2) for i in range(6)]
    try:
        assert {id(copy.warm) for copy in copies} == {id(town.warm)}
        answers: list[str] = []
        threads = [threading.Thread(target=lambda c=c: answers.append(c.check(TOP).answer)) for c in copies]  # type: ignore[misc]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == ["clean"] * 6
        assert town.builder.compiled == 2  # two imports, once for all copies
        assert town.warm.started <= (os.cpu_count() or 1)
        write(copies[0].root, {"Town/Base.lean": "def twice := 7\n"})
        assert copies[0].check(TOP).answer == "errors"
        assert copies[1].check(TOP).clean  # each copy sees its own files
    finally:
        for copy in copies:
            copy.close()


def test_a_server_that_is_killed_in_a_check_is_one_line_and_the_next_call_works(
    tmp_path: Path, embedded: Toolchain
) -> None:
    watched = Watched()
    opened = project(tmp_path / "town", embedded, TOWN | {"Endless.lean": ENDLESS}, confinement=watched)
    try:
        assert opened.check_text("example : 1 = 1 := rfl\n").clean
        (server,) = watched.servers
        answers = []
        thread = threading.Thread(target=lambda: answers.append(opened.check(Path("Endless.lean"), timeout=300.0)))
        thread.start()
        wait_for(lambda: children(server.pid))  # Lean is at work on the file
        os.kill(server.pid, signal.SIGKILL)
        thread.join()
        (found,) = answers
        assert found.answer == "unknown"
        assert "the Lean process died" in found.reason
        assert "\n" not in found.text
        assert opened.check_text("example : 1 = 1 := rfl\n").clean
    finally:
        opened.close()


def test_a_snippet_stands_behind_a_file_and_has_its_own_lines(town: LeanProject) -> None:
    good = town.check_text("example : twice 2 = 4 := rfl\n", behind=Path("Town/Street.lean"))
    assert good.clean
    bad = town.check_text("\nexample : twice 2 = 5 := rfl\n", behind=Path("Town/Street.lean"))
    assert [m.line for m in bad.errors] == [2]
    write(town.root, {"Town/Odd.lean": "theorem o : 1 = 2 := True\n"})
    behind = town.check_text("example : 1 = 1 := rfl\n", behind=Path("Town/Odd.lean"))
    assert behind.answer == "errors"
    assert "Town/Odd.lean, which stands before it, has 1 error of its own: line 1" in behind.text


def test_what_is_no_file_of_the_project_is_refused(town: LeanProject) -> None:
    tool = LeanCheck(town)
    assert "outside the project" in tool.run({"file": "../elsewhere.lean"}).text
    assert "does not exist" in tool.run({"file": "Nowhere.lean"}).text
    assert tool.run({}).status == "error"
    assert town.check_text("def \ud800 := 1\n").answer == "errors"


def test_the_strict_sandbox_is_used_unless_another_is_given(tmp_path: Path, embedded: Toolchain) -> None:
    root = write(tmp_path / "town", TOWN)
    try:
        opened = LeanProject(root, toolchain=embedded, cache=tmp_path / "cache")
    except UnsorryError as error:
        pytest.skip(f"no strict sandbox here: {error}")
    try:
        assert opened.confinement.name == "strict"
        assert opened.check(TOP).clean
        goals = opened.goals(TOP, 3)
        assert goals.known
    finally:
        opened.close()


def test_a_file_of_the_module_system_is_compiled_to_see_what_it_rests_on(tmp_path: Path, embedded: Toolchain) -> None:
    base = "module\nprelude\npublic section\ninductive T : Prop where\n  | i : T\naxiom wish : T\n"
    files = {"Base.lean": base, "Use.lean": "module\nprelude\npublic import Base\ntheorem t : T := wish\n"}
    opened = project(tmp_path / "town", embedded, files)
    try:
        found = opened.check(Path("Use.lean"))
        assert (found.answer, found.axioms) == ("clean", ("wish",))
        write(opened.root, {"Use.lean": files["Use.lean"] + "theorem u : T := t t\n"})
        assert opened.check(Path("Use.lean")).answer == "errors"
    finally:
        opened.close()
