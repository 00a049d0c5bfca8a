"""Options of the generated world: names drawn at random, definitions tagged for the simplifier."""

from __future__ import annotations

import re

import pytest

from unsorry import UnsorryError
from unsorry.lean.process import Unconfined, run_lean
from unsorry.lean.source import parse
from unsorry.lean.toolchain import Toolchain
from unsorry.problems.world import WorldConfig, generate
from unsorry.problems.world.names import POOL
from unsorry.provers.search.quick import candidates
from unsorry.provers.search.statement import locate

SMALL = {"train": 30, "valid": 6, "test": 6, "guard": 4, "false": 0.5}


def test_only_names_of_functions_and_lemmas_change() -> None:
    own, drawn = generate(WorldConfig(**SMALL), 3), generate(WorldConfig(**SMALL, names="random"), 3)
    assert [i.problem.id for i in own.items] == [i.problem.id for i in drawn.items]
    changed = 0
    for before, after in zip(own.items, drawn.items, strict=True):
        old, new = before.problem.source.split(), after.problem.source.split()
        assert len(old) == len(new)
        assert before.problem.family == after.problem.family
        defined = re.findall(r"^(?:def|theorem) (\w+)", after.problem.source, re.M)
        assert all(name in POOL for name in defined if name != "t")
        assert len(set(defined)) == len(defined)
        changed += old != new
    assert changed > len(own.items) / 2


def test_one_name_means_many_things() -> None:
    """A name says nothing about what it stands for: that is what the definitions are for."""
    bodies: dict[str, set[str]] = {}
    for item in generate(WorldConfig(train=200, valid=10, test=10, guard=10, names="random"), 0).items:
        for name, type_ in re.findall(r"^def (\w+) : (.*)$", item.problem.source, re.M):
            bodies.setdefault(name, set()).add(type_)
    assert sum(len(types) > 1 for types in bodies.values()) > len(bodies) * 0.8


def test_lean_reads_them_and_their_negations(embedded: Toolchain) -> None:
    world = generate(WorldConfig(**SMALL, names="random"), 5)
    parts = [
        f"namespace P{number}{side}\n{problem.source}end P{number}{side}\n"
        for number, item in enumerate(world.items[:25])
        for side, problem in (("a", item.problem), ("b", item.negation))
    ]
    run = run_lean(embedded, "".join(parts), confinement=Unconfined())
    assert not [message for message in run.messages if message.severity == "error"]


def test_an_unknown_kind_of_names_is_one_line() -> None:
    with pytest.raises(UnsorryError, match='choose "own" or "random"'):
        WorldConfig(names="mixed")


def test_tagged_definitions_need_no_names(embedded: Toolchain) -> None:
    """With tags, the short proofs of search name nothing, and Lean accepts one for most problems."""
    world = generate(WorldConfig(**SMALL, tagged=True, difficulties=(1, 2)), 5)
    problems = world.problems("train")[:12]
    parts, tried = [], 0
    for number, problem in enumerate(problems):
        assert "@[simp] def" in problem.source and "\ndef" not in problem.source
        short = candidates(locate(problem))
        assert not [text for text in short if "[" in text]
        tried += len(short)
        first = " | ".join(f"({text}; done)" for text in short)
        proof = f"by first | {first}"
        parts.append(f"namespace P{number}\n{problem.source.replace('by sorry', proof)}end P{number}\n")
    run = run_lean(embedded, "".join(parts), confinement=Unconfined())
    failed = {message.line for message in run.messages if message.severity == "error"}
    assert tried > 2 * len(problems)
    assert len(failed) <= len(problems) // 3
    own = generate(WorldConfig(**SMALL, difficulties=(1, 2)), 5).problems("train")[:12]
    assert any("[" in text for problem in own for text in candidates(locate(problem)))
    assert parse(problems[0].source).declaration("t") is not None
