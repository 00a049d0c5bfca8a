"""S-expressions to sorts and terms, over the names that a file has declared."""

from __future__ import annotations

from collections.abc import Sequence

from unsorry.problems.tip.sexp import Atom, Node, Sexp, TipError, exactly, fields, items, symbol
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Apply,
    Binder,
    Call,
    Case,
    Constructor,
    Datatype,
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
    Theory,
    TVar,
    Type,
    substitute_type,
)

OPERATORS = frozenset(
    ["and", "or", "xor", "not", "=>", "=", "distinct", "ite", "+", "-", "*", "div", "mod", "abs", "<", "<=", ">", ">="]
)
_UNSUPPORTED = {"Real": "real numbers", "String": "strings", "Array": "arrays", "Seq": "sequences"}
_SPECIAL = {
    "_": "underscore", "as": "underscore", "@": "apply", "lambda": "lambda", "forall": "quantifier",
    "exists": "quantifier", "let": "let", "match": "match", "!": "annotation",
}  # fmt: skip


class TermParser:
    """What has been declared so far, and the sorts and terms that may be written over it."""

    def __init__(self, name: str) -> None:
        self.theory = Theory(name)
        self.sorts: set[str] = set()
        self.aliases: dict[str, tuple[tuple[str, ...], Type]] = {}
        self.datatypes: dict[str, Datatype] = {}
        self.constructors: dict[str, Constructor] = {}
        self.selectors: dict[str, tuple[Constructor, int]] = {}
        self.functions: dict[str, Function] = {}

    # Sorts

    def type(self, sexp: Sexp, params: Sequence[str]) -> Type:
        if isinstance(sexp, Atom):
            return self.named_type(sexp, (), params)
        head = sexp.head()
        if head is None:
            raise TipError(sexp.where, "this is not a sort")
        args = tuple(self.type(arg, params) for arg in sexp.items[1:])
        if head == "=>":
            if len(args) < 2:
                raise TipError(sexp.where, "`=>` needs an argument and a result")
            return TFun(args[:-1], args[-1])
        first = sexp.items[0]
        assert isinstance(first, Atom)
        return self.named_type(first, args, params)

    def named_type(self, name: Atom, args: tuple[Type, ...], params: Sequence[str]) -> Type:
        text = name.text
        arity = 0
        result: Type
        if text in params or text in self.sorts:
            result = TVar(text)
        elif text in ("Int", "Bool"):
            result = INT if text == "Int" else BOOL
        elif text in self.datatypes:
            arity, result = len(self.datatypes[text].params), TCon(text, args)
        elif text in self.aliases:
            names, body = self.aliases[text]
            arity = len(names)
            result = substitute_type(body, dict(zip(names, args, strict=False)))
        elif text in _UNSUPPORTED:
            raise TipError(name.where, f"{_UNSUPPORTED[text]} (`{text}`) are not covered")
        else:
            raise TipError(name.where, f"unknown sort `{text}`")
        if len(args) != arity:
            raise TipError(name.where, f"sort `{text}` takes {arity} arguments, not {len(args)}")
        return result

    def binders(self, sexp: Sexp, params: Sequence[str]) -> tuple[Binder, ...]:
        result = []
        for item in items(sexp):
            name, sort = exactly(item, 2, "(NAME SORT)")
            result.append(Binder(symbol(name), self.type(sort, params)))
        if len({b.name for b in result}) != len(result):
            raise TipError(sexp.where, "the same variable is bound twice")
        return tuple(result)

    # Terms

    def term(self, sexp: Sexp, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        if isinstance(sexp, Atom):
            return self.atom(sexp, scope)
        if not sexp.items:
            raise TipError(sexp.where, "empty term")
        head, rest = sexp.items[0], sexp.items[1:]
        where = sexp.where
        if isinstance(head, Node):
            return self.applied(head, rest, where, scope, params)
        name = head.text
        shadowed = head.quoted or name in scope
        if not shadowed:
            special = getattr(self, "term_" + _SPECIAL.get(name, "?"), None)
            if special is not None:
                return special(sexp, scope, params)  # type: ignore[no-any-return]
        args = tuple(self.term(arg, scope, params) for arg in rest)
        if name in scope:
            if not args:
                return Local(scope[name], where)
            raise TipError(where, f"`{name}` is a variable; apply it with `@`")
        if name in self.functions or name in self.constructors:
            return self.call(name, None, args, where)
        if name in self.selectors:
            return self.selection(name, args, where)
        if name in OPERATORS and not head.quoted:
            return Op(name, args, where)
        if name.startswith("is-") and name[3:] in self.constructors:
            return self.tester(name[3:], args, where)
        raise TipError(where, f"unknown function `{name}`")

    def atom(self, sexp: Atom, scope: dict[str, Binder]) -> Term:
        name, where = sexp.text, sexp.where
        if name in scope:
            return Local(scope[name], where)
        if name in self.functions or name in self.constructors:
            return self.call(name, None, (), where)
        if name in ("true", "false") and not sexp.quoted:
            return Literal(name == "true", where)
        if name.isascii() and name.isdigit():
            if len(name) > 1000:
                raise TipError(where, "numeral with more than 1000 digits")
            return Literal(int(name), where)
        if name.replace(".", "", 1).isdigit():
            raise TipError(where, f"real numbers (`{name}`) are not covered")
        raise TipError(where, f"unknown symbol `{name}`")

    def applied(
        self, head: Node, rest: Sequence[Sexp], where: str, scope: dict[str, Binder], params: Sequence[str]
    ) -> Term:
        """`((_ f T ...) x ...)`, `((as f T) x ...)`, `((_ is c) x)`."""
        args = tuple(self.term(arg, scope, params) for arg in rest)
        if head.head() == "_" and len(head.items) == 3 and head.items[1] == Atom("is", head.items[1].where):
            return self.tester(symbol(head.items[2]), args, where)
        if head.head() == "_" and len(head.items) >= 3:
            types = tuple(self.type(t, params) for t in head.items[2:])
            return self.call(symbol(head.items[1]), types, args, where)
        if head.head() == "as" and len(head.items) == 3:
            term = self.call(symbol(head.items[1]), None, args, where)
            term.type = self.type(head.items[2], params)
            return term
        raise TipError(where, "the head of an application must be a name; apply functions as values with `@`")

    def call(self, name: str, types: tuple[Type, ...] | None, args: tuple[Term, ...], where: str) -> Term:
        target = self.functions.get(name) or self.constructors.get(name)
        if target is None:
            raise TipError(where, f"unknown function `{name}`")
        params = target.params if isinstance(target, Function) else target.data.params
        arity = len(target.args) if isinstance(target, Function) else len(target.fields)
        if len(args) != arity:
            raise TipError(where, f"`{name}` takes {arity} arguments, not {len(args)}")
        if types is not None and len(types) != len(params):
            raise TipError(where, f"`{name}` takes {len(params)} type arguments, not {len(types)}")
        return Call(target, args, where, types)

    def selection(self, name: str, args: tuple[Term, ...], where: str) -> Term:
        constructor, index = self.selectors[name]
        if len(constructor.data.constructors) > 1:
            other = next(c for c in constructor.data.constructors if c is not constructor)
            reason = f"selector `{name}` has no value on `{other.name}`; partial selectors are not covered"
            raise TipError(where, reason)
        _need(args, 1, name, where)
        binders = tuple(Binder(n, t) for n, t in constructor.fields)
        return Match(args[0], (Case(constructor, binders, Local(binders[index], where)),), where)

    def tester(self, name: str, args: tuple[Term, ...], where: str) -> Term:
        if name not in self.constructors:
            raise TipError(where, f"unknown constructor `{name}`")
        _need(args, 1, f"is {name}", where)
        constructor = self.constructors[name]
        binders = tuple(Binder(n, t) for n, t in constructor.fields)
        cases = [Case(constructor, binders, Literal(True, where))]
        if len(constructor.data.constructors) > 1:
            cases.append(Case(None, (), Literal(False, where)))
        return Match(args[0], tuple(cases), where)

    def term_underscore(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        return self.applied(sexp, (), sexp.where, scope, params)

    def term_apply(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        if len(sexp.items) < 3:
            raise TipError(sexp.where, "`@` needs a function and an argument")
        function, *args = (self.term(item, scope, params) for item in sexp.items[1:])
        return Apply(function, tuple(args), sexp.where)

    def term_lambda(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        names, body = fields(sexp, 2, "(lambda (VARIABLES) TERM)")
        binders = self.binders(names, params)
        return Lambda(binders, self.term(body, scope | {b.name: b for b in binders}, params), sexp.where)

    def term_quantifier(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        names, body = fields(sexp, 2, f"({sexp.head()} (VARIABLES) FORMULA)")
        binders = self.binders(names, params)
        inner = self.term(body, scope | {b.name: b for b in binders}, params)
        return Quantifier(sexp.head() or "", binders, inner, sexp.where) if binders else inner

    def term_let(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        names, body = fields(sexp, 2, "(let ((NAME TERM) ...) TERM)")
        bound = []
        for item in items(names):
            name, value = exactly(item, 2, "(NAME TERM)")
            bound.append((symbol(name), self.term(value, scope, params)))  # parallel: the outer scope
        inner, binders = dict(scope), []
        for name_, value_ in bound:
            binder = Binder(name_, BOOL)  # inference gives it its type
            inner[name_] = binder
            binders.append((binder, value_))
        result = self.term(body, inner, params)
        for binder, value_ in reversed(binders):
            result = Let(binder, value_, result, sexp.where)
        return result

    def term_match(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        if len(sexp.items) < 3:
            raise TipError(sexp.where, "expected (match TERM (CASES))")
        scrutinee = self.term(sexp.items[1], scope, params)
        old = all(isinstance(i, Node) and i.head() == "case" and len(i.items) == 3 for i in sexp.items[2:])
        if old and isinstance(sexp.items[2], Node):  # (match x (case PATTERN TERM) ...)
            pairs = [(i.items[1], i.items[2]) for i in sexp.items[2:] if isinstance(i, Node)]
        else:
            pairs = []
            for item in items(fields(sexp, 2, "(match TERM (CASES))")[1]):
                pattern, body = exactly(item, 2, "(PATTERN TERM)")
                pairs.append((pattern, body))
        cases = []
        for pattern, body in pairs:
            constructor, binders = self.pattern(pattern)
            inner = scope | {b.name: b for b in binders}
            cases.append(Case(constructor, binders, self.term(body, inner, params)))
        if not cases:
            raise TipError(sexp.where, "`match` without cases")
        return Match(scrutinee, tuple(cases), sexp.where)

    def pattern(self, sexp: Sexp) -> tuple[Constructor | None, tuple[Binder, ...]]:
        if isinstance(sexp, Atom):
            if sexp.text in ("_", "default"):
                return None, ()
            if sexp.text not in self.constructors:
                return None, (Binder(sexp.text, BOOL),)
            parts: tuple[Sexp, ...] = (sexp,)
        else:
            parts = sexp.items
        if not parts or symbol(parts[0]) not in self.constructors:
            raise TipError(sexp.where, "a pattern is a variable or a constructor applied to variables")
        constructor = self.constructors[symbol(parts[0])]
        if len(parts) - 1 != len(constructor.fields):
            count = len(constructor.fields)
            raise TipError(sexp.where, f"`{constructor.name}` takes {count} arguments, not {len(parts) - 1}")
        binders = tuple(Binder(symbol(p), t) for p, (_, t) in zip(parts[1:], constructor.fields, strict=True))
        return constructor, binders

    def term_annotation(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        if len(sexp.items) < 2:
            raise TipError(sexp.where, "expected (! TERM ATTRIBUTES)")
        return self.term(sexp.items[1], scope, params)


def _need(args: Sequence[Term], count: int, name: str, where: str) -> None:
    if len(args) != count:
        raise TipError(where, f"`{name}` takes {count} arguments, not {len(args)}")
