"""Check the constants that a proof adds, within a budget."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from unsorry.judge.second.errors import Beyond, Budget, Refused
from unsorry.judge.second.inductive import Family
from unsorry.judge.second.kernel import Kernel
from unsorry.judge.second.nested import unnest
from unsorry.judge.second.recursors import Recursors
from unsorry.lean.declarations import Declaration, InductiveInfo, Kind, RecursorInfo, Safety
from unsorry.lean.names import Name
from unsorry.lean.terms import Arena

RECURSION = 60_000  # Python frames; deeper terms are undecided
STACK = 512 << 20  # bytes of address space for the thread that recurses


class OpinionKind(StrEnum):
    AGREE = "agree"
    DISAGREE = "disagree"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the second checker says; `declaration` is where it stopped."""

    kind: OpinionKind
    detail: str = ""
    declaration: str = ""
    checked: int = 0


def second_opinion(
    added: Iterable[Declaration],
    library: Callable[[Name], Declaration | None],
    arena: Arena,
    *,
    steps: int = 5_000_000,
    seconds: float = 20.0,
) -> Opinion:
    """Check `added`, given what is already trusted; what is used must come first.

    `library` finds the declarations of the toolchain; `arena` is the one that the expressions were made in, not frozen.
    """
    result: list[Opinion] = []

    def work() -> None:
        result.append(check(list(added), library, arena, Budget(steps, seconds)))

    limit, stack = sys.getrecursionlimit(), threading.stack_size(STACK)
    sys.setrecursionlimit(RECURSION)
    try:
        thread = threading.Thread(target=work, name="second-opinion")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)
    return result[0] if result else Opinion(OpinionKind.UNDECIDED, "the checker stopped without an answer")


def check(
    added: list[Declaration], library: Callable[[Name], Declaration | None], arena: Arena, budget: Budget
) -> Opinion:
    """The opinion within a budget, in this thread, which must have the stack for RECURSION frames."""
    mine = {d.name: d for d in added}
    done: set[Name] = set()
    current: set[Name] = set()

    def find(name: Name) -> Declaration | None:
        if name not in mine:
            return library(name)
        if name in done:
            return mine[name]
        return _inert(mine[name]) if name in current else None

    kernel = Kernel(arena, find, budget)
    name = Name()
    try:
        for declaration in added:
            name = declaration.name
            if name not in done:
                current = _block(declaration, mine)
                done |= check_declaration(kernel, declaration, mine)
                kernel.forget(current)
        name = next((d.name for d in added if d.name not in done), name)
        if name not in done and added:
            raise Refused(f"{name} belongs to no family that was declared")
    except Refused as refusal:
        return Opinion(OpinionKind.DISAGREE, str(refusal), str(name), len(done))
    except Beyond as beyond:
        return Opinion(OpinionKind.UNDECIDED, str(beyond), str(name), len(done))
    except (RecursionError, MemoryError):
        return Opinion(OpinionKind.UNDECIDED, "the terms are too deep", str(name), len(done))
    return Opinion(OpinionKind.AGREE, "", "", len(done))


def _inert(declaration: Declaration) -> Declaration:
    """A recursor that computes nothing: none of its rules may help to show that they are right."""
    if not isinstance(declaration.info, RecursorInfo):
        return declaration
    return replace(declaration, info=replace(declaration.info, rules=(), k=False))


def _block(declaration: Declaration, mine: dict[Name, Declaration]) -> set[Name]:
    """What is declared in one step with an inductive type; a value does not see its own name."""
    info = declaration.info
    if not isinstance(info, InductiveInfo):
        return set()
    types = [mine[n].info for n in info.all if n in mine]
    constructors = {c for t in types if isinstance(t, InductiveInfo) for c in t.constructors}
    recursors = {d.name for d in mine.values() if isinstance(d.info, RecursorInfo) and d.info.all == info.all}
    return {*info.all, *constructors, *recursors}


def check_declaration(kernel: Kernel, declaration: Declaration, mine: dict[Name, Declaration]) -> set[Name]:
    """Check one declaration, or the family that it belongs to; the names that are settled by it."""
    if declaration.safety is not Safety.SAFE:
        raise Refused(f"{declaration.name} is {declaration.safety}")
    if declaration.kind in (Kind.CONSTRUCTOR, Kind.RECURSOR):
        return set()  # with its family
    if declaration.kind is Kind.QUOT:
        raise Refused(f"{declaration.name} is built into the kernel and cannot be declared")
    if declaration.kind is Kind.INDUCTIVE:
        return _check_family(kernel, declaration, mine)
    kernel.params = declaration.level_params
    if len(set(declaration.level_params)) != len(declaration.level_params):
        raise Refused(f"{declaration.name} repeats a universe parameter")
    sort = kernel.sort_of(declaration.type)
    if declaration.kind is Kind.THEOREM and not kernel.levels.is_zero(sort):
        raise Refused(f"the theorem {declaration.name} states no proposition")
    if declaration.value is not None and not kernel.equal(kernel.infer(declaration.value), declaration.type):
        raise Refused(f"the value of {declaration.name} has another type")
    if declaration.value is None and declaration.kind is not Kind.AXIOM:
        raise Refused(f"{declaration.name} has no value")
    return {declaration.name}


def _check_family(kernel: Kernel, declaration: Declaration, mine: dict[Name, Declaration]) -> set[Name]:
    info = declaration.info
    if not isinstance(info, InductiveInfo):
        raise Refused(f"{declaration.name} is no inductive type")
    missing = [n for n in (*info.all, *info.constructors) if n not in mine]
    if missing:
        raise Refused(f"{declaration.name} is declared without {missing[0]}")
    types = [mine[n] for n in info.all]
    if any(not isinstance(t.info, InductiveInfo) or t.info.all != info.all for t in types):
        raise Refused(f"the types of {declaration.name} disagree about their mutual block")
    block = unnest(kernel, info.all, mine)
    copies = len(block.names) - len(info.all)
    if any(isinstance(t.info, InductiveInfo) and t.info.nested != copies for t in types):
        raise Refused(f"{declaration.name} is nested in {copies} types, not {info.nested}")
    family = Family(kernel, block.names, block.declarations)
    family.check()
    recursors = [d for d in mine.values() if d.kind is Kind.RECURSOR and getattr(d.info, "all", ()) == info.all]
    Recursors(family, block, info.all).compare(recursors)
    constructors = [c for t in types if isinstance(t.info, InductiveInfo) for c in t.info.constructors]
    return {*info.all, *constructors, *(r.name for r in recursors)}
