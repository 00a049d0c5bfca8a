"""Terms as Lean text: as a proposition where a formula is wanted, as a Bool or value where one is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from unsorry.problems.tip.analysis import Symbol, has_quantifier, symbols_at
from unsorry.problems.tip.lower import Clause, Pattern, clauses
from unsorry.problems.tip.names import KEYWORDS, readable
from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Apply,
    Binder,
    Call,
    Constructor,
    Function,
    Lambda,
    Let,
    Literal,
    Local,
    Match,
    Op,
    Quantifier,
    TCon,
    Term,
    TFun,
    TVar,
    Type,
    subterms,
)

# Precedences of Lean's notation; 0 needs parentheses wherever it is not alone.
APP, MUL, ADD, REL, AND, OR, ARROW, LOW = 1024, 70, 65, 50, 35, 30, 25, 0
_SYMBOLS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥"}
WIDTH = 100


@dataclass(frozen=True, slots=True)
class Style:
    """`annotate` writes the types of literals and of constants without arguments, `named_conditions` `if h : c`."""

    annotate: bool = False
    named_conditions: bool = False


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class Text:
    """Lean text and the precedence of its outermost notation."""

    text: str
    level: int = APP

    def at(self, level: int) -> str:
        """The text, parenthesised unless it binds at least as tightly as `level`."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class Scope:
    """Lean names of what is in scope."""

    types: Mapping[str, str]  # datatypes and type variables
    globals: frozenset[str]
    locals: Mapping[Binder, str]
    symbols: Mapping[Symbol, str]
    style: Style

    def bind(self, binders: Sequence[Binder], *, used: frozenset[Binder] | None = None) -> Scope:
        """Names for new binders; with `used`, the others print as `_`."""
        taken = {*self.locals.values(), *self.symbols.values(), *self.types.values()}
        names = dict(self.locals)
        for binder in binders:
            if used is not None and binder not in used:
                names[binder] = "_"
                continue
            name = base = readable(binder.name)
            count = 1
            while name in taken or name in self.globals or name in KEYWORDS:
                count += 1
                name = base + "'" if count == 2 else f"{base}_{count}"
            taken.add(name)
            names[binder] = name
        return Scope(self.types, self.globals, names, self.symbols, self.style)

    def type(self, type_: Type, level: int = LOW) -> str:
        match type_:
            case TVar(name=name):
                return self.types[name]
            case TCon(name=name, args=args):
                head = name if type_ in (INT, BOOL) else self.types[name]
                return Text(" ".join([head, *(self.type(a, APP) for a in args)]), APP - 1 if args else APP).at(level)
            case TFun(args=args, result=result):
                parts = [self.type(a, ARROW + 1) for a in args]
                return Text(" → ".join([*parts, self.type(result, ARROW)]), ARROW).at(level)
        raise AssertionError(type_)

    def binder(self, binder: Binder) -> str:
        return f"({self.locals[binder]} : {self.type(binder.type)})"


def proposition(term: Term, scope: Scope) -> Text:
    """The term, of type Bool in TIP, as a Lean proposition."""
    if not has_quantifier(term) and isinstance(term, Match | Let | Call | Apply | Local):
        return Text(f"{value(term, scope).at(REL + 1)} = true", REL)
    match term:
        case Literal(value=truth):
            return Text("True" if truth else "False")
        case Op(op="ite", args=(condition, yes, no)):
            if not has_quantifier(term):
                return Text(f"{value(term, scope).at(REL + 1)} = true", REL)
            if has_quantifier(condition):
                raise TipError(term.where, "quantifier in the condition of `ite` is not covered")
            return _conditional(condition, proposition(yes, scope), proposition(no, scope), scope)
        case Op(op="not", args=(arg,)):
            return Text("¬" + proposition(arg, scope).at(REL + 60), REL - 10)
        case Op(op="and" | "or" as op, args=args):
            sign, level = ("∧", AND) if op == "and" else ("∨", OR)
            return _chain([proposition(a, scope) for a in args], sign, level)
        case Op(op="=>", args=args):
            return _chain([proposition(a, scope) for a in args], "→", ARROW)
        case Op(op="xor", args=args):
            result = proposition(args[0], scope)
            for arg in args[1:]:
                result = Text(f"¬({result.at(21)} ↔ {proposition(arg, scope).at(21)})", REL - 10)
            return result
        case Op(op="=" | "distinct", args=args) if any(has_quantifier(a) for a in args):
            return _equivalences(term, scope)
        case Op(op="=" | "distinct" | "<" | "<=" | ">" | ">=" as op, args=args):
            pairs = list(combinations(args, 2) if op == "distinct" else pairwise(args))
            sign = {"=": "=", "distinct": "≠"}.get(op) or _SYMBOLS[op]
            return _chain([_relation(a, sign, b, scope) for a, b in pairs], "∧", AND)
        case Quantifier(kind=kind, binders=binders, body=body):
            inner = scope.bind(binders)
            sign = "∀" if kind == "forall" else "∃"
            names = " ".join(inner.binder(b) for b in binders)
            return Text(f"{sign} {names}, {proposition(body, inner).text}", LOW)
    raise TipError(term.where, "a quantifier inside a computed term is not covered")


def _equivalences(term: Op, scope: Scope) -> Text:
    parts = [proposition(a, scope) for a in term.args]
    if term.op == "=":
        return _chain([Text(f"({a.at(21)} ↔ {b.at(21)})") for a, b in pairwise(parts)], "∧", AND)
    return _chain([Text(f"¬({a.at(21)} ↔ {b.at(21)})") for a, b in combinations(parts, 2)], "∧", AND)


def _relation(left: Term, sign: str, right: Term, scope: Scope) -> Text:
    # One side with a type that Lean can see is enough; a literal alone would be read as a natural number.
    anchored = _anchored(left) or _anchored(right)
    known = anchored and left.type == INT
    texts = [value(t, scope, known=known) for t in (left, right)]
    if not anchored and isinstance(left, Call) and not isinstance(right, Lambda):
        texts[0] = _ascribed(texts[0], left, scope)
    return Text(f"{texts[0].at(REL + 1)} {sign} {texts[1].at(REL + 1)}", REL)


def _chain(parts: list[Text], sign: str, level: int) -> Text:
    if len(parts) == 1:
        return parts[0]
    texts = [p.at(level + 1) for p in parts[:-1]]
    return Text(f" {sign} ".join([*texts, parts[-1].at(level)]), level)


def value(term: Term, scope: Scope, *, known: bool = False) -> Text:
    """The term as a value; `known` says that the context fixes its type, so that a bare literal is an Int."""
    match term:
        case Local(binder=binder):
            return Text(scope.locals[binder])
        case Literal(value=truth) if isinstance(truth, bool):
            return Text("true" if truth else "false")
        case Literal(value=number):
            return Text(str(number) if known and not scope.style.annotate else f"({number} : Int)")
        case Call():
            return call(term, scope)
        case Apply(function=function, args=args):
            head = value(function, scope, known=True).at(APP)
            return Text(" ".join([head, *(value(a, scope, known=True).at(APP) for a in args)]), APP - 1)
        case Lambda(binders=binders, body=body):
            inner = scope.bind(binders)
            names = " ".join(inner.binder(b) for b in binders)
            return Text(f"fun {names} => {value(body, inner).text}", LOW)
        case Let(binder=binder, value=bound, body=body):
            inner = scope.bind((binder,))
            left = f"let {inner.locals[binder]} : {scope.type(binder.type)} := {value(bound, scope, known=True).text}"
            return Text(f"{left}\n{value(body, inner, known=known).text}", LOW)
        case Match():
            return match(term, scope, known=known)
        case Op(op="ite", args=(condition, yes, no)):
            return _conditional(condition, value(yes, scope, known=known), value(no, scope, known=known), scope)
        case Op(op="and" | "or" | "not" | "=>" | "xor" | "=" | "distinct" | "<" | "<=" | ">" | ">="):
            return _boolean(term, scope)
        case Op():
            return _arithmetic(term, scope, known=known)
        case Quantifier():
            raise TipError(term.where, "a quantifier inside a computed term is not covered")
    raise AssertionError(term)


def _boolean(term: Op, scope: Scope) -> Text:
    args = term.args
    match term.op:
        case "not":
            return Text("!" + value(args[0], scope).at(APP), APP - 1)
        case "and" | "or" as op:
            sign, level = ("&&", AND) if op == "and" else ("||", OR)
            return _left_chain([value(a, scope) for a in args], sign, level)
        case "=>":
            result = value(args[-1], scope)
            for arg in reversed(args[:-1]):
                result = Text(f"!{value(arg, scope).at(APP)} || {result.at(OR + 1)}", OR)
            return result
        case "xor":
            result = value(args[0], scope)
            for arg in args[1:]:
                result = Text(f"decide ({result.at(REL + 1)} ≠ {value(arg, scope).at(REL + 1)})", APP - 1)
            return result
    pairs = list(combinations(args, 2) if term.op == "distinct" else pairwise(args))
    sign = {"=": "=", "distinct": "≠"}.get(term.op) or _SYMBOLS[term.op]
    tests = [Text(f"decide ({_relation(a, sign, b, scope).text})", APP - 1) for a, b in pairs]
    return _left_chain(tests, "&&", AND)


def _left_chain(parts: list[Text], sign: str, level: int) -> Text:
    """`&&` and `||` associate to the left; the order of evaluation does not matter, so print it flat."""
    if len(parts) == 1:
        return parts[0]
    return Text(f" {sign} ".join([parts[0].at(level), *(p.at(level + 1) for p in parts[1:])]), level)


def _arithmetic(term: Op, scope: Scope, *, known: bool) -> Text:
    args = term.args
    if term.op in ("div", "mod"):
        divisor = args[1]
        if isinstance(divisor, Op) and divisor.op == "-" and len(divisor.args) == 1:
            divisor = divisor.args[0]
        if not isinstance(divisor, Literal) or divisor.value == 0:
            raise TipError(term.where, f"`{term.op}` by something that may be zero has no value in SMT-LIB")
    if term.op == "abs":
        raise TipError(term.where, "`abs` is not covered")
    known = known or any(_anchored(a) for a in args)
    # Operands other than arithmetic are elaborated by themselves: nothing tells a literal inside that it is an Int.
    plain = [not isinstance(a, Match | Let) and not (isinstance(a, Op) and a.op == "ite") for a in args]
    texts = [value(a, scope, known=known and p) for a, p in zip(args, plain, strict=True)]
    if len(args) == 1:
        return Text("-" + texts[0].at(75), 75) if term.op == "-" else texts[0]
    sign, level = {"+": ("+", ADD), "-": ("-", ADD), "*": ("*", MUL), "div": ("/", MUL), "mod": ("%", MUL)}[term.op]
    return _left_chain(texts, sign, level)


def _anchored(term: Term) -> bool:
    """Whether Lean sees the type of the term without help: it contains something declared with a type."""
    match term:
        case Local() | Apply():
            return True
        case Call(target=Constructor() as target, args=args):
            return not target.data.params or (bool(args) and all(_anchored(a) for a in args))
        case Call(target=Function() as target, args=args):
            result_variables = {p for p in target.params if TVar(p) in _parts(target.result)}
            return not result_variables or (bool(args) and all(_anchored(a) for a in args))
        case Op(op="+" | "-" | "*" | "div" | "mod", args=args):
            return any(_anchored(a) for a in args)
        case Literal(value=number):
            return isinstance(number, bool)
        case Op(op="ite", args=(_, yes, no)):
            return _anchored(yes) or _anchored(no)
        case Op():
            return True
    return False


def _parts(type_: Type) -> list[Type]:
    match type_:
        case TCon(args=args):
            return [type_, *(p for a in args for p in _parts(a))]
        case TFun(args=args, result=result):
            return [type_, *(p for a in (*args, result) for p in _parts(a))]
    return [type_]


def _conditional(condition: Term, yes: Text, no: Text, scope: Scope) -> Text:
    if isinstance(condition, Local | Apply | Call):
        test = value(condition, scope).text
    else:
        test = proposition(condition, scope).text
    name = "h : " if scope.style.named_conditions else ""
    # `else` extends as far as it can; its own conditional needs no parentheses.
    line = f"if {name}{test} then {yes.at(LOW + 1)} else {no.text}"
    if len(line) > WIDTH or "\n" in line:
        line = f"if {name}{test} then\n  {_indent(yes.text if _closed(yes) else yes.at(1))}\nelse\n  {_indent(no.text)}"
    return Text(line, LOW)


def _closed(text: Text) -> bool:
    return text.level > LOW


def _indent(text: str, by: int = 2) -> str:
    return text.replace("\n", "\n" + " " * by)


def call(term: Call, scope: Scope) -> Text:
    """An application; parameters for uninterpreted symbols are passed on."""
    target = term.target
    if isinstance(target, Constructor):
        parameters: list[str] = []
        head = f"{target.data.lean}.{target.lean}"
        types = tuple(t for _, t in target.fields)
    else:
        symbols = list(symbols_at(target, term.targs))
        if target.declared or target.given:
            parameters, head = [], scope.symbols[symbols[-1]]
        else:
            parameters, head = [scope.symbols[s] for s in symbols], target.lean
        types = tuple(b.type for b in target.args)
    args = [_argument(arg, type_, scope).at(APP) for arg, type_ in zip(term.args, types, strict=True)]
    result = Text(" ".join([head, *parameters, *args]), APP - 1 if args or parameters else APP)
    if not args and scope.style.annotate and term.targs:
        return _ascribed(result, term, scope)
    return result


def _argument(arg: Term, declared: Type, scope: Scope) -> Text:
    # Where the parameter's type is a variable, nothing tells Lean that a literal is an Int.
    return value(arg, scope, known=not isinstance(declared, TVar))


def _ascribed(text: Text, term: Term, scope: Scope) -> Text:
    assert term.type is not None
    if text.text.startswith("(") and " : " in text.text:
        return text
    return Text(f"({text.text} : {scope.type(term.type)})")


def match(term: Match, scope: Scope, *, known: bool) -> Text:
    """A match that is not one of a function's clauses."""
    scrutinee = term.scrutinee
    if isinstance(scrutinee, Local):
        subject, body = scrutinee.binder, term
        head = scope.locals[subject]
    else:
        assert scrutinee.type is not None
        subject = Binder("it", scrutinee.type)
        body = Match(Local(subject, term.where, scrutinee.type), term.cases, term.where, term.type)
        head = value(scrutinee, scope).text
    lines = [f"match {_indent(head)} with"]
    for clause in clauses((subject,), body):
        lines.append("| " + _indent(clause_text(clause, scope, known=known), 4))
    return Text("\n".join(lines), LOW)


def clause_text(clause: Clause, scope: Scope, *, known: bool) -> str:
    """`patterns => body`."""
    used = frozenset(t.binder for t in subterms(clause.body) if isinstance(t, Local))
    binders = [b for p in clause.patterns for b in pattern_binders(p)]
    inner = scope.bind([b for b in binders if b not in scope.locals or b in used], used=used)
    shown = ", ".join(_pattern(p, inner, used, APP - 1) for p in clause.patterns)
    body = value(clause.body, inner, known=known)
    text = f"{shown} => {body.at(1) if isinstance(clause.body, Match) else body.text}"
    if len(text) > WIDTH and "\n" not in text:
        text = f"{shown} =>\n{body.text}"
    return text


def pattern_binders(pattern: Pattern) -> list[Binder]:
    if pattern.binder is not None:
        return [pattern.binder]
    return [b for p in pattern.args for b in pattern_binders(p)]


def _pattern(pattern: Pattern, scope: Scope, used: frozenset[Binder], level: int) -> str:
    if pattern.binder is not None:
        return scope.locals[pattern.binder] if pattern.binder in used else "_"
    assert pattern.constructor is not None
    parts = [f".{pattern.constructor.lean}", *(_pattern(p, scope, used, APP) for p in pattern.args)]
    return Text(" ".join(parts), APP - 1 if pattern.args else APP).at(level)


def pattern_term(pattern: Pattern, scope: Scope) -> Text:
    """The pattern as a term."""
    if pattern.binder is not None:
        return Text(scope.locals[pattern.binder])
    assert pattern.constructor is not None
    head = f"{pattern.constructor.data.lean}.{pattern.constructor.lean}"
    args = [pattern_term(p, scope).at(APP) for p in pattern.args]
    return Text(" ".join([head, *args]), APP - 1 if args else APP)
