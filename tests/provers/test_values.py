"""Small values: enumeration counts what Lean enumerates, conjectures are sorted into true, false and unknown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Problem
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.enumeration import PRELUDE, Tables, compositions
from unsorry.provers.telescope import Ind, Unsupported, telescope
from unsorry.provers.values import MODELS, compile_statement, find_witness, test_conjectures

conjectures = test_conjectures  # not a test
del test_conjectures

TREE = """inductive tree (a : Type) where
  | leaf
  | node (left : tree a) (label : a) (right : tree a)
  deriving DecidableEq
inductive rose where
  | rose (children : List rose)
def mirror {a : Type} : tree a → tree a
  | .leaf => .leaf
  | .node l x r => .node (mirror r) x (mirror l)
"""


@pytest.fixture(scope="module")
def session(embedded: Toolchain) -> Iterator[Session]:
    with Session(embedded) as running:
        yield running


@given(st.integers(0, 9), st.integers(0, 4))
def test_compositions(total: int, parts: int) -> None:
    made = list(compositions(total, parts))
    assert len(set(made)) == len(made)
    assert all(len(c) == parts and sum(c) == total and min(c, default=1) > 0 for c in made)


@pytest.mark.parametrize(
    "type_", ["tree Bool", "tree Nat", "rose", "Bool → Bool", "List Int", "Nat → Option Bool", "Int × Bool"]
)
def test_tables_have_the_length_that_was_counted(type_: str, session: Session) -> None:
    problem = Problem(id="t", preamble=TREE, statement=f"theorem t (x : {type_}) : True := by sorry", targets=("t",))
    compiled = compile_statement(problem, session)
    (variable,) = telescope(compiled.type, compiled.environment, MODELS[0]).values
    tables = Tables(compiled.environment, 2000)
    column = tables.index(variable.type)
    largest = tables.grow([column], 500)
    names = [f"UnsorryValues.t{column}_{s}" for s in range(1, largest + 1) if tables.counts[column][s]]
    text = "\n".join([problem.source, PRELUDE, *tables.definitions(), *(f"#eval ({n}).length" for n in names)])
    run = session.check(text + "\n")
    assert not run.errors, run.errors
    said = [int(m.text) for m in run.messages if m.severity == "information"]
    assert said == [c for c in tables.counts[column][1 : largest + 1] if c]
    assert 1 < sum(said) <= 500


def test_conjectures_are_sorted(session: Session) -> None:
    problem = Problem(id="t", preamble=TREE, statement="theorem t : True := by sorry", targets=("t",))
    claims = {
        "{a : Type} (x : tree a) : mirror (mirror x) = x": True,
        "{a : Type} (x : tree a) : mirror x = x": False,
        "(x : tree Nat) (h : mirror x = .leaf) : x = .leaf": True,
        "(n : Nat) : ∃ m, n < m": None,
        "(f : Nat → Nat) (n : Nat) : f n = f 0": False,
    }
    assert conjectures(problem, list(claims), session, timeout=60) == list(claims.values())


def test_a_conjecture_that_does_not_elaborate_spoils_no_other(session: Session) -> None:
    problem = Problem(id="t", statement="theorem t : True := by sorry", targets=("t",))
    asked = ["(n : Nat) : n = nonsense.first", "(n : Nat) : n = 0", "(n : Nat) : n = n"]
    assert conjectures(problem, asked, session, timeout=60) == [
        None, False, True]  # fmt: skip


def test_smallest_witness_first(session: Session) -> None:
    problem = Problem(
        id="t", preamble=TREE, targets=("t",), statement="theorem t {a : Type} (x : tree a) : mirror x = x := by sorry"
    )
    witness = next(iter(find_witness(compile_statement(problem, session), session, timeout=20)))
    assert str(witness).startswith("x = (tree.node ")
    assert str(witness).count("node") == 2


def test_what_cannot_be_run_is_said(session: Session) -> None:
    problem = Problem(id="t", statement="theorem t (n : Nat) : ∃ m, m < n := by sorry", targets=("t",))
    with pytest.raises(Unsupported):
        next(iter(find_witness(compile_statement(problem, session), session, timeout=5)))


def test_types_print_as_lean() -> None:
    assert Ind(MODELS[0].name).text() == "_root_.Bool"
