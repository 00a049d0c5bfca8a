"""Walks over expressions and levels.  Each is iterative and visits a shared node once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from unsorry.lean.names import Name
from unsorry.lean.terms import App, Arena, BVar, Const, Expr, Lam, Let, Level, Pi, Proj, children, level_children


def subterms(*roots: Expr, seen: set[Expr] | None = None) -> Iterator[Expr]:
    """Every distinct expression below the roots, parents before children; skips and extends `seen`."""
    seen = set() if seen is None else seen
    todo = list(roots)
    while todo:
        e = todo.pop()
        if e not in seen:
            seen.add(e)
            yield e
            todo.extend(children(e))


def constants(*roots: Expr, seen: set[Expr] | None = None) -> set[Name]:
    """Names of the constants that the roots mention, structures of projections included."""
    found: set[Name] = set()
    for e in subterms(*roots, seen=seen):
        if isinstance(e, Const):
            found.add(e.name)
        elif isinstance(e, Proj):
            found.add(e.structure)
    return found


def postorder(*roots: Expr, done: Container[Expr]) -> Iterator[Expr]:
    """Every distinct expression below the roots that is not in `done`, children before parents.

    The caller adds to `done` each expression that it is given, before it asks for the next.
    """
    todo = list(reversed(roots))
    while todo:
        e = todo[-1]
        if e in done:
            todo.pop()
            continue
        waiting = [c for c in children(e) if c not in done]
        if waiting:
            todo.extend(waiting)
        else:
            todo.pop()
            yield e


def level_postorder(*roots: Level, done: Container[Level]) -> Iterator[Level]:
    """As `postorder`, for universe levels."""
    todo = list(reversed(roots))
    while todo:
        level = todo[-1]
        if level in done:
            todo.pop()
            continue
        waiting = [c for c in level_children(level) if c not in done]
        if waiting:
            todo.extend(waiting)
        else:
            todo.pop()
            yield level


def rebuild(
    arena: Arena, root: Expr, variable: Callable[[BVar, int], Expr | None], step: Callable[[], object] = bool
) -> Expr | None:
    """`root` with each loose variable replaced by `variable(v, depth)`, where `depth` counts the binders around it.

    None as soon as a replacement is None.  Closed parts are shared, each part is rebuilt once for each depth.
    `step` is called for each part that is looked at, and may raise to end it.
    """
    made: dict[tuple[Expr, int], Expr] = {}
    todo = [(root, 0)]
    while todo:
        e, depth = todo[-1]
        if (e, depth) in made:
            todo.pop()
            continue
        step()
        if e.loose <= depth:
            made[e, depth] = e
            continue
        if isinstance(e, BVar):
            new = variable(e, depth)
            if new is None:
                return None
            made[e, depth] = new
            continue
        parts = _under(e, depth)
        waiting = [part for part in parts if part not in made]
        if waiting:
            todo.extend(waiting)
            continue
        new_parts = [made[part] for part in parts]
        if isinstance(e, App):
            made[e, depth] = arena.app(new_parts[0], new_parts[1])
        elif isinstance(e, Lam):
            made[e, depth] = arena.lam(e.binder, new_parts[0], new_parts[1])
        elif isinstance(e, Pi):
            made[e, depth] = arena.pi(e.binder, new_parts[0], new_parts[1])
        elif isinstance(e, Let):
            made[e, depth] = arena.let(e.binder, new_parts[0], new_parts[1], new_parts[2])
        elif isinstance(e, Proj):
            made[e, depth] = arena.proj(e.structure, e.index, new_parts[0])
        else:
            raise TypeError(f"no expression with variables: {type(e)}")
    return made[root, 0]


def _under(e: Expr, depth: int) -> list[tuple[Expr, int]]:
    """The expressions directly below, with the number of binders around them."""
    parts = children(e)
    last = depth + 1 if isinstance(e, Lam | Pi | Let) else depth
    return [*((part, depth) for part in parts[:-1]), (parts[-1], last)]
