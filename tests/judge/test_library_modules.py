"""Libraries whose modules belong to Lean's module system: reach, values, kernel, and what is refused."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from module_world import PARTS, read_parts, world
from unsorry import UnsorryError
from unsorry.judge.kernel import KernelProcess
from unsorry.judge.library import Library, Scope
from unsorry.judge.replay import encode, plan
from unsorry.lean import olean
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.olean_image import FIRST
from unsorry.lean.olean_shapes import VALUES
from unsorry.lean.process import run_lean
from unsorry.lean.terms import ZERO
from unsorry.lean.toolchain import Toolchain

N = Name.parse
SUBMISSION = """prelude
import Top
import All
theorem unfolds : Eq hidden (N.succ (N.succ N.zero)) := Eq.refl two
theorem reach : Eq right left := Eq.refl two
theorem twins : Eq two two := twin
theorem third : Eq three (N.succ hidden) := three_eq
theorem rests : Eq N.zero two := wished
"""


@pytest.fixture(scope="module")
def toolchain(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    return world(tmp_path_factory.mktemp("world"), embedded)


@pytest.fixture(scope="module")
def scope(toolchain: Toolchain) -> Scope:
    return Library(toolchain).scope([N("Top"), N("All")])


@pytest.fixture(scope="module")
def submission(toolchain: Toolchain) -> olean.Module:
    run = run_lean(toolchain, SUBMISSION, olean=True)
    assert run.ok and run.olean is not None, run.messages
    return olean.read(run.olean)


def test_the_reach_is_everything_below_with_its_private_part(scope: Scope, toolchain: Toolchain) -> None:
    """`import Right` and `meta import Left` of a module are seen by a plain file that imports that module."""
    assert set(scope.modules) == {N(m) for m in ("Base", "All", "Left", "Right", "Top")}
    assert scope.modules.index(N("Base")) == 0 and len(scope.paths) == 3 * len(scope.modules)
    names = [path.name for path in scope.paths]
    assert names[:3] == [f"Base.olean{part}" for part in PARTS]
    hidden = scope.find(N("hidden"))
    assert hidden is not None and hidden.kind is Kind.DEFINITION and hidden.value is not None
    secret = Name(("_private", "Base", 0, "secret"))
    assert secret in scope and scope.find(secret) is not None
    assert scope.trail(N("wished")).axioms == {N("wish")}
    assert not scope.trail(N("three_eq")).axioms


def test_two_modules_may_declare_one_theorem_and_nothing_else(toolchain: Toolchain, scope: Scope) -> None:
    """As Lean has it: the same file of a submission is accepted and refused by both."""
    twin = scope.find(N("twin"))
    assert twin is not None and twin.kind is Kind.THEOREM
    assert run_lean(toolchain, "prelude\nimport Left\nimport Right\ntheorem t : Eq two two := twin\n").ok
    assert not run_lean(toolchain, "prelude\nimport Left\nimport Clash\n").ok
    with pytest.raises(UnsorryError, match="both declare left"):
        Library(toolchain).scope([N("Left"), N("Clash")])


def test_the_kernel_unfolds_what_only_the_private_part_holds(
    toolchain: Toolchain, scope: Scope, submission: olean.Module
) -> None:
    own = submission.declarations
    request = encode(plan(list(own), own.get, scope.__contains__))
    with KernelProcess(toolchain, scope.paths) as kernel:
        reply = kernel.check(request)
        assert reply.ok, reply
    with KernelProcess(toolchain, [p for p in scope.paths if p.suffix == ".olean"]) as kernel:  # the exported views
        reply = kernel.check(request)
        assert not reply.ok and reply.logical
    whole = encode(plan(list(own), lambda name: own.get(name) or scope.find(name)))
    with KernelProcess(toolchain) as kernel:  # from nothing: everything that was read stands the kernel's check
        assert kernel.check(whole).ok


def test_a_false_value_of_a_hidden_definition_is_refused(toolchain: Toolchain, scope: Scope) -> None:
    run = run_lean(toolchain, "prelude\nimport Base\n"
                   "theorem t : Eq hidden (N.succ (N.succ N.zero)) := Eq.refl two\n", olean=True)  # fmt: skip
    assert run.olean is not None
    module = olean.read(run.olean)
    arena, own = module.arena, dict(module.declarations)
    false = arena.const(N("Eq"), (arena.succ(ZERO),))
    for argument in ("N", "hidden", "N.zero"):
        false = arena.app(false, arena.const(N(argument), ()))
    own[N("t")] = replace(own[N("t")], type=false)
    with KernelProcess(toolchain, scope.paths) as kernel:
        reply = kernel.check(encode(plan([N("t")], own.get, scope.__contains__)))
        assert not reply.ok and reply.logical


# --- broken libraries ---


def without(part: str) -> Callable[[Path], None]:
    return lambda folder: (folder / f"Base.olean{part}").unlink()


def cut(part: str, size: int) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / f"Base.olean{part}"
        path.write_bytes(path.read_bytes()[:size])

    return change


def swapped(folder: Path) -> None:
    server, private = (folder / f"Base.olean{part}" for part in PARTS[1:])
    a, b = server.read_bytes(), private.read_bytes()
    server.write_bytes(b)
    private.write_bytes(a)


def of_another(part: str) -> Callable[[Path], None]:
    return lambda folder: shutil.copy(folder / f"All.olean{part}", folder / f"Base.olean{part}") and None


def pointed_elsewhere(folder: Path) -> None:
    """The table of names of the private part lies in another module's region."""
    other = read_parts(folder, "All")[0]
    path = folder / "Base.olean.private"
    data = bytearray(path.read_bytes())
    base, root = struct.unpack_from("<2Q", data, 80)
    struct.pack_into("<Q", data, root - base + 16, struct.unpack_from("<Q", other, 88)[0])
    path.write_bytes(data)


BROKEN = {
    "no server part": without(".server"),
    "no private part": without(".private"),
    "truncated private part": cut(".private", 1200),
    "truncated server part": cut(".server", 400),
    "truncated exported part": cut("", 8000),
    "empty private part": cut(".private", 0),
    "swapped": swapped,
    "private part of another module": of_another(".private"),
    "server part of another module": of_another(".server"),
    "exported part of another module": of_another(""),
    "pointer to another module": pointed_elsewhere,
}


@pytest.mark.parametrize("what", BROKEN, ids=lambda w: w.replace(" ", "-"))
def test_a_broken_module_is_told_in_one_line(toolchain: Toolchain, tmp_path: Path, what: str) -> None:
    folder = tmp_path / "world"
    shutil.copytree(toolchain.library[0], folder)
    BROKEN[what](folder)
    with pytest.raises(UnsorryError, match=r"Base\.olean") as caught:
        Library(replace(toolchain, library=(folder,))).scope([N("All")])
    assert "\n" not in str(caught.value) and str(folder) in str(caught.value)


def test_damage_that_is_found_late_is_told_in_one_line(toolchain: Toolchain, tmp_path: Path) -> None:
    folder = tmp_path / "world"
    shutil.copytree(toolchain.library[0], folder)
    reader = olean.Reader(*read_parts(folder, "Base"))
    reader.declaration(N("hidden"))
    private = folder / "Base.olean.private"
    place = min(i for i in reader._extents if i > reader._image.parts[2].first and reader.words[i] == VALUES[
        Kind.DEFINITION])  # fmt: skip
    damaged = bytearray(private.read_bytes())
    struct.pack_into("<Q", damaged, 8 * (place - reader._image.parts[2].first + FIRST) + 16, 7)
    private.write_bytes(damaged)
    made = Library(replace(toolchain, library=(folder,))).scope([N("Base")])
    for read in (made.find, made.trail):
        with pytest.raises(UnsorryError, match=r"Base\.olean cannot be used") as caught:
            read(N("hidden"))
        assert "\n" not in str(caught.value)


def test_the_worker_refuses_parts_that_do_not_belong_together(toolchain: Toolchain, scope: Scope) -> None:
    base, server, private = scope.paths[:3]
    other = scope.paths[5]
    for paths in ([server], [base, private], [base, private, server], [base, server], [base, server, other],
                  [base, server, private, private]):  # fmt: skip
        with pytest.raises(UnsorryError, match="part"):
            KernelProcess(toolchain, paths)
    with pytest.raises(UnsorryError, match="does not come before it"):
        KernelProcess(toolchain, [private, server, base])


@pytest.mark.parametrize("what", ["no private part", "truncated private part", "private part of another module"])
def test_the_worker_does_not_start_on_broken_parts(
    toolchain: Toolchain, scope: Scope, tmp_path: Path, what: str
) -> None:
    folder = tmp_path / "world"
    shutil.copytree(toolchain.library[0], folder)
    BROKEN[what](folder)
    with (
        KernelProcess(toolchain, [folder / path.name for path in scope.paths]) as kernel,
        pytest.raises(UnsorryError, match="did not start") as caught,
    ):
        kernel.check(encode([]))
    assert "\n" not in str(caught.value)
