"""Compare translated functions and goals with the evaluator of `smtlib`, on small values, in one run of Lean a file."""

from __future__ import annotations

import re
from pathlib import Path

import smtlib

from unsorry.lean.session import Session
from unsorry.problems.tip.importer import preamble_of
from unsorry.problems.tip.infer import infer
from unsorry.problems.tip.names import readable
from unsorry.problems.tip.parse import parse
from unsorry.problems.tip.render import Rendering
from unsorry.problems.tip.sexp import read
from unsorry.problems.tip.syntax import BOOL, INT, Function, TCon, TFun, TVar, Type, substitute_type
from unsorry.problems.tip.trial import settle

DEPTH = 3
SAMPLES = 10


def computable(formula: smtlib.Term) -> bool:
    """No quantifier stands below those that the formula begins with."""
    while isinstance(formula, list) and formula[:1] == ["forall"]:
        formula = formula[2]
    todo = [formula]
    while todo:
        term = todo.pop()
        if isinstance(term, list):
            todo += term
        elif term in ("forall", "exists"):
            return False
    return True


class Checked:
    """A settled rendering and the independent program for the same text."""

    def __init__(self, text: str, name: str, session: Session) -> None:
        self.theory = parse(read(text, name), name)
        infer(self.theory)
        self.rendering = Rendering(self.theory)
        self.rendering.prepare(readable(Path(name).stem))
        settle(self.rendering, session, {}, timeout=60)
        self.program = smtlib.Program(text)
        datatypes = [d for group in self.theory.datatypes for d in group]
        self.constructors = {c.name: f"{d.lean}.{c.lean}" for d in datatypes for c in d.constructors}
        self.session = session

    def disagreements(self, skip: frozenset[str] = frozenset()) -> tuple[list[str], int]:
        """Claims about values that do not hold in Lean, and how many were compared; `skip` names Lean definitions."""
        claims = [c for g in self.theory.functions for f in g if f.lean not in skip for c in self.function_claims(f)]
        claims += self.goal_claims()
        said = self.answers([f"#eval decide ({claim})" for claim in claims])
        answers = dict(zip(claims, said, strict=True))
        # Lean derives no decidable equality for mutual and nested types: there both sides have to reduce to one term.
        undecidable = [claim for claim in answers if "failed to synthesize" in answers[claim]]
        by_reduction = self.answers([f"example : {claim} := rfl" for claim in undecidable], silent="true")
        answers |= dict(zip(undecidable, by_reduction, strict=True))
        return [f"{claim}: {answer}" for claim, answer in answers.items() if answer != "true"], len(claims)

    def answers(self, commands: list[str], silent: str = "no answer") -> list[str]:
        """What Lean says to each command of one line, after the file's definitions; `silent` where it says nothing."""
        if not commands:
            return []
        lines = [preamble_of(self.rendering), *self.goal_checkers()]
        start = "\n".join(lines).count("\n") + 2
        run = self.session.check("\n".join([*lines, *commands, "#eval true"]) + "\n", timeout=120)
        said = {m.line: m.text.strip() for m in run.messages if m.severity in ("information", "error")}
        assert said.pop(start + len(commands), None) == "true", "Lean did not read the file to its end"
        return [said.get(start + i, silent) for i in range(len(commands))]

    def function_claims(self, function: Function) -> list[str]:
        if function.given or function.declared or function.name not in self.program.functions:
            return []
        if any(symbol.given for symbol, _ in function.symbols):  # a function stated by equations has no value
            return []
        names, sorts, _, _ = self.program.functions[function.name]
        mapping = dict.fromkeys(self.program.variables[function.name], "Int")
        pools = [self.program.values(s, mapping, DEPTH) for s in sorts]
        claims = []
        for args in list(smtlib.mixed(pools))[:SAMPLES] if names else [()]:
            try:
                result = self.program.call(function.name, *args)
            except smtlib.Diverges:
                continue
            result_type = self.at_int(function.result)
            if isinstance(result_type, TFun):
                continue
            shown = [
                self.show(a, self.at_int(b.type), n) for a, b, n in zip(args, function.args, range(9), strict=False)
            ]
            outside = [self.any_of(self.symbol_type(f, types)) for f, types in function.symbols]
            call = " ".join([f"TIP.{function.lean}", *outside, *shown])
            claims.append(f"({call} : {self.type(result_type)}) = {self.show(result, result_type)}")
        return claims

    def goal_checkers(self) -> list[str]:
        """The theorems as functions to Bool."""
        result = []
        for i, ((_, formula), goal) in enumerate(zip(self.program.goals, self.theory.goals, strict=True)):
            if not computable(formula):
                continue
            text = self.rendering.theorem(f"goal{i}", goal, self.rendering.style)
            binders, claim = re.fullmatch(r"theorem goal\d+(.*?) :\n    (.*) := by sorry", text, re.DOTALL).groups()
            binders = re.sub(r"\{(\w+) : Type\}", r"{\1 : Type} [DecidableEq \1]", binders)
            result.append(f"def goal{i}{binders} : Bool := decide ({claim})")
        return result if not self.theory.asserts and not any(f.given for g in self.theory.functions for f in g) else []

    def goal_claims(self) -> list[str]:
        if not self.goal_checkers():
            return []
        claims = []
        for i, ((params, formula), goal) in enumerate(zip(self.program.goals, self.theory.goals, strict=True)):
            if not computable(formula):
                continue
            term = formula
            mapping = dict.fromkeys((*params, *self.theory.sorts), "Int")
            binders: list[tuple[str, smtlib.Term]] = []
            while isinstance(term, list) and term[0] == "forall":
                binders += [(b[0], b[1]) for b in term[1]]
                term = term[2]
            pools = [self.program.values(s, mapping, DEPTH) for _, s in binders]
            body, prefix = goal.body, []
            while hasattr(body, "kind"):
                prefix += body.binders
                body = body.body
            text = self.rendering.theorem("x", goal, self.rendering.style)
            outside = len(re.findall(r"_outside\w* :", text))
            if outside:
                continue
            for values in list(smtlib.mixed(pools))[:SAMPLES]:
                try:
                    truth = self.program.truth(term, {n: v for (n, _), v in zip(binders, values, strict=True)})
                except smtlib.Diverges:
                    continue
                shown = [self.show(v, self.at_int(b.type)) for v, b in zip(values, prefix, strict=True)]
                named = "".join(
                    f" ({self.rendering.types.get(v, v)} := Int)" for v in re.findall(r"\{(\w+) : Type\}", text)
                )
                claims.append(f"goal{i}{named} {' '.join(shown)} = {str(truth).lower()}")
        return claims

    def at_int(self, type_: Type) -> Type:
        match type_:
            case TVar():
                return INT
            case TCon(name=name, args=args):
                return TCon(name, tuple(self.at_int(a) for a in args))
            case TFun(args=args, result=result):
                return TFun(tuple(self.at_int(a) for a in args), self.at_int(result))
        raise AssertionError(type_)

    def type(self, type_: Type) -> str:
        match type_:
            case TCon(name=name, args=args):
                return f"({' '.join([self.rendering.types.get(name, name), *map(self.type, args)])})"
            case TFun(args=args, result=result):
                return f"({' → '.join(map(self.type, (*args, result)))})"
        raise AssertionError(type_)

    def show(self, value: smtlib.Value, type_: Type, position: int = 0) -> str:
        """The value as Lean text of that type."""
        if isinstance(type_, TFun):  # only constant functions are sampled
            for _ in type_.args:
                value = value(None)
            return f"(fun {' '.join('_' for _ in type_.args)} => {self.show(value, type_.result)})"
        if type_ == INT:
            return f"({value} : Int)"
        if type_ == BOOL:
            return str(value).lower()
        constructor, *fields = value
        types = self.field_types(constructor, type_)
        head = self.constructors[constructor]
        inner = " ".join([head, *(self.show(f, t) for f, t in zip(fields, types, strict=True))])
        return f"({inner} : {self.type(type_)})"

    def field_types(self, constructor: str, type_: Type) -> list[Type]:
        assert isinstance(type_, TCon)
        found = next(c for g in self.theory.datatypes for d in g for c in d.constructors if c.name == constructor)
        mapping = dict(zip(found.data.params, type_.args, strict=True))
        return [substitute_type(t, mapping) for _, t in found.fields]

    def symbol_type(self, symbol: Function, types: tuple[Type, ...]) -> Type:
        """The type of an uninterpreted symbol where it is used."""
        mapping = dict(zip(symbol.params, types, strict=True))
        args = tuple(self.at_int(substitute_type(b.type, mapping)) for b in symbol.args)
        result = self.at_int(substitute_type(symbol.result, mapping))
        return TFun(args, result) if args else result

    def any_of(self, type_: Type) -> str:
        """Some value, for what is not used where functions terminate."""
        if isinstance(type_, TFun):
            return f"(fun {' '.join('_' for _ in type_.args)} => {self.any_of(type_.result)})"
        if type_ in (INT, BOOL):
            return "0" if type_ == INT else "true"
        assert isinstance(type_, TCon)
        sort = self.sort(type_)
        return self.show(self.program.values(sort, {}, DEPTH)[0], type_)

    def sort(self, type_: Type) -> smtlib.Term:
        assert isinstance(type_, TCon)
        return [type_.name, *map(self.sort, type_.args)] if type_.args else type_.name
