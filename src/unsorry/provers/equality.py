"""Data types without decidable equality: a statement that compares their values is run once Lean has derived it."""

from __future__ import annotations

from unsorry.lean.declarations import InductiveInfo
from unsorry.lean.names import Name
from unsorry.lean.terms import Expr
from unsorry.lean.traversal import constants
from unsorry.provers.telescope import Environment, is_proposition

MAX_TYPES = 20


def undecided_types(statement: Expr, environment: Environment) -> list[Name]:
    """The module's own data types that the statement mentions and that have no `DecidableEq`, parts before wholes."""
    ordered: list[Name] = []
    seen: set[Name] = set()

    def visit(name: Name) -> None:
        declaration = environment.module.declarations.get(name)
        if name in seen or declaration is None or not isinstance(declaration.info, InductiveInfo):
            return
        seen.add(name)
        if declaration.info.indices or is_proposition(declaration):
            return
        for constructor in declaration.info.constructors:
            made = environment.module.declarations.get(constructor)
            for part in sorted(constants(made.type), key=str) if made is not None else ():
                visit(part)
        ordered.append(name)

    for name in sorted(constants(statement), key=str):
        visit(name)
    # Where Lean has derived one, the instance is beside the type.
    known = {str(n[-1]) for n in environment.module.declarations if str(n[-1]).startswith("instDecidableEq")}
    return [name for name in ordered if f"instDecidableEq{name[-1]}" not in known][:MAX_TYPES]
