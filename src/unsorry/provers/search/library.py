"""The lemmas found so far: conjectures are filtered, proved in batches, and kept in the direction they rewrite."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unsorry.provers.search import portfolio
from unsorry.provers.search.evaluate import Evaluator, test
from unsorry.provers.search.exploration import Conjecture, Explorer, Symbol, applied_symbols, goal_of, symbols_of
from unsorry.provers.search.goals import Goal, prune
from unsorry.provers.search.oracle import Candidate, Lemma, Oracle
from unsorry.provers.search.portfolio import Tools
from unsorry.provers.search.rewriting import Rewriter, match, oriented, same_shape
from unsorry.provers.search.syntax import App, Const, constants
from unsorry.provers.search.theory import Theory

FIRST_SIZE = 5  # terms up to this size are enumerated before anything is proved
BATCH = 6  # conjectures tried in one elaboration
ROUNDS = 2  # tries for a conjecture that could not be proved


@dataclass
class Open:
    goal: Goal
    size: int
    tries: int = 0
    seen: int = -1  # number of lemmas at the last try


@dataclass
class Library:
    oracle: Oracle
    theory: Theory
    evaluator: Evaluator
    own: frozenset[str]
    prefix: str
    seed: int = 0
    lemmas: list[Lemma] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    open: list[Open] = field(default_factory=list)
    rewriter: Rewriter = field(default_factory=Rewriter)
    explorer: Explorer | None = None
    size: int = 1
    conjectures: int = 0

    def begin(self, goal: Goal) -> None:
        """Set exploration up for the functions of a goal."""
        levels = self._closure(goal)
        symbols: list[Symbol] = symbols_of(self.theory, levels) + applied_symbols(self.theory, goal)
        self.rewriter = Rewriter.of(self.theory)
        self.explorer = Explorer(self.theory, self.evaluator, symbols, self.seed, levels=levels)
        self.explorer.prepare()

    def _closure(self, goal: Goal) -> dict[str, int]:
        """Own functions of the goal and what they call, by distance, and constructors of their types."""
        levels = {name: 0 for name in goal.constants}
        todo = list(levels)
        while todo:
            name = todo.pop(0)
            function = self.theory.functions.get(name)
            if function is None or name not in self.own:
                continue
            for equation in function.equations:
                for called in sorted(constants(equation.rhs)):
                    if called not in levels:
                        levels[called] = levels[name] + 1
                        todo.append(called)
        kept = {n: d for n, d in levels.items() if n in self.own or n in goal.constants}
        for name in levels:
            datatype = self.theory.datatypes.get(name)
            if datatype is not None and name not in ("Bool", "Decidable", "Eq"):
                kept |= {c.name: 0 for c in datatype.constructors}
        return {n: 0 if n in self.theory.constructors else d for n, d in kept.items() if not n.startswith("Bool.")}

    def grow(self, seconds: float) -> int:
        """Explore and prove for about this long; how many lemmas were added.  -1 when exploration is exhausted."""
        assert self.explorer is not None
        until = time.monotonic() + seconds
        before = len(self.lemmas)
        while time.monotonic() < until:
            ready = [c for c in self.open if c.tries < ROUNDS and c.seen != len(self.lemmas)]
            if ready and self.size >= FIRST_SIZE:
                self._prove(sorted(ready, key=lambda c: c.size + 3 * c.tries)[:BATCH])
                continue
            if self.size >= 8 or self.explorer.count >= self.explorer.limit:
                return len(self.lemmas) - before or -1
            self.size += 1
            self.explorer.deadline = time.monotonic() + self.oracle.left(6.0)
            found = self.explorer.level(self.size)
            if self.size == FIRST_SIZE:
                self._enter(list(self.explorer.schemas(4)))
            self._enter(found)
            if self.size == FIRST_SIZE:
                self._enter(list(self.explorer.conditional(3)))
        return len(self.lemmas) - before

    def _enter(self, conjectures: Iterable[Conjecture]) -> None:
        for conjecture in sorted(conjectures, key=lambda c: c.size):
            goal = goal_of(conjecture)
            if goal is None:
                continue
            assert self.explorer is not None
            size = 2 * conjecture.left.size if conjecture.directed else conjecture.size
            self.conjecture(goal, size + 2 * self.explorer.depth_of(conjecture), conjecture.directed)

    def conjecture(self, goal: Goal, size: int, directed: bool = False) -> bool:
        """Queue a conjecture unless it is known, follows by rewriting, or fails on small values."""
        goal = goal if directed else self._orient(self._simplified(goal))
        if goal.key in self.keys:
            return False
        self.keys |= {goal.key, turned(goal).key}
        if self._follows(goal) or any(instance_of(goal, other.goal) for other in self.open):
            return False
        tested = test(self.evaluator, goal, 300, self.seed + 1)
        if tested.witness is not None or not tested.supported:
            return False
        self.conjectures += 1
        self.open.append(Open(goal, size))
        return True

    def _simplified(self, goal: Goal) -> Goal:
        """Both sides rewritten as far as known equations go, unless a conditional comes up."""
        if goal.propositions or not isinstance(goal.conclusion, App) or goal.conclusion.fn != Const("Eq"):
            return goal
        type_, left, right = goal.conclusion.args
        left, right = self.rewriter.normal(left), self.rewriter.normal(right)
        if left == right or any(isinstance(t, App) and t.fn == Const("ite") for t in (left, right)):
            return goal
        return prune(Goal(goal.context, App(Const("Eq"), (type_, left, right))), ())

    def _orient(self, goal: Goal) -> Goal:
        if not isinstance(goal.conclusion, App) or goal.conclusion.fn != Const("Eq"):
            return goal
        type_, left, right = goal.conclusion.args
        left, right = oriented(left, right, self.theory)
        return Goal(goal.context, App(Const("Eq"), (type_, left, right)))

    def _follows(self, goal: Goal) -> bool:
        if goal.propositions or not isinstance(goal.conclusion, App) or goal.conclusion.fn != Const("Eq"):
            return False
        _, left, right = goal.conclusion.args
        return self.rewriter.normal(left) == self.rewriter.normal(right)

    def _prove(self, batch: Sequence[Open]) -> None:
        candidates: list[Candidate] = []
        owners: list[int] = []
        for number, item in enumerate(batch):
            item.tries += 1
            item.seen = len(self.lemmas)
            if self._follows(item.goal):
                item.tries = ROUNDS
                continue
            tools = Tools(self.theory, self.own, portfolio.relevant(item.goal, self.lemmas, self.theory))
            simp = tools.simp_set(item.goal)
            tactics = [f"simp_all{simp}", *portfolio.inductions(item.goal, tools)[:6]]
            if item.tries > 1:
                tactics += portfolio.inductions_with_cases(item.goal, tools)[:8]
            candidates += [Candidate(item.goal, tactic) for tactic in tactics]
            owners += [number] * len(tactics)
        outcomes = self.oracle.attempt(candidates, self.lemmas)
        done: set[int] = set()
        for candidate, owner, outcome in zip(candidates, owners, outcomes, strict=True):
            if not outcome.proved or owner in done:
                continue
            done.add(owner)
            item = batch[owner]
            item.tries = ROUNDS
            if candidate.tactic.startswith("simp_all") or self._follows(item.goal):
                continue  # already known to simp
            self.add(item.goal, candidate.tactic)

    def add(self, goal: Goal, proof: str, uses: tuple[str, ...] | None = None) -> Lemma:
        name = f"{self.prefix}{len(self.lemmas) + 1}"
        lemma = Lemma(name, goal, proof, portfolio.mentions(proof, self.lemmas) if uses is None else uses)
        self.lemmas.append(lemma)
        self.rewriter.add_goal(goal)
        return lemma


def turned(goal: Goal) -> Goal:
    """The equation the other way round."""
    if not isinstance(goal.conclusion, App) or goal.conclusion.fn != Const("Eq"):
        return goal
    type_, left, right = goal.conclusion.args
    return Goal(goal.context, App(Const("Eq"), (type_, right, left)))


def instance_of(goal: Goal, general: Goal) -> bool:
    """Is an equation without premises an instance of another?"""
    if goal.propositions or general.propositions:
        return False
    return match(general.conclusion, goal.conclusion, {})


__all__ = ["Library", "Open", "same_shape"]
