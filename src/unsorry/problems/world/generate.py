"""`generate(config, seed)`: a world of inductive problems with known truth, in families, split by family."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from unsorry import Problem, UnsorryError
from unsorry.problems import splits
from unsorry.problems.world import render
from unsorry.problems.world.canonical import canonical
from unsorry.problems.world.falsehoods import false_neighbour
from unsorry.problems.world.names import renamed, renaming
from unsorry.problems.world.statements import Draft, drafts, given_families

SPLITS = ("train", "valid", "test", "guard")


@dataclass(frozen=True, slots=True)
class WorldConfig:
    """How many true problems each split gets, at most; `false` is the number of false neighbours for each true one."""

    train: int = 240
    valid: int = 60
    test: int = 80
    guard: int = 30  # easy problems of training families, for a test of no regression
    false: float = 0.25
    difficulties: tuple[int, ...] = (1, 2, 3, 4)
    valid_share: float = 0.2  # of the families
    test_share: float = 0.25
    guard_share: float = 0.15  # of the easy problems of training families
    heartbeats: int = 4000  # of each command, in thousands; 0 is Lean's own limit
    tagged: bool = False  # definitions and lemmas are `@[simp]`: a proof chooses its steps and need not name them
    names: str = "own"  # of functions and lemmas: their own, or "random": drawn for each problem from one small pool

    def __post_init__(self) -> None:
        for name in ("train", "valid", "test", "guard", "heartbeats"):
            if getattr(self, name) < 0:
                raise UnsorryError(f"world: `{name}` is {getattr(self, name)}; it must be at least 0")
        for name in ("false", "valid_share", "test_share", "guard_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise UnsorryError(f"world: `{name}` is {getattr(self, name)}; it must be between 0 and 1")
        if self.valid_share + self.test_share >= 1:
            raise UnsorryError("world: `valid_share` and `test_share` leave no family to train on; lower one")
        if self.names not in ("own", "random"):
            raise UnsorryError(f'world: `names` is {self.names!r}; choose "own" or "random"')
        if not self.difficulties or not set(self.difficulties) <= {1, 2, 3, 4}:
            raise UnsorryError(f"world: `difficulties` is {self.difficulties}; choose from 1, 2, 3, 4")


@dataclass(frozen=True)
class Item:
    """A problem and what is known of it by construction."""

    problem: Problem
    difficulty: int  # 1: computation or cases, 2: one induction, 3: with a given lemma or generalised, 4: lemma to find
    truth: bool
    negation: Problem
    witness: Mapping[str, str] = field(default_factory=dict)  # values that refute a false statement
    neighbour: str = ""  # id of the true statement that a false one was made from


@dataclass(frozen=True)
class World:
    items: tuple[Item, ...]
    seed: int

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        return {item.problem.id: item for item in self.items}

    def problems(self, split: str, truth: bool | None = True) -> list[Problem]:
        """The problems of a split; `truth` None is all of them."""
        return [i.problem for i in self.items if i.problem.split == split and truth in (None, i.truth)]

    def negation(self, problem: Problem) -> Problem:
        """The problem that asks for a proof of the statement's negation."""
        return self.by_id[problem.id].negation

    @property
    def families(self) -> tuple[str, ...]:
        return tuple(sorted({item.problem.family for item in self.items}))


def generate(config: WorldConfig | None = None, seed: int = 0) -> World:
    """The world of a seed.  No two of its problems are equal up to names."""
    config = config or WorldConfig()
    pools: dict[str, list[tuple[str, Draft]]] = {split: [] for split in SPLITS}
    seen: set[str] = set()
    for draft in drafts():
        if draft.difficulty not in config.difficulties:
            continue
        form = canonical(draft)
        if form in seen:
            continue
        seen.add(form)
        key = hashlib.sha256(form.encode()).hexdigest()[:8]
        pools[_split(draft, config, seed)].append((f"{draft.family}-{key}", draft))
    items: list[Item] = []
    for split in SPLITS:
        rng = random.Random(f"{seed}/{split}")  # noqa: S311  (a choice of problems, no secret)
        chosen = _spread(pools[split], getattr(config, split), rng)
        items += [_item(name, draft, split, config) for name, draft in chosen]
        if split != "guard":
            items += _false(chosen, round(config.false * len(chosen)), split, config, seen, rng)
    return World(tuple(items), seed)


def _split(draft: Draft, config: WorldConfig, seed: int) -> str:
    shares = {"test": config.test_share, "valid": config.valid_share}
    if draft.family in given_families():
        return "train"
    split = splits.split_of(draft.family, shares, seed)
    if split == "train" and draft.difficulty <= 2:
        said = f"{draft.family}: {draft.statement.conclusion}"  # with every element type: they read the same
        return "guard" if splits.place(said, seed) < config.guard_share else "train"
    return split


def _spread(pool: list[tuple[str, Draft]], count: int, rng: random.Random) -> list[tuple[str, Draft]]:
    """`count` of the pool, spread over difficulties, and over families within each."""
    queues: dict[int, list[tuple[str, Draft]]] = {}
    for difficulty in sorted({draft.difficulty for _, draft in pool}):
        members: dict[str, list[tuple[str, Draft]]] = {}
        for entry in pool:
            if entry[1].difficulty == difficulty:
                members.setdefault(entry[1].family, []).append(entry)
        families = list(members)
        rng.shuffle(families)
        for family in families:
            rng.shuffle(members[family])
        longest = max(len(m) for m in members.values())
        queues[difficulty] = [members[f][i] for i in range(longest) for f in families if i < len(members[f])]
    chosen: list[tuple[str, Draft]] = []
    while len(chosen) < count and any(queues.values()):
        for queue in queues.values():
            if queue and len(chosen) < count:
                chosen.append(queue.pop(0))
    return chosen


def _item(name: str, draft: Draft, split: str, config: WorldConfig) -> Item:
    return Item(
        _problem(draft, name, split, config),
        draft.difficulty,
        True,
        _problem(draft, name, split, config, negation=True),
    )


def _problem(draft: Draft, name: str, split: str, config: WorldConfig, *, negation: bool = False) -> Problem:
    identifier = f"{name}-not" if negation else name
    made = render.problem(draft, identifier, split, config.heartbeats, negation=negation, tagged=config.tagged)
    return renamed(made, renaming(draft, name)) if config.names == "random" else made


def _false(
    chosen: list[tuple[str, Draft]], count: int, split: str, config: WorldConfig, seen: set[str], rng: random.Random
) -> list[Item]:
    found: list[Item] = []
    order = list(chosen)
    rng.shuffle(order)
    for name, draft in order:
        if len(found) >= count:
            break
        made = false_neighbour(draft, rng)
        if made is None:
            continue
        neighbour, witness = made
        form = canonical(neighbour)
        if form in seen:
            continue
        seen.add(form)
        key = f"{draft.family}-{hashlib.sha256(form.encode()).hexdigest()[:8]}"
        found.append(
            Item(
                _problem(neighbour, key, split, config),
                draft.difficulty,
                False,
                _problem(neighbour, key, split, config, negation=True),
                {variable: str(value) for variable, value in witness.items()},
                name,
            )
        )
    return found
