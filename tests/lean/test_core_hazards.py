"""Where the core library and the binary's compiled code could disagree: names, ownership, and the values of operations
that the kernel or native code computes by itself."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from unsorry.lean import embedded as embedded_module
from unsorry.lean.process import Limits, run_lean
from unsorry.lean.toolchain import Toolchain

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import hazards
import kernel_nat
import native_values
from compiled import compiled, mangle, native_symbols

PATIENT = Limits(wall=300.0, cpu=300.0)


@pytest.fixture(scope="module")
def symbols(embedded: Toolchain) -> frozenset[str]:
    assert embedded.native
    return native_symbols(embedded.native)


def test_symbols_of_the_binary_are_found(symbols: frozenset[str]) -> None:
    assert {"initialize_Init_WF", "l_instHAdd", "lean_add_decl"} <= symbols
    assert mangle("term_+_") == "l_term___x2b__"


def test_no_module_has_an_upstream_name(embedded: Toolchain, symbols: frozenset[str]) -> None:
    assert hazards.upstream_modules(embedded.library[0], symbols) == []


def test_native_twins_do_not_free_what_core_lends(embedded: Toolchain, symbols: frozenset[str]) -> None:
    assert hazards.freed_twice(embedded.library[0], symbols) == []


def test_every_extern_function_exists(embedded: Toolchain, symbols: frozenset[str]) -> None:
    assert hazards.unbound(embedded.library[0], symbols) == []


def test_the_check_of_ownership_sees_a_borrowed_parameter(embedded: Toolchain, tmp_path: Path) -> None:
    made = run_lean(embedded, "def Trial.free (s : @& String) : Nat := s.length\n", olean=True)
    assert made.olean, made.errors
    (tmp_path / "Trial.olean").write_bytes(made.olean)
    found = {c.name: c.borrowed for c in compiled(tmp_path)}
    assert found["Trial.free"] == (True,)
    names = frozenset({mangle("Trial.free")})
    assert [c.name for c in hazards.freed_twice(tmp_path, names)] == ["Trial.free"]
    assert hazards.freed_twice(tmp_path, names | {mangle("Trial.free") + "___boxed"}) == []


def test_kernel_evaluates_nat_as_core_defines_it(embedded: Toolchain) -> None:
    run = run_lean(embedded, kernel_nat.source(embedded_module.SOURCES), limits=PATIENT)
    assert run.ok, run.errors


def test_a_wrong_copy_of_a_nat_operation_is_noticed(embedded: Toolchain) -> None:
    source = kernel_nat.source(embedded_module.SOURCES)
    assert (wrong := source.replace("Nat.pred a", "Nat.pred (a + 1)")) != source
    assert not run_lean(embedded, wrong, limits=PATIENT).ok


def test_compiled_conditions_take_the_right_branch(embedded: Toolchain) -> None:
    # the compiler folds an equation of literals to a Boolean, which conditionals and `decide` must be able to match
    conditions = ("2 = 2", "2 + 2 = 4", "¬3 = 4", "(2 == 2) = true", "true = true", "5 ≤ 7", "¬7 < 5", "'a' = 'a'")
    tests = [
        f"def c{i} : Nat := if {c} then 1 else 2\n#guard c{i} == 1\n#guard decide ({c})\n"
        for i, c in enumerate(conditions)
    ]
    run = run_lean(embedded, "".join(tests), limits=PATIENT)
    assert run.ok, run.errors


def agree(embedded: Toolchain, cases: list[tuple[str, str]]) -> None:
    evaluated = run_lean(embedded, native_values.evaluations(cases), limits=PATIENT)
    assert evaluated.ok, evaluated.errors
    values = [m.text for m in evaluated.messages]
    confirmed = run_lean(embedded, native_values.equations(cases, values), limits=PATIENT)
    assert confirmed.ok, confirmed.errors


def test_native_values_are_those_of_the_definitions(embedded: Toolchain) -> None:
    agree(embedded, random.Random(1).sample(native_values.expressions(7), 120))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8])
def test_native_values_of_every_operation(embedded: Toolchain, seed: int) -> None:
    agree(embedded, native_values.expressions(seed))
