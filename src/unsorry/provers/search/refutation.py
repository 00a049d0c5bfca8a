"""A counterexample found by running the statement is believed only after Lean has proved the instance false."""

from __future__ import annotations

from collections.abc import Mapping

from unsorry.provers.search.goals import Goal
from unsorry.provers.search.operations import Unsupported, Value
from unsorry.provers.search.oracle import DEFINITIONS, Candidate, Oracle
from unsorry.provers.search.syntax import App, Bind, Const, Lit, Sort, Term, apply, substitute
from unsorry.provers.search.theory import Theory

NAT = Const("Nat")
TACTICS = ("decide", f"simp [{DEFINITIONS}]", f"intro h; simp_all [{DEFINITIONS}]", "omega", "intro h; contradiction")


def refuted(goal: Goal, witness: Mapping[str, Value], theory: Theory, oracle: Oracle) -> dict[str, str] | None:
    """The witness as text, if Lean proves that the goal fails on it; type variables become Nat."""
    values: dict[str, Term] = {h.name: NAT for h in goal.context if isinstance(h.type, Sort) and h.type.text != "Prop"}
    facts = {h.name for h in goal.propositions}
    shown: dict[str, str] = {}
    try:
        for h in goal.context:
            if h.name in witness:
                values[h.name] = term_of(witness[h.name], substitute(h.type, values), theory)
                shown[h.name] = show_value(witness[h.name])
            elif h.name not in facts and h.name not in values:
                return None
    except Unsupported:
        return None
    instance = substitute(goal.conclusion, values)
    for h in reversed(goal.context):
        if h.name in facts:
            instance = Bind("pi", "_", substitute(h.type, values), instance)
    claim = Goal((), App(Const("Not"), (instance,)))
    outcomes = oracle.attempt([Candidate(claim, tactic) for tactic in TACTICS])
    return shown if any(outcome.proved for outcome in outcomes) else None


def term_of(value: Value, type_: Term, theory: Theory) -> Term:
    """The Lean term of a value; raises Unsupported for functions and propositions."""
    match type_, value:
        case Const("Bool"), bool():
            return Const("Bool.true" if value else "Bool.false")
        case Const("Nat"), ("#", number):
            return _numeral(number)
        case Const("Nat"), int():
            return _numeral(value)
        case Const("Int"), int() if not isinstance(value, bool):
            number = App(Const("Int.ofNat"), (_numeral(value),))
            return number if value >= 0 else App(Const("Int.negSucc"), (_numeral(-value - 1),))
        case _, (str(name), *fields) if name in theory.constructors:
            datatype, index = theory.constructors[name]
            args = type_.args if isinstance(type_, App) else ()
            parameters = dict(zip(datatype.parameters, args, strict=False))
            kinds = [substitute(t, parameters) for t in datatype.constructors[index].fields]
            return apply(Const(name), [*args, *(term_of(v, t, theory) for v, t in zip(fields, kinds, strict=True))])
    raise Unsupported


def _numeral(number: int) -> Term:
    literal = Lit(str(number), raw=True)
    return App(Const("OfNat.ofNat"), (NAT, literal, App(Const("instOfNatNat"), (literal,))))


def show_value(value: Value) -> str:
    """A value as a person would write it."""
    if isinstance(value, tuple) and value and value[0] == "#":
        return str(value[1])
    if isinstance(value, tuple):
        name = str(value[0]).rsplit(".", 1)[-1]
        fields = [show_value(v) for v in value[1:]]
        return " ".join([name, *(f"({f})" if " " in f else f for f in fields)])
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


__all__ = ["refuted", "show_value", "term_of"]
