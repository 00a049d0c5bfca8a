"""The tiny world: truth, families, splits, and that Lean takes every problem."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from unsorry import UnsorryError
from unsorry.lean.process import Limits, run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.problems.world import SPLITS, Item, World, WorldConfig, generate
from unsorry.problems.world.canonical import canonical
from unsorry.problems.world.definitions import DATATYPES, ELEMENTS, SOURCES
from unsorry.problems.world.falsehoods import false_neighbour
from unsorry.problems.world.language import language
from unsorry.problems.world.statements import (
    Draft,
    counterexample,
    drafts,
    given_families,
    holds,
    lemmas,
    properties,
    read,
)
from unsorry.problems.world.terms import Term, parse


@pytest.fixture(scope="module")
def world() -> World:
    return generate(WorldConfig(), 0)


@pytest.fixture(scope="module")
def every() -> list[Draft]:
    return list(drafts())


def test_same_seed_same_world(world: World) -> None:
    again = generate(WorldConfig(), 0)
    assert again.items == world.items
    small = WorldConfig(train=20, valid=5, test=5, guard=2)
    assert generate(small, 1).items != generate(small, 2).items


def test_counts_are_those_asked_for(world: World) -> None:
    config = WorldConfig()
    for split in SPLITS:
        assert len(world.problems(split)) == getattr(config, split)
    assert len(world.problems("train", truth=False)) == round(config.false * config.train)
    assert not world.problems("guard", truth=False)
    assert len(world.problems("train", truth=None)) == config.train + round(config.false * config.train)


def test_difficulties_are_spread_evenly_and_guard_is_easy(world: World) -> None:
    found = Counter(i.difficulty for i in world.items if i.problem.split == "train" and i.truth)
    assert set(found.values()) == {60}
    assert {i.difficulty for i in world.items if i.problem.split == "guard"} <= {1, 2}
    easy = generate(WorldConfig(difficulties=(1, 2)), 0)
    assert {i.difficulty for i in easy.items} == {1, 2}


def test_whole_families_are_held_out(world: World) -> None:
    members: dict[str, set[str]] = {}
    for item in world.items:
        members.setdefault(item.problem.split, set()).add(item.problem.family)
    assert not members["train"] & (members["valid"] | members["test"])
    assert not members["valid"] & members["test"]
    assert members["guard"] <= {d.family for d in drafts()} - members["valid"] - members["test"]
    assert len(members["test"]) >= 25


@pytest.mark.parametrize("seed", range(3))
def test_what_is_given_as_a_lemma_is_never_held_out(seed: int) -> None:
    """A naive split would hold `add_comm` out and print its proof before half of the training problems on trees."""
    world = generate(WorldConfig(train=5000, valid=5000, test=5000, guard=5000, false=0.0), seed)
    held = {i.problem.family for i in world.items if i.problem.split in ("valid", "test")}
    assert not held & given_families()
    assert {"add_comm", "add_unit", "le_step", "rev_app"} <= given_families()


def test_no_problem_is_another_with_other_names(world: World) -> None:
    sources = Counter(i.problem.source for i in world.items)
    assert max(sources.values()) == 1
    assert len({i.problem.id for i in world.items}) == len(world.items)


def test_renamed_drafts_have_one_canonical_form(every: list[Draft]) -> None:
    """`size#1` and `inner` are the same function by two names: their statements alone differ in text."""
    texts = {d.family: canonical(d) for d in every if d.form == "plain" and d.family in ("len_put", "slen_front")}
    assert len(set(texts.values())) == 2  # lists that grow at the front or the end are not copies
    one = next(d for d in every if d.family == "app_assoc")
    assert "app" not in canonical(one)
    assert canonical(one) == canonical(one)


def test_true_statements_hold_on_all_small_values(every: list[Draft]) -> None:
    rng = random.Random(0)
    for draft in rng.sample(every, 150):
        assert counterexample(draft.statement, draft.language, most=120) is None, (draft.family, draft.form)


def test_false_neighbours_come_with_values_that_refute_them(world: World, every: list[Draft]) -> None:
    false = [i for i in world.items if not i.truth]
    assert false
    for item in false:
        assert item.witness
        assert world.by_id[item.neighbour].truth
        assert world.by_id[item.neighbour].problem.split == item.problem.split
    rng = random.Random(1)
    for draft in rng.sample(every, 40):
        made = false_neighbour(draft, rng)
        if made is not None:
            mutant, witness = made
            assert set(witness) == {name for name, _ in mutant.statement.variables}
            assert not holds((mutant.statement.left, mutant.statement.right), mutant.language, witness)
            assert all(holds(pair, mutant.language, witness) for _, pair in mutant.statement.hypotheses)


def test_negations_quantify_over_everything(world: World) -> None:
    for item in world.items:
        negation = world.negation(item.problem)
        signature, conclusion = (
            item.problem.statement.removeprefix("theorem t ").split(" : ", 1)[0],
            item.problem.statement,
        )
        assert negation.statement.startswith("theorem t : ¬ (∀ (")
        assert signature.split(" ")[0] in negation.statement
        assert conclusion.removesuffix(" := by sorry").rsplit(") : ", 1)[1] in negation.statement
        assert negation.preamble == item.problem.preamble
        assert negation.id != item.problem.id


def test_lean_takes_every_kind_of_problem(embedded: Toolchain, every: list[Draft]) -> None:
    """One problem of each family and element type, with its negation; each file by itself is what a prover is shown."""
    world = generate(WorldConfig(train=5000, valid=5000, test=5000, guard=5000, false=0.1), 0)
    chosen: dict[tuple[str, bool, int], Item] = {}
    for item in world.items:
        chosen.setdefault((item.problem.family, item.truth, item.difficulty), item)
    items = random.Random(2).sample(list(chosen.values()), 60)
    for batch in (items[:30], items[30:]):
        lines: list[str] = []
        owners: list[str] = []
        for number, item in enumerate(batch):
            negation = f"namespace Q\n{item.negation.statement}\nend Q\n"
            text = f"namespace P{number}\n{item.problem.source}{negation}end P{number}\n"
            lines.append(text)
            owners += [item.problem.id] * text.count("\n")
        run = run_lean(embedded, "".join(lines), limits=Limits(wall=300))
        assert [(owners[m.line - 1], m.text) for m in run.messages if m.severity == "error"] == []


def test_names_are_free_in_the_core_library(embedded: Toolchain) -> None:
    names = {key.split("#")[0] for key in SOURCES} | set(DATATYPES) | {lemma.name for lemma in lemmas()} | {"t"}
    names |= {part.split(" (")[0].strip() for text in DATATYPES.values() for part in text.split(" | ")}
    ordered = sorted(names)
    for start in range(0, len(ordered), 80):  # Lean stops after 100 errors
        part = ordered[start : start + 80]
        run = run_lean(embedded, "".join(f"#check @{name}\n" for name in part), limits=Limits(wall=120))
        unknown = {m.line for m in run.messages if m.severity == "error"}
        assert [name for line, name in enumerate(part, 1) if line not in unknown] == []


def test_the_limit_on_heartbeats_is_in_the_preamble(world: World) -> None:
    assert all(i.problem.preamble.startswith("set_option maxHeartbeats 4000\n") for i in world.items)
    free = generate(WorldConfig(train=4, valid=0, test=0, guard=0, heartbeats=0), 0)
    assert all("set_option" not in i.problem.source for i in free.items)


def test_each_family_has_problems_and_each_lemma_is_used() -> None:
    used = {name for row in properties() for name in row.lemmas}
    used |= {name for lemma in lemmas() for name in lemma.lemmas}
    assert {lemma.name for lemma in lemmas()} == used
    assert {d.family for d in drafts()} == {row.family for row in properties()}


def test_values_are_listed_small_ones_first() -> None:
    spoken = language((), ("L",), (), "B")
    found = [str(v) for v in spoken.values("L", 7)]
    assert found[:4] == ["nil", "cons on nil", "cons off nil", "cons on (cons on nil)"]
    assert len(found) == 7


def test_evaluation_follows_the_equations() -> None:
    spoken = language(("rev#1", "app#1"), ("L",), (), "B")
    value = spoken.evaluate(parse("rev (cons on (cons off nil))"), {})
    assert str(value) == "cons off (cons on nil)"
    assert spoken.evaluate(parse("app l l"), {"l": parse("cons on nil")}) == parse("cons on (cons on nil)")


def test_a_statement_is_read_with_its_premises() -> None:
    found = read("(x y : N) (h : le x y = true) : le x (s y) = true", "N")
    assert found.variables == (("x", "N"), ("y", "N"))
    assert found.binders == "(x y : N) (h : le x y = true)"
    assert found.right == Term("true")


@pytest.mark.parametrize("text", ["(x", "", "f (x", "f ()"])
def test_terms_that_do_not_end(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"train": -1}, "train"),
        ({"false": 1.5}, "false"),
        ({"valid_share": 0.6, "test_share": 0.5}, "no family to train on"),
        ({"difficulties": (5,)}, "difficulties"),
        ({"difficulties": ()}, "difficulties"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], said: str) -> None:
    with pytest.raises(UnsorryError, match=said):
        WorldConfig(**options)  # type: ignore[arg-type]


def test_elements_have_types_and_operations() -> None:
    for element, operation in ELEMENTS.items():
        assert element in DATATYPES
        assert operation in SOURCES or operation == "s"
