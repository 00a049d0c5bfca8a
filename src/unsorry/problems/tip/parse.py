"""S-expressions to declarations: names are resolved here, types are inferred in `infer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unsorry.problems.tip.sexp import Atom, Node, Sexp, TipError
from unsorry.problems.tip.syntax import (
    BOOL,
    INT,
    Apply,
    Binder,
    Call,
    Case,
    Constructor,
    Datatype,
    Formula,
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
_IGNORED = frozenset(["check-sat", "set-logic", "set-info", "set-option", "exit"])
_UNSUPPORTED = {"Real": "real numbers", "String": "strings", "Array": "arrays", "Seq": "sequences"}


def parse(forms: Sequence[Sexp], name: str) -> Theory:
    """The theory of one file; the first construct that is not covered is a `TipError`."""
    return _Parser(name).run(forms)


class _Parser:
    def __init__(self, name: str) -> None:
        self.theory = Theory(name)
        self.sorts: set[str] = set()
        self.aliases: dict[str, tuple[tuple[str, ...], Type]] = {}
        self.datatypes: dict[str, Datatype] = {}
        self.constructors: dict[str, Constructor] = {}
        self.selectors: dict[str, tuple[Constructor, int]] = {}
        self.functions: dict[str, Function] = {}

    def run(self, forms: Sequence[Sexp]) -> Theory:
        commands: dict[str, Callable[[Node], None]] = {
            "declare-sort": self.declare_sort, "define-sort": self.define_sort,
            "declare-datatype": self.declare_datatype, "declare-datatypes": self.declare_datatypes,
            "declare-const": self.declare_const, "declare-fun": self.declare_fun,
            "define-const": self.define_const,
            "define-fun": self.define_fun, "define-fun-rec": self.define_fun,
            "define-funs-rec": self.define_funs,
            "assert": self.assertion, "prove": self.goal, "assert-not": self.goal,
        }  # fmt: skip
        for form in forms:
            head = form.head() if isinstance(form, Node) else None
            if head in _IGNORED:
                continue
            if head not in commands or not isinstance(form, Node):
                shown = f"`{head}`" if head else "this"
                raise TipError(form.where, f"{shown} is not a command of TIP")
            commands[head](form)
        return self.theory

    # Declarations

    def declare_sort(self, form: Node) -> None:
        name, arity = _fields(form, 2, "(declare-sort NAME ARITY)")
        if _symbol(arity) != "0":
            raise TipError(form.where, "uninterpreted sorts with parameters are not covered")
        self.fresh(name)
        self.sorts.add(_symbol(name))
        self.theory.sorts.append(_symbol(name))

    def define_sort(self, form: Node) -> None:
        name, params, body = _fields(form, 3, "(define-sort NAME (PARAMETERS) SORT)")
        names = tuple(_symbol(p) for p in _items(params))
        self.fresh(name)
        self.aliases[_symbol(name)] = (names, self.type(body, names))

    def declare_datatype(self, form: Node) -> None:
        name, body = _fields(form, 2, "(declare-datatype NAME (CONSTRUCTORS))")
        self.data_group([name], [body], form)

    def declare_datatypes(self, form: Node) -> None:
        names, bodies = _fields(form, 2, "(declare-datatypes ((NAME ARITY) ...) (BODY ...))")
        heads = [_items(n)[0] if isinstance(n, Node) and n.items else n for n in _items(names)]
        self.data_group(heads, list(_items(bodies)), form)

    def data_group(self, names: Sequence[Sexp], bodies: Sequence[Sexp], form: Node) -> None:
        if len(names) != len(bodies):
            raise TipError(form.where, f"{len(names)} datatype names but {len(bodies)} bodies")
        group = []
        for name, body in zip(names, bodies, strict=True):
            self.fresh(name)
            params, _ = _par(body)
            data = Datatype(_symbol(name), params, name.where)
            self.datatypes[data.name] = data
            group.append(data)
        for data, body in zip(group, bodies, strict=True):
            for item in _items(_par(body)[1]):
                parts = _items(item) if isinstance(item, Node) else (item,)
                if not parts:
                    raise TipError(item.where, "constructor without a name")
                fields = []
                for part in parts[1:]:
                    pair = _items(part)
                    if len(pair) != 2:
                        raise TipError(part.where, "a constructor's argument is written (SELECTOR SORT)")
                    fields.append((_symbol(pair[0]), self.type(pair[1], data.params)))
                self.fresh(parts[0])
                constructor = Constructor(_symbol(parts[0]), tuple(fields), data)
                data.constructors.append(constructor)
                self.constructors[constructor.name] = constructor
                for index, (selector, _) in enumerate(fields):
                    self.selectors[selector] = (constructor, index)
            if not data.constructors:
                raise TipError(data.where, f"datatype `{data.name}` has no constructor")
        self.theory.datatypes.append(group)

    def declare_const(self, form: Node) -> None:
        name, body = _fields(form, 2, "(declare-const NAME SORT)")
        params, sort = _par(body)
        self.add_functions([Function(_symbol(name), params, (), self.type(sort, params), form.where)], [name])

    def declare_fun(self, form: Node) -> None:
        name, params, args, result, _ = self.signature(form, body=False)
        binders = tuple(Binder(f"x{i}", self.type(a, params)) for i, a in enumerate(_items(args)))
        function = Function(_symbol(name), params, binders, self.type(result, params), form.where)
        self.add_functions([function], [name])

    def define_const(self, form: Node) -> None:
        name, sort, body = _fields(form, 3, "(define-const NAME SORT TERM)")
        function = Function(_symbol(name), (), (), self.type(sort, ()), form.where)
        self.add_functions([function], [name])
        function.body = self.term(body, {}, ())

    def define_fun(self, form: Node) -> None:
        name, params, args, result, body = self.signature(form, body=True)
        function = self.header(name, params, args, result, form.where)
        assert body is not None
        if form.head() == "define-fun":  # not in scope in its own body
            function.body = self.term(body, {b.name: b for b in function.args}, params)
            self.add_functions([function], [name])
        else:
            self.add_functions([function], [name])
            function.body = self.term(body, {b.name: b for b in function.args}, params)

    def define_funs(self, form: Node) -> None:
        heads, bodies = _fields(form, 2, "(define-funs-rec (SIGNATURES) (BODIES))")
        if len(_items(heads)) != len(_items(bodies)):
            raise TipError(form.where, f"{len(_items(heads))} signatures but {len(_items(bodies))} bodies")
        group, names = [], []
        for head in _items(heads):
            outer, inner = _par(head)
            parts = _items(inner)
            if len(parts) == 3:
                name, args, result = parts
                params = outer
            elif len(parts) == 2 and _par(parts[1])[0]:
                name = parts[0]
                params, signature = _par(parts[1])
                args, result = _exactly(signature, 2, "((ARGUMENTS) SORT)")
            else:
                raise TipError(head.where, "a signature is written (NAME (ARGUMENTS) SORT)")
            group.append(self.header(name, params, args, result, head.where))
            names.append(name)
        self.add_functions(group, names)
        for function, body in zip(group, _items(bodies), strict=True):
            function.body = self.term(body, {b.name: b for b in function.args}, function.params)

    def signature(self, form: Node, *, body: bool) -> tuple[Sexp, tuple[str, ...], Sexp, Sexp, Sexp | None]:
        """Both places for `par`: around the signature, and (older files) around all."""
        rest = form.items[1:]
        params: tuple[str, ...] = ()
        if len(rest) == 1:
            params, inner = _par(rest[0])
            rest = _items(inner)
        usage = f"({form.head()} NAME (ARGUMENTS) SORT" + (" TERM)" if body else ")")
        tail = 1 if body else 0
        if len(rest) == 2 + tail:
            params, signature = _par(rest[1])
            args, result = _exactly(signature, 2, "(par (VARIABLES) ((ARGUMENTS) SORT))")
        elif len(rest) == 3 + tail:
            args, result = rest[1], rest[2]
        else:
            raise TipError(form.where, f"expected {usage}")
        return rest[0], params, args, result, rest[-1] if body else None

    def header(self, name: Sexp, params: tuple[str, ...], args: Sexp, result: Sexp, where: str) -> Function:
        binders = self.binders(args, params)
        return Function(_symbol(name), params, binders, self.type(result, params), where)

    def add_functions(self, group: list[Function], names: Sequence[Sexp]) -> None:
        for function, name in zip(group, names, strict=True):
            self.fresh(name)
            self.functions[function.name] = function
        self.theory.functions.append(group)

    def assertion(self, form: Node) -> None:
        self.theory.asserts.append(self.formula(form))

    def goal(self, form: Node) -> None:
        self.theory.goals.append(self.formula(form))

    def formula(self, form: Node) -> Formula:
        (body,) = _fields(form, 1, f"({form.head()} FORMULA)")
        params, inner = _par(body)
        return Formula(params, self.term(inner, {}, params), form.where)

    def fresh(self, name: Sexp) -> None:
        text = _symbol(name)
        if any(text in k for k in (self.constructors, self.functions)):  # types are another name space
            raise TipError(name.where, f"`{text}` is declared twice")

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
        for item in _items(sexp):
            name, sort = _exactly(item, 2, "(NAME SORT)")
            result.append(Binder(_symbol(name), self.type(sort, params)))
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
            return self.tester(_symbol(head.items[2]), args, where)
        if head.head() == "_" and len(head.items) >= 3:
            types = tuple(self.type(t, params) for t in head.items[2:])
            return self.call(_symbol(head.items[1]), types, args, where)
        if head.head() == "as" and len(head.items) == 3:
            term = self.call(_symbol(head.items[1]), None, args, where)
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
        names, body = _fields(sexp, 2, "(lambda (VARIABLES) TERM)")
        binders = self.binders(names, params)
        return Lambda(binders, self.term(body, scope | {b.name: b for b in binders}, params), sexp.where)

    def term_quantifier(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        names, body = _fields(sexp, 2, f"({sexp.head()} (VARIABLES) FORMULA)")
        binders = self.binders(names, params)
        inner = self.term(body, scope | {b.name: b for b in binders}, params)
        return Quantifier(sexp.head() or "", binders, inner, sexp.where) if binders else inner

    def term_let(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        names, body = _fields(sexp, 2, "(let ((NAME TERM) ...) TERM)")
        bound = []
        for item in _items(names):
            name, value = _exactly(item, 2, "(NAME TERM)")
            bound.append((_symbol(name), self.term(value, scope, params)))  # parallel: the outer scope
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
            for item in _items(_fields(sexp, 2, "(match TERM (CASES))")[1]):
                pattern, body = _exactly(item, 2, "(PATTERN TERM)")
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
        if not parts or _symbol(parts[0]) not in self.constructors:
            raise TipError(sexp.where, "a pattern is a variable or a constructor applied to variables")
        constructor = self.constructors[_symbol(parts[0])]
        if len(parts) - 1 != len(constructor.fields):
            count = len(constructor.fields)
            raise TipError(sexp.where, f"`{constructor.name}` takes {count} arguments, not {len(parts) - 1}")
        binders = tuple(Binder(_symbol(p), t) for p, (_, t) in zip(parts[1:], constructor.fields, strict=True))
        return constructor, binders

    def term_annotation(self, sexp: Node, scope: dict[str, Binder], params: Sequence[str]) -> Term:
        if len(sexp.items) < 2:
            raise TipError(sexp.where, "expected (! TERM ATTRIBUTES)")
        return self.term(sexp.items[1], scope, params)


_SPECIAL = {
    "_": "underscore", "as": "underscore", "@": "apply", "lambda": "lambda", "forall": "quantifier",
    "exists": "quantifier", "let": "let", "match": "match", "!": "annotation",
}  # fmt: skip


def _symbol(sexp: Sexp) -> str:
    if isinstance(sexp, Atom):
        return sexp.text
    raise TipError(sexp.where, "expected a name")


def _items(sexp: Sexp) -> tuple[Sexp, ...]:
    if isinstance(sexp, Node):
        return sexp.items
    raise TipError(sexp.where, f"expected a list, not `{sexp.text[:40]}`")


def _exactly(sexp: Sexp, count: int, usage: str) -> tuple[Sexp, ...]:
    if isinstance(sexp, Node) and len(sexp.items) == count:
        return sexp.items
    raise TipError(sexp.where, f"expected {usage}")


def _fields(form: Node, count: int, usage: str) -> tuple[Sexp, ...]:
    if len(form.items) != count + 1:
        raise TipError(form.where, f"expected {usage}")
    return form.items[1:]


def _par(sexp: Sexp) -> tuple[tuple[str, ...], Sexp]:
    if isinstance(sexp, Node) and sexp.head() == "par":
        names, body = _fields(sexp, 2, "(par (VARIABLES) ...)")
        return tuple(_symbol(n) for n in _items(names)), body
    return (), sexp


def _need(args: Sequence[Term], count: int, name: str, where: str) -> None:
    if len(args) != count:
        raise TipError(where, f"`{name}` takes {count} arguments, not {len(args)}")
