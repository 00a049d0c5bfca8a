"""Where the hole of a problem is, what it asks for, and how an answer is put in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unsorry import Problem
from unsorry.lean.source import Command, Hole, Source, parse, replace_hole
from unsorry.provers.search.goals import Goal, read_goal, split_goals
from unsorry.provers.search.oracle import Oracle, indent
from unsorry.provers.search.syntax import ParseFailure, show

# Commands that change what later text means; they are repeated before every check, declarations are imported instead.
_SCOPE = frozenset(
    (
        "namespace",
        "section",
        "end",
        "open",
        "variable",
        "universe",
        "set_option",
        "include",
        "omit",
        "local",
        "scoped",
        "export",
    )
)
_PROVABLE = frozenset(("theorem", "lemma", "example"))


class Refused(Exception):
    """The problem is not one that this search takes up; the text says why."""


@dataclass(frozen=True)
class Place:
    """One hole in a source text."""

    source: Source
    hole: Hole
    command: Command

    @property
    def header(self) -> str:
        text = self.source.text[: self.source.header.end]
        return text if not text or text.endswith("\n") else text + "\n"

    @property
    def preamble(self) -> str:
        return self.source.text[self.source.header.end : self.command.start]

    @property
    def opening(self) -> str:
        """The scope commands before the declaration, without the declarations among them."""
        text = self.source.text
        kept = [
            text[c.start : c.end] for c in self.source.commands if c.start < self.command.start and c.kind in _SCOPE
        ]
        return "\n".join(kept) + "\n" if kept else ""

    @property
    def own(self) -> frozenset[str]:
        """Full names of the functions that the text defines before the hole."""
        return frozenset(
            c.name.removeprefix("_root_.")
            for c in self.source.declarations
            if c.start < self.command.start and c.kind in ("def", "abbrev", "instance") and c.name
        )

    @property
    def theorems(self) -> tuple[str, ...]:
        """Full names of the theorems proved before the hole."""
        return tuple(
            c.name.removeprefix("_root_.")
            for c in self.source.declarations
            if c.start < self.command.start and c.kind in ("theorem", "lemma") and c.name
        )

    @property
    def statement(self) -> str:
        """The declaration as it stands, "" if it would make itself available to tactics."""
        if self.command.attributes or self.command.kind not in _PROVABLE:
            return ""
        return self.source.text[self.command.start : self.command.end]

    def with_hole(self, tactics: str) -> str:
        """The declaration alone, its hole filled by a one-line tactic block."""
        text, hole = self.source.text, self.hole
        filler = f"({tactics})" if hole.position == "tactic" else f"(by {tactics})"
        return text[self.command.start : hole.start] + filler + text[hole.end : self.command.end] + "\n"

    def filled(self, lemmas: list[str], tactics: str) -> str:
        """The whole source with auxiliary declarations before the target and the hole filled."""
        before, after = self.source.text[: self.hole.start], self.source.text[self.hole.end :]
        alone = before.endswith("by ") if self.hole.position == "tactic" else before.endswith(":= ")
        if alone and "\n" not in before[self.command.body :]:  # the hole is the whole proof: a block of its own
            middle = ("\n" if self.hole.position == "tactic" else "by\n") + indent(tactics)
            text = (before.rstrip(" ") if self.hole.position == "tactic" else before) + middle + after
        else:
            proof = tactics if self.hole.position == "tactic" else "by\n" + indent(tactics)
            text = replace_hole(self.source.text, self.hole, proof)
        if not lemmas:
            return text
        return text[: self.command.start] + "\n".join(lemmas) + "\n" + text[self.command.start :]


def locate(problem: Problem) -> Place:
    """The one hole of the problem; raises Refused when there is none, or several, or it is no proof."""
    source = parse(problem.source)
    if not source.holes:
        raise Refused("no sorry in the problem")
    if len(source.holes) > 1:
        raise Refused(f"{len(source.holes)} sorries in the problem; one at a time")
    hole = source.holes[0]
    if hole.in_signature:
        raise Refused("the sorry is part of a statement, not of a proof")
    command = source.commands[hole.command]
    if command.in_mutual:
        raise Refused("the sorry is inside a mutual block")
    return Place(source, hole, command)


def read(place: Place, oracle: Oracle) -> tuple[Goal, tuple[str, ...]]:
    """The goal at the hole, and names for what has none there; raises Refused."""
    messages, complete = oracle.run(place.with_hole("trace_state; sorry"))
    states = [m.text for m in messages if m.severity == "information" and "⊢ " in m.text]
    errors = [m for m in messages if m.severity == "error"]
    if errors or not complete:
        line = errors[0].text.split("\n")[0] if errors else "Lean did not finish"
        raise Refused(f"the problem does not elaborate: {line}")
    if not states:
        raise Refused("Lean shows no goal at the sorry")
    try:
        goal, renamed = read_goal(split_goals(states[0])[0])
    except ParseFailure as failure:
        raise Refused(f"the goal has a form that the search does not read: {failure}") from None
    if place.command.kind not in _PROVABLE or place.hole.position == "term":
        binders = " ".join(f"({h.name} : {show(h.type)})" for h in goal.context)
        messages, _ = oracle.run(f"{oracle.universes([goal])}example {binders} : Prop := {show(goal.conclusion)}\n")
        if any(m.severity == "error" for m in messages):
            raise Refused("the sorry stands for data, not for a proof")
    return goal, renamed


def fresh_prefix(place: Place) -> str:
    """A prefix for auxiliary names that the text does not use."""
    stem = re.sub(r"\W", "_", (place.command.name or "goal").rsplit(".", 1)[-1].replace("«", "").replace("»", ""))
    prefix = f"{stem}_aux_"
    while prefix in place.source.text:
        prefix = f"{prefix}aux_"
    return prefix
