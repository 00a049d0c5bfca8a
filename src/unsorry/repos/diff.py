"""What a pull request did to the declarations of the files that it touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from unsorry.lean.source import split_name
from unsorry.repos.declarations import TYPES, VALUES, Declared, Outline

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
    before: Mapping[str, Outline], after: Mapping[str, Outline], facts: Facts | None = None
) -> tuple[list[Change], dict[str, str]]:
    """(changes in the order of the new files, old name -> new name of what was renamed); examples are passed over."""
    old, new = _keyed(before), _keyed(after)
    renamed: dict[str, str] = {}
    source: dict[str, str] = {}  # key now -> key before
    for _ in range(ROUNDS):
        gone = [key for key in old if key not in new and key not in source.values()]
        fresh = [key for key in new if key not in old and key not in source]
        found = _same(gone, fresh, old, new, renamed, facts)
        source |= found
        names = {old[was][1].name: new[now][1].name for now, was in found.items()}
        more = {was: now for was, now in names.items() if was and now and was != now}
        renamed |= more
        if not more:
            break
    changes = [_change(key, old.get(source.get(key, key)), at, renamed, facts) for key, at in new.items()]
    kept = {source.get(key, key) for key in new}
    changes += [Change("removed", path, d, None) for key, (path, d) in old.items() if key not in kept]
    return changes, renamed


Place = tuple[str, Declared]


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


def _same(
    gone: Sequence[str], fresh: Sequence[str], old: Mapping[str, Place], new: Mapping[str, Place],
    renamed: Mapping[str, str], facts: Facts | None,
) -> dict[str, str]:  # fmt: skip
    """Key now -> key before, for what has another name, or another private place, and is otherwise the same."""
    waiting: dict[object, list[str]] = {}
    for key in gone:
        waiting.setdefault(_whole(*old[key], True, renamed, facts), []).append(key)
    found = {}
    for key in fresh:
        match = waiting.get(_whole(*new[key], False, renamed, facts))
        if match:
            found[key] = match.pop(0)
    return found


def _whole(path: str, d: Declared, is_before: bool, renamed: Mapping[str, str], facts: Facts | None) -> object:
    """Equal for declarations that differ in their names alone."""
    if facts is not None:
        fact = facts.before(path, d, renamed) if is_before else facts.after(path, d)
        if fact is not None:
            return d.kind in TYPES, fact.theorem, fact.type_digest, fact.value_digest
    if not is_before or not renamed:
        return d.kind, d.private, d.statement, d.body
    return d.kind, d.private, _substituted(d.statement, renamed), d.body


def _change(key: str, was: Place | None, now: Place, renamed: Mapping[str, str], facts: Facts | None) -> Change:
    path, after = now
    fact = facts.after(path, after) if facts else None
    if was is None:
        what = "opened" if after.holes else "new"
        return Change(what, path, None, after, fact)
    before = was[1]
    earlier = facts.before(was[0], before, renamed) if facts else None
    if fact is not None and earlier is not None:
        stated = earlier.type_digest == fact.type_digest
        valued = earlier.value_digest == fact.value_digest
    else:
        stated = before.stated == after.stated or (
            bool(renamed) and before.kind == after.kind and _substituted(before.statement, renamed) == after.statement
        )
        valued = before.body == after.body
    return Change(_what(was, now, stated, valued), path, before, after, fact)


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


def _substituted(statement: str, renamed: Mapping[str, str]) -> str:
    """A statement with new names for old ones, as far as a text tells: a name may be written without its namespaces."""
    short: dict[str, str] = {}
    for was, now in renamed.items():
        old, new = split_name(was), split_name(now)
        for length in range(1, len(old) + 1):
            short[".".join(old[-length:])] = ".".join(new[-length:])
    return " ".join(short.get(word, word) for word in statement.split(" "))


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
