"""Texts that prove a negation at a witness: short ones as a person would write them, and a long one as last resort."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from unsorry import Problem
from unsorry.lean import source
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.traversal import constants
from unsorry.provers.telescope import PROVE
from unsorry.provers.values import Compiled, Witness

MAX_SIMP = 200  # names in a simp set
_EXPORTED = frozenset(("Bool.true", "Bool.false", "Option.some", "Option.none"))  # open everywhere
_NAME = re.compile(r"(?<![\w.])(?:_root_\.)?((?:[^\W\d][\w'!?]*|«[^»]*»)(?:\.(?:[^\W\d][\w'!?]*|«[^»]*»))*)")


def readable(witness: Witness) -> str:
    """`n = s z, l = cons z nil`."""
    return ", ".join(f"{n} = {_bare(_open(v))}" for n, v in zip(witness.names, witness.values, strict=True))


def short_texts(negated: Problem, compiled: Compiled, witness: Witness) -> Iterator[list[str]]:
    """Families of submissions, the shortest first.  All of a family write the witness in one way, and end differently.

    A form need not be right: names may not be open, types not be found.  Lean tells.
    """
    written = ", ".join(functions(compiled))
    simp = f"simp [{written}]" if written else "simp"
    simp_all = f"simp_all [{written}]" if written else "simp_all"
    ends = ("exact nomatch h", f"{simp} at h", simp_all, "cases h", "exact absurd h (by decide)", "omega")
    for taken in dict.fromkeys(_forms(witness)):
        have = "" if taken == "h" else f"  have h := {taken}\n"
        yield [_submission(negated, f"  intro h\n{have}  {end}") for end in ends]


def _forms(witness: Witness) -> Iterator[str]:
    """The instance of `h`: without proofs of the last hypotheses, which stay premises of it."""
    arguments = list(witness.arguments)
    while arguments and arguments[-1] == PROVE:
        arguments.pop()
    data = set(witness.values)
    implicit = [a for a in arguments if a in data or a == PROVE]  # without types and instances
    for head, given in (("h", implicit), ("@h", arguments)):
        for write in (_bare, _dotted):
            shown = [a if a in (PROVE, "inferInstance") else _atom(write(_open(a))) for a in given]
            yield " ".join([head if given else "h", *shown])


def long_text(negated: Problem, compiled: Compiled, witness: Witness) -> str:
    """Everything that may show the instance false, whatever it is."""
    defined = (d.name for d in compiled.module.declarations.values() if d.kind is Kind.DEFINITION)
    simp = ", ".join(f"_root_.{n}" for n in [n for n in defined if _written(n)][:MAX_SIMP])
    show = f"(by first | decide | decide +kernel | (simp [{simp}]; done) | (simp [{simp}] <;> omega))"
    given = " ".join(show if a == PROVE else f"({a})" for a in witness.arguments)
    proof = f"""  set_option maxRecDepth 20000 in
  intro h
  have h0 := @h {given}
  first
    | exact absurd h0 (by decide)
    | exact absurd h0 (by decide +kernel)
    | (simp [{simp}] at h0; done)
    | (revert h0; simp [{simp}]; done)
    | (revert h0; decide)
"""
    return _submission(negated, proof)


def _submission(negated: Problem, tactics: str) -> str:
    return replace(negated, statement=f"{negated.statement.removesuffix('sorry').rstrip()}\n{tactics}").source


def functions(compiled: Compiled) -> list[str]:
    """The functions of the text that the statement leads to, in its order, named as they are seen at the statement."""
    declarations = compiled.module.declarations
    reached: set[Name] = set()
    todo = list(constants(compiled.type))
    while todo:
        name = todo.pop()
        declaration = declarations.get(name)
        if name not in reached and declaration is not None and declaration.kind is not Kind.THEOREM:
            reached.add(name)
            todo += constants(*declaration.expressions())
    parsed = source.parse(compiled.problem.source)
    target = parsed.declaration(compiled.problem.targets[0])
    inside = f"{source.namespace(target.scopes)}." if target and target.scopes else "."
    known = {str(name) for name in reached}
    named = [c.name for c in parsed.declarations if c.kind in ("def", "abbrev") and c.name in known]
    return [name.removeprefix(inside) for name in named][:MAX_SIMP]


def _open(value: str) -> str:
    """Without the brackets around it."""
    if not value.startswith("("):
        return value
    depth = 0
    for at, character in enumerate(value):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return _open(value[1:at]) if at == len(value) - 1 else value
    return value


def _atom(value: str) -> str:
    """As an argument."""
    return f"({value})" if " " in value or value.startswith("-") else value


def _bare(value: str) -> str:
    """Constructors by their last name."""
    return _NAME.sub(lambda m: m[1].rsplit(".", 1)[-1], value)


def _dotted(value: str) -> str:
    """Constructors by a dot and their last name: Lean knows the type; other names as they are."""

    def write(match: re.Match[str]) -> str:
        *prefix, last = match[1].rsplit(".", 1)
        return f".{last}" if prefix and match[1] not in _EXPORTED else last

    return _NAME.sub(write, value)


_GENERATED = frozenset(
    [
        "rec",
        "recOn",
        "casesOn",
        "brecOn",
        "below",
        "noConfusion",
        "noConfusionType",
        "ctorIdx",
        "toCtorIdx",
        "ctorElim",
        "ctorElimType",
        "ofNat",
        "sizeOf",
        "decEq",
    ]
)


def _written(name: Name) -> bool:
    """A definition that somebody wrote, as far as its name tells."""
    plain = all(isinstance(p, str) and not p.startswith(("_", "match_", "inst", "proof_")) for p in name)
    return plain and name[-1] not in _GENERATED
