"""A statement, as elaborated, taken apart: which binders can be enumerated, and the rest as Lean text."""

from __future__ import annotations

from dataclasses import dataclass, field

from unsorry.judge.library import Scope
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import Module
from unsorry.lean.terms import App, BVar, Const, Expr, Lam, Let, NatLit, Pi, Proj, Sort, StrLit, Zero

MAX_TEXT = 200_000  # characters of one printed term
_CLASSES = frozenset(
    [
        "DecidableEq",
        "Nonempty",
        "Inhabited",
        "BEq",
        "LawfulBEq",
        "ReflBEq",
        "Ord",
        "Repr",
        "Hashable",
        "LT",
        "LE",
        "Add",
        "Mul",
        "Sub",
        "Neg",
        "OfNat",
        "Decidable",
        "DecidablePred",
        "DecidableRel",
        "Subsingleton",
        "SizeOf",
        "ToString",
    ]
)


class Unsupported(Exception):
    """The statement cannot be tested; the message says why."""


@dataclass(frozen=True, slots=True)
class Ind:
    """An inductive type applied to types."""

    name: Name
    args: tuple[Ty, ...] = ()

    def text(self) -> str:
        head = f"_root_.{self.name}"
        return f"({' '.join([head, *(a.text() for a in self.args)])})" if self.args else head


@dataclass(frozen=True, slots=True)
class Fun:
    """A function type."""

    domain: Ty
    codomain: Ty

    def text(self) -> str:
        return f"({self.domain.text()} → {self.codomain.text()})"


Ty = Ind | Fun


class Environment:
    """The problem's module and what it imports."""

    def __init__(self, module: Module, scope: Scope) -> None:
        self.module = module
        self.scope = scope

    def find(self, name: Name) -> Declaration | None:
        return self.module.declarations.get(name) or self.scope.find(name)

    def constructors(self, type_: Ind) -> list[tuple[Name, tuple[Ty, ...]]]:
        """Constructors with the types of their fields; raises Unsupported for fields that are not plain data."""
        declaration = self.find(type_.name)
        if declaration is None or not isinstance(declaration.info, InductiveInfo):
            raise Unsupported(f"{type_.name} is not an inductive type")
        result = []
        for name in declaration.info.constructors:
            constructor = self.find(name)
            if constructor is None or not isinstance(constructor.info, ConstructorInfo):
                raise Unsupported(f"{name} cannot be read")
            here, env = constructor.type, list(type_.args)
            for _ in range(constructor.info.params):
                assert isinstance(here, Pi)
                here = here.body
            types: list[Ty | None] = list(env)
            fields = []
            while isinstance(here, Pi):
                field_type = self.to_type(here.domain, types)
                if field_type is None:
                    raise Unsupported(f"a field of {name} is not plain data")
                fields.append(field_type)
                types.append(None)
                here = here.body
            result.append((name, tuple(fields)))
        return result

    def to_type(self, expr: Expr, env: list[Ty | None]) -> Ty | None:
        """The expression as a type that can be enumerated, None if it is none."""
        if isinstance(expr, BVar):
            return env[-1 - expr.index] if expr.index < len(env) else None
        if isinstance(expr, Pi):
            domain = self.to_type(expr.domain, env)
            codomain = self.to_type(expr.body, [*env, None]) if domain is not None else None
            return Fun(domain, codomain) if domain is not None and codomain is not None else None
        head, args = spine(expr)
        if not isinstance(head, Const):
            return None
        declaration = self.find(head.name)
        if declaration is None:
            return None
        if declaration.kind is Kind.DEFINITION and declaration.value is not None and not args:
            return self.to_type(declaration.value, [])
        info = declaration.info
        if not isinstance(info, InductiveInfo) or info.indices or len(args) != info.params:
            return None
        if is_proposition(declaration):
            return None
        types = [self.to_type(a, env) for a in args]
        return Ind(head.name, tuple(t for t in types if t is not None)) if None not in types else None


def is_proposition(declaration: Declaration) -> bool:
    """Whether it is a family of propositions (or none of types at all)."""
    here = declaration.type
    while isinstance(here, Pi):
        here = here.body
    return not isinstance(here, Sort) or isinstance(here.level, Zero)


@dataclass(frozen=True, slots=True)
class Variable:
    """A binder to enumerate: `name` in our text, `label` in the statement."""

    name: str
    label: str
    type: Ty


@dataclass(slots=True)
class Telescope:
    """`arguments` has one entry a binder: a Lean term, or the name of the variable whose value belongs there."""

    values: list[Variable] = field(default_factory=list)
    hypotheses: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    conclusion: str = ""
    polymorphic: bool = False


PROVE = "(by decide)"  # stands for the proof of a hypothesis


def telescope(statement: Expr, environment: Environment, model: Ind) -> Telescope:
    """Take the statement apart; type variables become `model`."""
    result = Telescope()
    types: list[Ty | None] = []
    texts: list[str] = []
    here = statement
    while isinstance(here, Pi):
        domain = here.domain
        head, _ = spine(domain)
        value = environment.to_type(domain, types)
        if isinstance(domain, Sort) and not isinstance(domain.level, Zero):
            result.polymorphic = True
            types.append(model)
            texts.append(model.text())
            result.arguments.append(model.text())
        elif isinstance(head, Const) and str(head.name) in _CLASSES:
            types.append(None)
            texts.append(f"(inferInstance : {show(domain, texts)})")
            result.arguments.append("inferInstance")
        elif value is not None:
            name = f"x{len(texts)}"
            result.values.append(Variable(name, _label(here.binder, len(texts)), value))
            types.append(None)
            texts.append(name)
            result.arguments.append(name)
        else:
            result.hypotheses.append(show(domain, texts))
            types.append(None)
            texts.append("(by assumption)")
            result.arguments.append(PROVE)
        here = here.body
    result.conclusion = show(here, texts)
    return result


def _label(binder: Name, position: int) -> str:
    text = str(binder)
    return text if text and "[" not in text and "_@" not in text else f"x{position}"


def spine(expr: Expr) -> tuple[Expr, list[Expr]]:
    """Head and arguments of an application."""
    args: list[Expr] = []
    while isinstance(expr, App):
        args.append(expr.arg)
        expr = expr.fn
    args.reverse()
    return expr, args


def show(expr: Expr, env: list[str]) -> str:
    """The term as Lean text with all arguments explicit; `env` holds a text for each variable in scope."""
    printer = _Printer()
    return printer.show(expr, env)


class _Printer:
    def __init__(self) -> None:
        self.length = 0

    def show(self, expr: Expr, env: list[str], depth: int = 0) -> str:
        if depth > 300:
            raise Unsupported("the statement is nested too deeply")
        match expr:
            case BVar():
                text = env[-1 - expr.index]
            case Const():
                if any(isinstance(part, int) for part in expr.name):
                    raise Unsupported(f"{expr.name} has no name that a file can write")
                text = f"@_root_.{expr.name}"
            case App():
                head, args = spine(expr)
                text = f"({' '.join(self.show(e, env, depth + 1) for e in (head, *args))})"
            case Lam():
                name = f"y{len(env)}"
                text = (
                    f"(fun ({name} : {self.show(expr.domain, env, depth + 1)}) => "
                    f"{self.show(expr.body, [*env, name], depth + 1)})"
                )
            case Pi():
                name = f"y{len(env)}"
                text = (
                    f"(({name} : {self.show(expr.domain, env, depth + 1)}) → "
                    f"{self.show(expr.body, [*env, name], depth + 1)})"
                )
            case Let():
                name = f"y{len(env)}"
                text = (
                    f"(let {name} : {self.show(expr.domain, env, depth + 1)} := "
                    f"{self.show(expr.value, env, depth + 1)}; {self.show(expr.body, [*env, name], depth + 1)})"
                )
            case NatLit():
                text = f"(nat_lit {expr.value})"
            case StrLit():
                raise Unsupported("string literals in statements are not run")
            case Proj():
                text = f"({self.show(expr.expr, env, depth + 1)}).{expr.index + 1}"
            case Sort():
                text = "Prop" if isinstance(expr.level, Zero) else "Type"
            case _:
                raise Unsupported("the statement has a term of an unknown kind")
        self.length += len(text)
        if self.length > MAX_TEXT * 50 or len(text) > MAX_TEXT:
            raise Unsupported("the statement is too large")
        return text
