"""Before the search: one run of Lean over short proofs that the text of the problem suggests.

Nothing is known of the problem but its source: the names of the theorem's variables, of the datatypes, functions and
theorems before it.  That is enough for most easy problems, and costs a tenth of setting the search up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from unsorry.lean.process import Confinement, Limits, Message, run_lean
from unsorry.lean.toolchain import Toolchain
from unsorry.provers.search.clock import CHECK, Clock
from unsorry.provers.search.statement import Place

MOST_CANDIDATES = 28
MOST_VARIABLES = 4
MOST_OTHERS = 3  # proofs kept besides the first
HEARTBEATS = 4000
FLAT = frozenset(("Bool", "Unit", "Option", "Prop", "Type"))  # no induction on these


@dataclass(frozen=True, slots=True)
class Quick:
    """Complete sources, each checked by itself or as good as the first in a batch; none is believed by anyone."""

    sources: tuple[str, ...] = ()
    strategy: str = ""
    checks: int = 0
    candidates: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    type: str
    recursive: bool


def proofs(place: Place, toolchain: Toolchain, confinement: Confinement | None, clock: Clock) -> Quick:
    """Short proofs of the problem; raises OutOfTime."""
    signature = _signature(place)
    tactics = candidates(place) if signature else []
    if not tactics:
        return Quick()
    before = f"{place.header}{place.preamble}\nset_option maxHeartbeats {HEARTBEATS}\nset_option maxErrors 1000\n"
    text, spans = [before], list[tuple[int, int]]()
    line = before.count("\n")
    for tactic in tactics:
        example = f"example {signature} := by {tactic}\n"
        spans.append((line + 1, line + example.count("\n")))
        line = spans[-1][1]
        text.append(example)
    limits = Limits(wall=clock.left(20.0))
    run = run_lean(toolchain, "".join(text), limits=limits, confinement=confinement)
    clock.spend(CHECK + len(tactics))
    if run.timed_out or run.completed.returncode not in (0, 1):
        return Quick(checks=1, candidates=len(tactics))
    works = [tactic for tactic, span in zip(tactics, spans, strict=True) if not _faulty(run.messages, span)]
    if any(m.severity == "error" and m.line < spans[0][0] for m in run.messages):
        works = []  # the problem itself is at fault: let the search say how
    sources = [place.filled([], tactic) for tactic in _varied(works)]
    checks = 1
    for number, source in enumerate(sources[:2]):
        checks += 1
        if accepted(source, toolchain, confinement, clock):
            return Quick(tuple(sources[number:]), _varied(works)[number], checks, len(tactics))
    return Quick(checks=checks, candidates=len(tactics))


def accepted(source: str, toolchain: Toolchain, confinement: Confinement | None, clock: Clock) -> bool:
    """A plain run of the whole file: no error, no sorry."""
    run = run_lean(toolchain, source, limits=Limits(wall=clock.left(60.0)), confinement=confinement)
    clock.spend(CHECK)
    return run.ok and not any(m.kind == "hasSorry" or "declaration uses `sorry`" in m.text for m in run.messages)


def _faulty(messages: Sequence[Message], span: tuple[int, int]) -> bool:
    return any(
        span[0] <= m.line <= span[1] and (m.severity == "error" or "sorry" in m.text or m.kind == "hasSorry")
        for m in messages
    )


def _varied(works: Sequence[str]) -> list[str]:
    """The first proof of each kind, shortest first: the others of a kind say nothing new."""
    kinds: dict[str, str] = {}
    for tactic in works:
        kinds.setdefault(" ".join(re.findall(r"\b(?:rfl|omega|decide|simp_all|cases|induction)\b", tactic)), tactic)
    return sorted(kinds.values(), key=lambda text: (len(text.split()), text))[: MOST_OTHERS + 1]


def candidates(place: Place) -> list[str]:
    """One-line tactic blocks, cheap ones first."""
    named = _simp_set(place)
    simp = f"simp_all [{', '.join(named)}]" if named else "simp_all"
    variables = _variables(place)[:MOST_VARIABLES]
    numbers = any(v.type in ("Nat", "Int") for v in variables)
    ends = [simp, *(["omega"] if numbers else [])]
    found = ["rfl", *ends, *([] if variables else ["decide"])]
    found += _by_cases([v for v in variables if not v.recursive], ends)
    for v in (v for v in variables if v.recursive):
        found += [f"cases {v.name} <;> rfl", f"cases {v.name} <;> {simp}"]
    for v in (v for v in variables if v.recursive):
        found += [f"induction {v.name} <;> {end}" for end in ends]
        found += [f"induction {v.name} <;> {simp} <;> omega"] if numbers else []
    for v in (v for v in variables if v.recursive):
        others = [w for w in variables if w is not v]
        if others:
            step = f"induction {v.name} generalizing {' '.join(w.name for w in others)}"
            found.append(f"{step} <;> {simp}")
            found += [f"{step} <;> cases {w.name} <;> {simp}" for w in others]
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


_SIMP = re.compile(r"@\[[^\]]*\bsimp\b")


def _simp_set(place: Place) -> list[str]:
    """Functions of the text that the statement leads to, as far as words tell, and the theorems before it.

    What is tagged `@[simp]` is left out: the simplifier has it without being told.
    """
    text = place.source.text
    before = [c for c in place.source.declarations if c.start < place.command.start and c.name]
    tagged = {c.name for c in before if _SIMP.search(text[c.start : c.keyword])}
    bodies = {
        c.name.rsplit(".", 1)[-1]: _words(text[c.keyword : c.end])
        for c in before
        if c.kind in ("def", "abbrev") and c.name not in tagged
    }
    theorems = [name.rsplit(".", 1)[-1] for name in place.theorems if name not in tagged]
    reached, todo = set[str](), [_words(_signature(place))]
    while todo:
        new = (todo.pop() & bodies.keys()) - reached
        reached |= new
        todo += [bodies[name] for name in new]
    return [*(name for name in bodies if name in reached), *theorems]  # in the order of the text, easiest to copy


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d][\w'!?]*", text))


def _by_cases(flat: Sequence[Variable], ends: Sequence[str]) -> Iterator[str]:
    """Case analysis on some of the variables without recursion."""
    for count in range(1, len(flat) + 1):
        for chosen in combinations(flat, count):
            cases = " <;> ".join(f"cases {v.name}" for v in chosen)
            yield from (f"{cases} <;> {end}" for end in ("rfl", *ends[:1]))


def _signature(place: Place) -> str:
    """Binders and type of a theorem whose whole proof is the hole; "" for anything else."""
    command, text = place.command, place.source.text
    if command.kind != "theorem" or command.attributes or command.modifiers or command.body < 0:
        return ""
    whole = re.fullmatch(r":=\s*(?:by\s+)?", text[command.body : place.hole.start]) is not None
    name = re.match(r"theorem\s+(?:[^\W\d][\w'!?.]*|«[^»]*»)(?!\.\{)", text[command.keyword : command.body])
    if not whole or name is None or text[place.hole.end : command.end].strip():
        return ""
    return text[command.keyword + name.end() : command.body].strip()


def _variables(place: Place) -> list[Variable]:
    """Variables in round brackets before the statement, those of plain types."""
    signature = _signature(place)
    flat = FLAT | _enumerations(place)
    found: list[Variable] = []
    depth = start = 0
    for at, char in enumerate(signature):
        if char == ":" and depth == 0:
            break
        if char in "([{⦃":
            start = at if depth == 0 else start
            depth += 1
        elif char in ")]}⦄":
            depth -= 1
            if depth == 0 and signature[start] == "(":
                names, _, type_ = signature[start + 1 : at].partition(" : ")
                if (
                    re.fullmatch(r"[\w.' ]+", type_)
                    and re.fullmatch(r"[\w' ]+", names)
                    and type_ not in ("Prop", "Type")
                ):
                    head = type_.split()[0]
                    found += [Variable(name, type_, head not in flat) for name in names.split()]
    return found


def _enumerations(place: Place) -> frozenset[str]:
    """Datatypes of the text that do not mention themselves after their name."""
    found: set[str] = set()
    source = place.source
    for command in source.declarations:
        if command.start < place.command.start and command.kind in ("inductive", "structure"):
            words = re.findall(r"[\w']+", source.text[command.name_at : command.end])
            if words and words[0] not in words[1:]:
                found.add(words[0])
    return frozenset(found)


__all__ = ["Quick", "accepted", "candidates", "proofs"]
