"""Which axioms a proof rests on: the judge's own walk over terms, never Lean's word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unsorry.judge.library import Scope
from unsorry.judge.reasons import Reason, Refusal
from unsorry.lean.declarations import Declaration, Kind, Safety
from unsorry.lean.names import Name, in_order
from unsorry.lean.terms import Expr
from unsorry.lean.traversal import constants

ALLOWED = frozenset((Name(("propext",)), Name(("Quot", "sound")), Name(("Classical", "choice"))))
SORRY = Name(("sorryAx",))
NATIVE = frozenset(Name(("Lean", last)) for last in ("ofReduceBool", "ofReduceNat", "trustCompiler"))


@dataclass(frozen=True, slots=True)
class Footprint:
    """What some constants rest on: axioms with the constant that first needed them, and the submission's constants."""

    axioms: Mapping[Name, Name]
    unsafe: Mapping[Name, Name]
    reached: frozenset[Name]  # of the submission, not of the library


def walk(targets: Iterable[Name], own: Mapping[Name, Declaration], scope: Scope) -> Footprint:
    """Follows types, values (of opaque constants too), projections, constructors, recursors and their families.

    Names that are declared nowhere are passed over: the kernel refuses them.
    """
    axioms: dict[Name, Name] = {}
    unsafe: dict[Name, Name] = {}
    reached: set[Name] = set()
    seen: set[Expr] = set()  # terms are shared between declarations: each is looked at once
    todo = list(targets)
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        declaration = own.get(name)
        if declaration is None:
            continue
        reached.add(name)
        if declaration.kind is Kind.AXIOM:
            axioms.setdefault(name, name)
        if declaration.safety is not Safety.SAFE:
            unsafe.setdefault(name, name)
        used = constants(*declaration.expressions(), seen=seen)
        for dependency in in_order(used.union(declaration.relatives())):
            if dependency in own:
                todo.append(dependency)
            elif dependency in scope:
                trail = scope.trail(dependency)
                for axiom in trail.axioms:
                    axioms.setdefault(axiom, name)
                for constant in trail.unsafe:
                    unsafe.setdefault(constant, name)
    return Footprint(axioms, unsafe, frozenset(reached))


def check(footprint: Footprint, scope: Scope, *, tolerate_sorry: bool = False) -> tuple[str, ...]:
    """The axioms' names, sorted; raises Refusal for one that is not allowed.

    An allowed axiom must be the library's: one that the submission declares under such a name is another axiom.
    """
    allowed = ALLOWED | {SORRY} if tolerate_sorry else ALLOWED
    bad = [a for a in footprint.axioms if a not in allowed or a not in scope]
    for axiom in sorted(in_order(bad), key=lambda a: a == SORRY):
        user = footprint.axioms[axiom]
        if axiom == SORRY:
            raise Refusal(Reason.AXIOMS_SORRY, f"{user} uses sorry", str(user))
        if axiom in NATIVE or "_native" in axiom:
            raise Refusal(
                Reason.AXIOMS_NATIVE,
                f"{user} rests on compiled code ({axiom}), which the kernel cannot check",
                str(user),
            )
        raise Refusal(Reason.AXIOMS_ILLEGAL, f"{user} uses the axiom {axiom}", str(user))
    for constant, user in footprint.unsafe.items():
        raise Refusal(Reason.AXIOMS_UNSAFE, f"{user} uses {constant}, which is unsafe or partial", str(user))
    return tuple(sorted(str(a) for a in footprint.axioms))
