"""The lemmas found so far: conjectures are filtered, proved in batches, and kept in the direction they rewrite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unsorry.provers.search import portfolio
from unsorry.provers.search.agenda import Agenda
from unsorry.provers.search.conjectures import goal_of
from unsorry.provers.search.evaluate import Evaluator
from unsorry.provers.search.exploration import Explorer
from unsorry.provers.search.goals import Goal, prune
from unsorry.provers.search.oracle import Candidate, Lemma, Oracle
from unsorry.provers.search.portfolio import Tools
from unsorry.provers.search.rewriting import Rewriter, match, oriented, same_shape
from unsorry.provers.search.symbols import Conjecture, Symbol, applied_symbols, symbols_of
from unsorry.provers.search.syntax import App, Const, constants
from unsorry.provers.search.testing import test
from unsorry.provers.search.theory import Theory
from unsorry.provers.search.tree import extract

FIRST_SIZE = 5  # terms up to this size are enumerated before anything is proved
BATCH = 10  # conjectures tried in one elaboration
DEEP_STEPS = 14  # of the search that a resisting conjecture gets
ROUNDS = 4  # tries for a conjecture that could not be proved


@dataclass
class Open:
    goal: Goal
    size: int
    tries: int = 0
    deep: bool = False  # has it had a search of its own?
    agenda: Agenda | None = None  # of that search
    steps: int = 0  # done in it
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
    everything: list[Lemma] = field(default_factory=list)  # with the steps towards lemmas, in order of proof
    open: list[Open] = field(default_factory=list)
    rewriter: Rewriter = field(default_factory=Rewriter)
    explorer: Explorer | None = None
    size: int = 1
    conjectures: int = 0

    def begin(self, goal: Goal) -> None:
        """Set exploration up for the functions of a goal."""
        levels = self._closure(goal)
        symbols: list[Symbol] = symbols_of(self.theory, levels) + applied_symbols(self.theory, goal, levels)
        self.rewriter = Rewriter.of(self.theory)
        self.explorer = Explorer(self.theory, self.evaluator, symbols, self.seed, self.oracle.clock, levels=levels)
        self.explorer.prepare()

    def _closure(self, goal: Goal) -> dict[str, int]:
        """Own functions of the goal and what they call, by distance, and constructors of their types."""
        levels = dict.fromkeys(goal.constants, 0)
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

    def grow(self, amount: float) -> int:
        """Explore and prove for about this long; how many lemmas were added.  -1 when exploration is exhausted."""
        assert self.explorer is not None
        clock = self.oracle.clock
        until = clock.now() + amount
        before = len(self.lemmas)
        while clock.now() < until:
            ready = [c for c in self.open if c.tries < ROUNDS and (c.tries < 2 or c.seen != self._helpful(c.goal))]
            if ready and self.size >= FIRST_SIZE:
                ready.sort(key=lambda c: c.size + 3 * c.tries)
                self._prove(ready[:BATCH] if ready[0].tries != 1 else ready[: BATCH // 2])
                continue
            if self.size >= FIRST_SIZE and self._deepen(until):
                continue
            if self.size >= 8 or self.explorer.count >= self.explorer.limit:
                return len(self.lemmas) - before or -1
            self.size += 1
            self.explorer.begin(6.0)
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
            if conjecture.directed:
                rank = conjecture.left.size + 1
            else:
                rank = conjecture.size + 2 * self.explorer.depth_of(conjecture)
                rank += 2 * max(0, conjecture.left.built() + conjecture.right.built() - 1)
            self.conjecture(goal, rank, conjecture.directed)

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

    def _helpful(self, goal: Goal) -> int:
        return len(portfolio.relevant(goal, self.lemmas, self.theory))

    def _prove(self, batch: Sequence[Open]) -> None:
        candidates: list[Candidate] = []
        owners: list[int] = []
        for number, item in enumerate(batch):
            item.tries += 1
            item.seen = self._helpful(item.goal)
            if self._follows(item.goal):
                item.tries, item.deep = ROUNDS, True
                continue
            tools = Tools(self.theory, self.own, portfolio.relevant(item.goal, self.lemmas, self.theory))
            simp = tools.simp_set(item.goal)
            tactics = [f"simp_all{simp}"]
            steps = portfolio.inductions(item.goal, tools)
            quick = [
                *[t for t in steps if t.startswith("fun_induction")][:1],
                *[t for t in steps if t.startswith("induction")][:2],
            ]
            if item.tries != 2:
                tactics += quick
            else:
                tactics += [t for t in steps if t not in quick][:6] + portfolio.inductions_with_cases(item.goal, tools)[
                    :6
                ]
            candidates += [Candidate(item.goal, tactic) for tactic in tactics]
            owners += [number] * len(tactics)
        outcomes = self.oracle.attempt(candidates, self.lemmas)
        done: set[int] = set()
        for candidate, owner, outcome in zip(candidates, owners, outcomes, strict=True):
            if not outcome.proved or owner in done:
                continue
            done.add(owner)
            item = batch[owner]
            item.tries, item.deep = ROUNDS, True
            if candidate.tactic.startswith("simp_all") or self._follows(item.goal):
                continue  # already known to simp
            self.add(item.goal, candidate.tactic, item.size)

    def _deepen(self, until: float) -> bool:
        """Give the smallest conjecture that resisted a search of its own; False when there is none."""
        waiting = [c for c in self.open if not c.deep and c.tries >= 2 and not self._known(c.goal)]
        if not waiting:
            return False
        item = min(waiting, key=lambda c: c.size)
        if item.agenda is None:
            item.agenda = Agenda(self.oracle, self.theory, self.evaluator, self.own, self.seed, list(self.lemmas))
            item.agenda.start(item.goal)
        agenda, root = item.agenda, item.agenda.root
        assert root is not None
        while item.steps < DEEP_STEPS and root.proof is None and self.oracle.clock.now() < until:
            item.steps += 1
            if not agenda.step():
                item.steps = DEEP_STEPS
        item.deep = item.steps >= DEEP_STEPS or root.proof is not None
        if root.proof is not None:
            text, parts = extract(root, f"{self.prefix}{len(self.everything) + 1}_")
            self.everything += parts
            item.tries = ROUNDS
            self.add(item.goal, text, item.size, root.proof.lemmas + tuple(part.name for part in parts))
        return True

    def _known(self, goal: Goal) -> bool:
        return any(lemma.goal.key == goal.key for lemma in self.lemmas)

    def add(self, goal: Goal, proof: str, rank: int, uses: tuple[str, ...] | None = None) -> Lemma:
        name = f"{self.prefix}{len(self.everything) + 1}"
        lemma = Lemma(name, goal, proof, portfolio.mentions(proof, self.lemmas) if uses is None else uses, rank)
        self.lemmas.append(lemma)
        self.everything.append(lemma)
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
