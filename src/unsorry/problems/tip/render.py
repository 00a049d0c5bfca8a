"""A theory as Lean text: datatypes, functions, and one theorem for each `prove`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from unsorry.problems.tip.analysis import (
    Symbol,
    analyse,
    equality_needs,
    existential,
    own_type_variables,
    symbols_of,
)
from unsorry.problems.tip.infer import binders as bound
from unsorry.problems.tip.lower import Clause, Pattern, clauses, disjoint_clauses, inline, map_children
from unsorry.problems.tip.names import CORE_TYPES, RESERVED_CONSTRUCTORS, Names, readable
from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import (
    Binder,
    Call,
    Datatype,
    Formula,
    Function,
    Literal,
    Local,
    Quantifier,
    Term,
    Theory,
    TVar,
    Type,
    substitute_type,
    subterms,
    type_variables,
)
from unsorry.problems.tip.termination import Measure
from unsorry.problems.tip.terms import (
    ADD,
    APP,
    ARROW,
    MUL,
    PLAIN,
    REL,
    Scope,
    Style,
    Text,
    clause_text,
    pattern_binders,
    pattern_term,
    proposition,
    value,
)

NAMESPACE = "TIP"


@dataclass(frozen=True, slots=True)
class Plan:
    """Choices that Lean decides by trial: how a group of functions is printed and why it terminates."""

    style: Style = PLAIN
    measure: Measure | None = None  # of a single function
    size: str = "sizeOf"
    tactic: str = ""  # shows that the measure decreases; "" leaves it to Lean
    lemmas: tuple[str, ...] = ()  # proved before the functions
    given: bool = False  # stated by equations


@dataclass(frozen=True, slots=True)
class Declaration:
    """One group as Lean text; `plan` is what it was printed with."""

    names: tuple[str, ...]
    text: str


@dataclass(slots=True)
class Rendering:
    """Lean names and everything that is printed for one theory."""

    theory: Theory
    deriving: str = "DecidableEq, Repr"
    plans: dict[int, Plan] = field(default_factory=dict)  # index of the function group
    types: dict[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    style: Style = PLAIN  # of the theorems
    target: str = ""
    size: str = ""  # name of the wrapper of `sizeOf` in termination measures
    names: Names = field(default_factory=Names)
    plain_data: set[int] = field(default_factory=set)  # groups of datatypes for which nothing can be derived

    def prepare(self, theorem: str) -> None:
        """Give every declaration its Lean name, remove `let`s, and analyse dependencies."""
        self.target = theorem
        names = self.names = Names((theorem,))
        for group in self.theory.datatypes:
            for data in group:
                base = readable(data.name)
                data.lean = names.fresh(base + "'" if base in CORE_TYPES else base)
                self.types[data.name] = data.lean
                inner = Names((*RESERVED_CONSTRUCTORS, data.lean))
                for constructor in data.constructors:
                    constructor.lean = inner.fresh(readable(constructor.name))
        self.size = names.fresh("size")
        for functions in self.theory.functions:
            for function in functions:
                function.lean = names.fresh(readable(function.name))
                if function.body is not None:
                    function.body = inline(function.body, functions)
        for formula in (*self.theory.asserts, *self.theory.goals):
            formula.body = inline(formula.body, always=True)
        self.taken = frozenset(names.taken)
        analyse(self.theory)

    def decide(self, index: int, plan: Plan) -> None:
        """Set how a function group is printed; dependencies follow."""
        self.plans[index] = plan
        for function in self.theory.functions[index]:
            function.given = plan.given
        analyse(self.theory)

    def insert(self, index: int, function: Function) -> None:
        """Add a function of ours before the group at `index`; plans of later groups move along."""
        function.lean = self.names.fresh(readable(function.name))
        self.theory.functions.insert(index, [function])
        self.plans = {i + (i >= index): plan for i, plan in self.plans.items()}
        self.taken = frozenset(self.names.taken)
        analyse(self.theory)

    def remove(self, index: int) -> None:
        """Undo `insert`."""
        del self.theory.functions[index]
        self.plans = {i - (i > index): plan for i, plan in self.plans.items() if i != index}
        analyse(self.theory)

    def scope(self, variables: Sequence[str], symbols: Sequence[Symbol], style: Style) -> Scope:
        names = Names(self.taken)
        types = dict(self.types)
        for variable in variables:
            types[variable] = names.fresh(readable(variable))
        parameters: dict[Symbol, str] = {}
        for function, targs in symbols:
            alone = sum(1 for f, _ in symbols if f is function) == 1
            suffix = "" if alone else "_" + "_".join(readable(_flat(t)) for t in targs)
            parameters[function, targs] = names.fresh(function.lean + suffix if not alone else _own(function, names))
        return Scope(types, self.taken, {}, parameters, style)

    # Datatypes

    def datatypes(self) -> list[Declaration]:
        result = []
        for index, group in enumerate(self.theory.datatypes):
            texts = [self.datatype(data, derive=index not in self.plain_data) for data in group]
            text = "\n".join(texts) if len(texts) == 1 else "mutual\n" + "\n".join(texts) + "\nend"
            result.append(Declaration(tuple(d.lean for d in group), text))
        return result

    def datatype(self, data: Datatype, *, derive: bool) -> str:
        scope = self.scope(data.params, (), Style())
        params = "".join(f" ({scope.types[p]} : Type)" for p in data.params)
        lines = [f"inductive {data.lean}{params} where"]
        for constructor in data.constructors:
            shown = []
            names = Names((*self.taken, *scope.types.values()))
            for i, (selector, type_) in enumerate(constructor.fields, 1):
                name = f"x{i}" if selector.startswith("proj") else readable(selector)
                shown.append(f" ({names.fresh(name)} : {scope.type(type_)})")
            lines.append(f"  | {constructor.lean}{''.join(shown)}")
        if derive:
            lines.append(f"  deriving {self.deriving}")
        return "\n".join(lines)

    # Functions

    def functions(self, index: int) -> Declaration | None:
        """A group of functions, None if nothing is declared for it."""
        group = self.theory.functions[index]
        plan = self.plans.get(index, Plan())
        if plan.given or group[0].declared:
            return None
        texts = [self.function(f, plan) for f in group]
        if plan.lemmas:
            texts[0] = "\n".join([*plan.lemmas, "", texts[0]])
        text = texts[0] if len(texts) == 1 else "mutual\n" + "\n".join(texts) + "\nend"
        return Declaration(tuple(f.lean for f in group), text)

    def function(self, function: Function, plan: Plan) -> str:
        assert function.body is not None
        variables = own_type_variables(function)
        scope = self.scope(variables, function.symbols, plan.style)
        lifted = clauses(function.args, function.body)
        fixed = _fixed(lifted, len(function.args))
        scope = scope.bind(function.args[:fixed])
        head = [f"def {function.lean}", *_parameters(scope, variables, function)]
        head.extend(scope.binder(b) for b in function.args[:fixed])
        types = [scope.type(b.type, ARROW + 1) for b in function.args[fixed:]]
        signature = " ".join(head) + " : " + " → ".join([*types, scope.type(function.result, ARROW if types else 0)])
        if fixed == len(function.args):
            body = value(lifted[0].body, scope, known=True).text
            text = f"{signature} :=\n  {_indented(body, 2)}"
        else:
            lines = [signature]
            for clause in lifted:
                lines.append(
                    "  | " + _indented(clause_text(Clause(clause.patterns[fixed:], clause.body), scope, known=True), 4)
                )
            text = "\n".join(lines)
        return text + self.termination(function, plan, scope, fixed)

    def termination(self, function: Function, plan: Plan, scope: Scope, fixed: int) -> str:
        if plan.measure is None:
            return ""
        outer = scope.bind(function.args[fixed:])
        used = {
            t.binder
            for parts in plan.measure.components
            for part in parts
            if isinstance(part, tuple)
            for term in part[:2]
            for t in subterms(term)
            if isinstance(t, Local)
        }
        used |= {function.args[part] for parts in plan.measure.components for part in parts if isinstance(part, int)}
        components = []
        for parts in plan.measure.components:
            texts = []
            for part in parts:
                if isinstance(part, int):
                    texts.append(f"{plan.size} {outer.locals[function.args[part]]}")
                else:
                    texts.append(_distance(*part, outer))
            components.append(" + ".join(texts))
        measure = components[0] if len(components) == 1 else f"({', '.join(components)})"
        names = " ".join(outer.locals[b] if b in used else "_" for b in function.args[fixed:])
        head = f"{names} => " if names else ""
        decreasing = f"\ndecreasing_by\n  {_indented(plan.tactic, 2)}" if plan.tactic else ""
        return f"\ntermination_by {head}{measure}{decreasing}"

    # Theorems

    def theorem(self, name: str, goal: Formula, style: Style) -> str:
        """The statement, closed over type variables, uninterpreted symbols, equations and assertions."""
        terms: list[Term] = [goal.body, *(a.body for a in self.theory.asserts)]
        symbols = self.closure(symbols_of(terms))
        equations = [
            (s, instantiate(s[0].body, dict(zip(s[0].params, s[1], strict=True))))
            for s in symbols
            if s[0].given and s[0].body is not None
        ]
        variables: list[str] = []
        binders, body = _prefix(goal.body)
        for type_ in (
            *_types(goal.body),
            *(t for a in self.theory.asserts if not a.params for t in _types(a.body)),
            *(t for _, ts in symbols for t in ts),
            *(t for _, e in equations for t in _types(e)),
        ):
            variables.extend(n for n in type_variables(type_) if n not in variables)
        scope = self.scope(variables, symbols, style)
        data = {d.name: d for group in self.theory.datatypes for d in group}
        needs = set(equality_needs(goal.body, data, proposition=True))
        for assertion in self.theory.asserts:
            needs |= set(equality_needs(assertion.body, data, proposition=True)) - set(assertion.params)
        for _, equation in equations:
            needs |= set(equality_needs(equation, data, proposition=False))
        parts = [f"{{{scope.types[v]} : Type}}" for v in variables]
        if existential(goal.body) or any(existential(a.body, positive=False) for a in self.theory.asserts):
            parts.extend(f"[Nonempty {scope.types[v]}]" for v in variables)
        parts.extend(f"[DecidableEq {scope.types[v]}]" for v in variables if v in needs)
        parts.extend(_symbol_binder(s, scope) for s in symbols)
        hypotheses = Names((*self.taken, *scope.types.values(), *scope.symbols.values()))
        for symbol, equation in equations:
            for claim in self.equations(symbol, equation, scope):
                label = hypotheses.fresh(scope.symbols[symbol] + "_eq")
                parts.append(f"({label} : {_indented(claim, 4)})")
        for number, assertion in enumerate(self.theory.asserts, 1):
            label = hypotheses.fresh(f"h{number}")
            parts.append(f"({label} : {self.assertion(assertion, scope, data)})")
        inner = Scope(scope.types, scope.globals | frozenset(hypotheses.taken), {}, scope.symbols, style).bind(binders)
        parts.extend(inner.binder(b) for b in binders)
        claim = proposition(body, inner).text
        lines = _filled([f"theorem {name}", *parts]) + " :"
        return f"{lines}\n    {_indented(claim, 4)} := by sorry"

    def closure(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """With what the equations of given functions mention."""
        result = list(symbols)
        for function, types in result:
            if function.given and function.body is not None:
                body = instantiate(function.body, dict(zip(function.params, types, strict=True)))
                for symbol in symbols_of([body]):
                    if symbol not in result:
                        result.append(symbol)
                if len(result) > 64:
                    raise TipError(function.where, f"`{function.name}` is used at more than 64 types")
        return result

    def equations(self, symbol: Symbol, body: Term, scope: Scope) -> list[str]:
        """The defining equation, one for each clause where the clauses do not overlap: `∀ y, f nil y = ...`."""
        function, types = symbol
        mapping = dict(zip(function.params, types, strict=True))
        binders = {b: Binder(b.name, substitute_type(b.type, mapping)) for b in function.args}
        arguments = tuple(binders.values())
        renamed = _rename(body, binders)
        disjoint = disjoint_clauses(arguments, renamed)
        whole = [Clause(tuple(Pattern(b) for b in arguments), renamed)]
        return [self.equation(symbol, clause, scope) for clause in disjoint or whole]

    def equation(self, symbol: Symbol, clause: Clause, scope: Scope) -> str:
        binders = [b for p in clause.patterns for b in pattern_binders(p)]
        inner = scope.bind(binders)
        left = " ".join([scope.symbols[symbol], *(pattern_term(p, inner).at(APP) for p in clause.patterns)])
        right = value(clause.body, inner, known=True).at(REL + 1)
        names = " ".join(inner.binder(b) for b in binders)
        return f"∀ {names}, {left} = {right}" if names else f"{left} = {right}"

    def assertion(self, formula: Formula, scope: Scope, data: Mapping[str, Datatype]) -> str:
        names = Names((*self.taken, *scope.types.values()))
        types = {**scope.types, **{p: names.fresh(readable(p)) for p in formula.params}}
        inner = Scope(types, scope.globals, scope.locals, scope.symbols, scope.style)
        needs = set(equality_needs(formula.body, dict(data), proposition=True))
        parts = [f"{{{types[p]} : Type}}" for p in formula.params]
        parts.extend(f"[Nonempty {types[p]}]" for p in formula.params)
        parts.extend(f"[DecidableEq {types[p]}]" for p in formula.params if p in needs)
        claim = proposition(formula.body, inner).text
        return f"∀ {' '.join(parts)}, {claim}" if parts else claim


def instantiate(term: Term, mapping: Mapping[str, Type]) -> Term:
    """The term with its type variables replaced."""
    result = map_children(term, lambda t: instantiate(t, mapping))
    types = dict(mapping)
    type_ = substitute_type(term.type, types) if term.type is not None else None
    if isinstance(result, Call):
        return replace(result, targs=tuple(substitute_type(t, types) for t in result.targs), type=type_)
    return replace(result, type=type_)


def _rename(term: Term, binders: Mapping[Binder, Binder]) -> Term:
    if isinstance(term, Local) and term.binder in binders:
        return Local(binders[term.binder], term.where, binders[term.binder].type)
    return map_children(term, lambda t: _rename(t, binders))


def _prefix(term: Term) -> tuple[list[Binder], Term]:
    binders: list[Binder] = []
    while isinstance(term, Quantifier) and term.kind == "forall":
        binders.extend(term.binders)
        term = term.body
    return binders, term


def _types(term: Term) -> list[Type]:
    result: list[Type] = []
    for t in reversed(list(subterms(term))):
        result.extend(b.type for b in bound(t))
    for t in subterms(term):
        if t.type is not None:
            result.append(t.type)
        if isinstance(t, Call):
            result.extend(t.targs)
    return result


def _distance(left: Term, right: Term, offset: int, scope: Scope) -> str:
    shown = value(left, scope, known=True)
    shown = Text(" ".join(shown.text.split()), shown.level)
    if not isinstance(right, Literal) or right.value != 0:
        text = f"{shown.at(ADD)} - {value(right, scope, known=True).at(MUL)}"
    else:
        text = shown.text
        if not offset:
            return f"{shown.at(APP)}.toNat"
    return f"({text}{f' + {offset}' if offset else ''}).toNat"


def _parameters(scope: Scope, variables: Sequence[str], function: Function) -> list[str]:
    parts = [f"{{{scope.types[v]} : Type}}" for v in variables]
    parts.extend(f"[DecidableEq {scope.types[v]}]" for v in variables if v in function.equality)
    parts.extend(_symbol_binder(s, scope) for s in function.symbols)
    return parts


def _symbol_binder(symbol: Symbol, scope: Scope) -> str:
    function, types = symbol
    mapping = dict(zip(function.params, types, strict=True))
    parts = [scope.type(substitute_type(b.type, mapping), ARROW + 1) for b in function.args]
    return f"({scope.symbols[symbol]} : {' → '.join([*parts, scope.type(substitute_type(function.result, mapping))])})"


def _fixed(lifted: Sequence[Clause], count: int) -> int:
    """How many leading arguments are a variable in every clause."""
    fixed = 0
    while fixed < count and all(c.patterns[fixed].binder is not None for c in lifted):
        fixed += 1
    return fixed


def _own(function: Function, names: Names) -> str:
    """A parameter may carry the symbol's own name, which no declaration has."""
    names.taken.discard(function.lean)
    return function.lean


def _flat(type_: Type) -> str:
    return "_".join(type_variables(type_)) if isinstance(type_, TVar) else str(getattr(type_, "name", "fun"))


def _indented(text: str, by: int) -> str:
    return text.replace("\n", "\n" + " " * by)


def _filled(parts: Sequence[str], width: int = 116) -> str:
    lines, line = [], ""
    for part in parts:
        if line and len(line) + len(part) + 1 > width:
            lines.append(line)
            line = "    " + part
        else:
            line = f"{line} {part}" if line else part
    return "\n".join([*lines, line])
