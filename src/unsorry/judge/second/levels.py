"""Universe levels: normal forms by cases, and the order between them.

A level denotes a function from assignments of its parameters to natural numbers; `imax a b` is 0 when b is 0.
`leq(a, b)` holds iff the one is below the other under every assignment.  Only an `imax` over a parameter resists
simplification; it is decided by the two cases that the parameter is 0 or a successor.
"""

from __future__ import annotations

from collections.abc import Mapping

from unsorry.judge.second.errors import Budget, Refused
from unsorry.lean.names import Name
from unsorry.lean.terms import ZERO, Arena, IMax, Level, Max, Param, Succ, Zero
from unsorry.lean.traversal import level_postorder


class Levels:
    """Operations on levels of one arena."""

    def __init__(self, arena: Arena, budget: Budget) -> None:
        self.arena = arena
        self.budget = budget
        self._simple: dict[Level, Level] = {}

    def instantiate(self, level: Level, values: Mapping[Name, Level]) -> Level:
        """Replace parameters; one that has no value is an error of the declaration."""
        if not values:
            return level
        done: dict[Level, Level] = {}
        for node in level_postorder(level, done=done):
            if isinstance(node, Param):
                done[node] = values.get(node.name, node)
            elif isinstance(node, Succ):
                done[node] = self.arena.succ(done[node.level])
            elif isinstance(node, Max):
                done[node] = self.arena.max(done[node.left], done[node.right])
            elif isinstance(node, IMax):
                done[node] = self.arena.imax(done[node.left], done[node.right])
            else:
                done[node] = node
        return done[level]

    def well_formed(self, level: Level, params: tuple[Name, ...]) -> None:
        """Every parameter is declared."""
        done: dict[Level, None] = {}
        for node in level_postorder(level, done=done):
            if isinstance(node, Param) and node.name not in params:
                raise Refused(f"universe parameter {node.name} is not declared")
            done[node] = None

    def simplify(self, level: Level) -> Level:
        """An equal level without an `imax` whose right side is known to be zero or positive."""
        done = self._simple
        for node in level_postorder(level, done=done):
            done[node] = self._simplify_node(node, done)
        return done[level]

    def _simplify_node(self, node: Level, done: dict[Level, Level]) -> Level:
        if isinstance(node, Succ):
            return self.arena.succ(done[node.level])
        if isinstance(node, Max):
            return self._max(done[node.left], done[node.right])
        if isinstance(node, IMax):
            return self._imax(done[node.left], done[node.right])
        return node

    def _max(self, a: Level, b: Level) -> Level:
        if a is b or isinstance(b, Zero):
            return a
        if isinstance(a, Zero):
            return b
        if isinstance(a, Succ) and isinstance(b, Succ):
            return self.arena.succ(self._max(a.level, b.level))
        return self.arena.max(a, b)

    def _imax(self, a: Level, b: Level) -> Level:
        if isinstance(b, Zero):
            return ZERO
        if isinstance(b, Succ):
            return self._max(a, b)
        if isinstance(b, IMax):  # imax a (imax b c) is 0 when c is 0, else max a (max b c)
            return self._max(self._imax(a, b.right), b)
        if isinstance(b, Max):  # imax a (max b c) is 0 only when both are
            return self._max(self._imax(a, b.left), self._imax(a, b.right))
        return self.arena.imax(a, b)

    def equal(self, a: Level, b: Level) -> bool:
        return a is b or (self.leq(a, b) and self.leq(b, a))

    def leq(self, a: Level, b: Level) -> bool:
        return a is b or self._leq(self.simplify(a), self.simplify(b), 0)

    def is_zero(self, level: Level) -> bool:
        return self.leq(level, ZERO)

    def never_zero(self, level: Level) -> bool:
        """Positive under every assignment."""
        return self.leq(self.arena.succ(ZERO), level)

    def _leq(self, a: Level, b: Level, more: int) -> bool:
        """a <= b + more, both simplified."""
        self.budget.spend()
        if a is b and more >= 0:
            return True
        if isinstance(a, Zero) and more >= 0:
            return True
        if isinstance(a, Succ):
            return self._leq(a.level, b, more - 1)
        if isinstance(b, Succ):
            return self._leq(a, b.level, more + 1)
        if isinstance(a, Max):
            return self._leq(a.left, b, more) and self._leq(a.right, b, more)
        split = self._parameter(a) or self._parameter(b)
        if split is not None:
            return self._by_cases(split, a, b, more)
        if isinstance(b, Max):
            return self._leq(a, b.left, more) or self._leq(a, b.right, more)
        if isinstance(b, Zero):
            return False  # a is a parameter, hence unbounded; or a is zero and more is negative
        return a is b and more >= 0

    def _parameter(self, level: Level) -> Param | None:
        """A parameter on the right of an `imax` somewhere in `level`."""
        todo = [level]
        while todo:
            node = todo.pop()
            if isinstance(node, IMax):
                if isinstance(node.right, Param):
                    return node.right
                todo += (node.left, node.right)
            elif isinstance(node, Max):
                todo += (node.left, node.right)
            elif isinstance(node, Succ):
                todo.append(node.level)
        return None

    def _by_cases(self, param: Param, a: Level, b: Level, more: int) -> bool:
        for value in (ZERO, self.arena.succ(param)):
            values = {param.name: value}
            left, right = self.simplify(self.instantiate(a, values)), self.simplify(self.instantiate(b, values))
            if not self._leq(left, right, more):
                return False
        return True
