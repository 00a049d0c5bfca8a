"""What a pull request did to the declarations of the files that it touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from unsorry.repos.declarations import TYPES, VALUES, Declared, Outline, substituted

WHAT = (
    "new", "filled", "restated", "redefined", "reproved", "moved", "renamed", "opened", "removed", "kept",
)  # fmt: skip
ROUNDS = 5  # of renames that only show once others are known


@dataclass(frozen=True, slots=True)
class Fact:
    """A declaration as Lean elaborated it; digests do not depend on its own name, nor on renames that are told."""

    theorem: bool
    type_digest: str
    value_digest: str
    axioms: tuple[str, ...] = ()  # beyond the standard three


class Facts(Protocol):
    """The elaborated facts of both trees."""

    def before(self, path: str, declared: Declared, renamed: Mapping[str, str]) -> Fact | None: ...

    def after(self, path: str, declared: Declared) -> Fact | None: ...


class Bodies(Protocol):
    """Digests of bodies of the base, with new names for old ones."""

    def __call__(self, path: str, declared: Declared, renamed: Mapping[str, str]) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Change:
    """One declaration, in the base (`before`), in the pull request's tree (`after`), or in both; `fact` is that of
    `after`, None where nothing was built."""

    what: str  # one of WHAT
    path: str
    before: Declared | None
    after: Declared | None
    fact: Fact | None = None

    @property
    def name(self) -> str:
        known = self.after or self.before
        return known.name if known else ""


def compare(
    before: Mapping[str, Outline], after: Mapping[str, Outline], bodies: Bodies, facts: Facts | None = None
) -> list[Change]:
    """The changes in the order of the new files; examples are passed over.

    What is new and has the statement of a theorem that is gone is that theorem under another name, however it is
    proved: the answer is in the base.
    """
    return _Comparison(before, after, bodies, facts).changes()


Place = tuple[str, Declared]


class _Comparison:
    def __init__(
        self, before: Mapping[str, Outline], after: Mapping[str, Outline], bodies: Bodies, facts: Facts | None
    ) -> None:
        self.old, self.new = _keyed(before), _keyed(after)
        self.bodies, self.facts = bodies, facts
        self.renamed: dict[str, str] = {}  # name before -> name now
        self.source: dict[str, str] = {}  # key now -> key before

    def changes(self) -> list[Change]:
        for whole in (True, False):
            for _ in range(ROUNDS):
                if not self._match(whole):
                    break
        found = [self._change(self.old.get(self.source.get(key, key)), at) for key, at in self.new.items()]
        kept = {self.source.get(key, key) for key in self.new}
        return found + [Change("removed", path, d, None) for key, (path, d) in self.old.items() if key not in kept]

    def _match(self, whole: bool) -> bool:
        """Finds what has another name, or another private place, and is otherwise the same; whether that is news."""
        taken = set(self.source.values())
        waiting: dict[object, list[str]] = {}
        for key, place in self.old.items():
            if key not in self.new and key not in taken and (whole or place[1].proof):
                waiting.setdefault(self._essence(place, True, whole), []).append(key)
        before = len(self.renamed)
        for key, place in self.new.items() if waiting else ():
            if key not in self.old and key not in self.source and (whole or place[1].proof):
                match = waiting.get(self._essence(place, False, whole))
                if match:
                    self.source[key] = match.pop(0)
                    was, now = self.old[self.source[key]][1].name, place[1].name
                    if was and now and was != now:
                        self.renamed[was] = now
        return len(self.renamed) > before

    def _essence(self, place: Place, is_before: bool, whole: bool) -> object:
        """Equal for declarations that differ in their names alone, or if not `whole`, in their bodies too."""
        path, d = place
        if self.facts is not None:
            fact = self._fact(place, is_before)
            if fact is not None:
                return d.kind in TYPES, fact.theorem, fact.type_digest, fact.value_digest if whole else ""
        statement, body = d.statement, d.body if whole else b""
        if is_before and self.renamed:
            statement = substituted(statement, self.renamed)
            body = self.bodies(path, d, self.renamed) if whole else b""
        return d.kind, d.private, statement, body

    def _fact(self, place: Place, is_before: bool) -> Fact | None:
        if self.facts is None:
            return None
        return self.facts.before(*place, self.renamed) if is_before else self.facts.after(*place)

    def _change(self, was: Place | None, now: Place) -> Change:
        path, after = now
        fact = self._fact(now, False)
        if was is None:
            return Change("opened" if after.holes else "new", path, None, after, fact)
        before = was[1]
        earlier = self._fact(was, True)
        if fact is not None and earlier is not None:
            stated = earlier.type_digest == fact.type_digest
            valued = earlier.value_digest == fact.value_digest
        else:
            stated, valued = before.stated == after.stated, before.body == after.body
            if self.renamed and before.kind == after.kind:
                stated = stated or substituted(before.statement, self.renamed) == after.statement
                valued = valued or self.bodies(*was, self.renamed) == after.body
        return Change(_what(was, now, stated, valued), path, before, after, fact)


def _keyed(outlines: Mapping[str, Outline]) -> dict[str, Place]:
    """What is declared, by what tells it apart: its name, a private one's file too, a nameless instance's statement."""
    found: dict[str, Place] = {}
    for path, outline in outlines.items():
        for d in outline.declarations:
            if d.name:
                found[f"{d.name} in {path}" if d.private else d.name] = path, d
            elif d.kind == "instance":
                found[f"instance {d.statement}"] = path, d
    return found


def _what(was: Place, now: Place, stated: bool, valued: bool) -> str:
    before, after = was[1], now[1]
    if after.holes:
        return "kept" if before.holes and stated else "opened"
    if before.holes:
        return "filled" if stated else "restated"
    if not stated:
        return "restated" if after.proof else "redefined"
    if before.name != after.name:
        return "renamed"
    if not valued:
        return "reproved" if after.proof else "redefined"
    return "moved" if was[0] != now[0] else "kept"


def named(outlines: Mapping[str, Outline], names: Mapping[str, Mapping[int, str]]) -> dict[str, Outline]:
    """The outlines with names for nameless instances: path -> index of the command -> the name that Lean gave it."""
    return {
        path: replace(outline, declarations=tuple(_renamed(outline.declarations, names.get(path, {}))))
        for path, outline in outlines.items()
    }


def _renamed(declarations: Iterable[Declared], names: Mapping[int, str]) -> list[Declared]:
    return [replace(d, name=names[d.index]) if not d.name and d.index in names else d for d in declarations]


def is_value(change: Change) -> bool:
    """Whether it is a definition or an instance, whose body can be asked for."""
    return change.after is not None and change.after.kind in VALUES and change.after.fillable
