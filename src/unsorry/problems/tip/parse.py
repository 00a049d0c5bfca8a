"""S-expressions to declarations: names are resolved here and in `parse_terms`, types are inferred in `infer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unsorry.problems.tip.parse_terms import TermParser
from unsorry.problems.tip.sexp import Node, Sexp, TipError, exactly, fields, items, par, symbol
from unsorry.problems.tip.syntax import (
    Binder,
    Constructor,
    Datatype,
    Formula,
    Function,
    Theory,
)

_IGNORED = frozenset(["check-sat", "set-logic", "set-info", "set-option", "exit"])


def parse(forms: Sequence[Sexp], name: str) -> Theory:
    """The theory of one file; the first construct that is not covered is a `TipError`."""
    return _Parser(name).run(forms)


class _Parser(TermParser):
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
        name, arity = fields(form, 2, "(declare-sort NAME ARITY)")
        if symbol(arity) != "0":
            raise TipError(form.where, "uninterpreted sorts with parameters are not covered")
        self.fresh(name)
        self.sorts.add(symbol(name))
        self.theory.sorts.append(symbol(name))

    def define_sort(self, form: Node) -> None:
        name, params, body = fields(form, 3, "(define-sort NAME (PARAMETERS) SORT)")
        names = tuple(symbol(p) for p in items(params))
        self.fresh(name)
        self.aliases[symbol(name)] = (names, self.type(body, names))

    def declare_datatype(self, form: Node) -> None:
        name, body = fields(form, 2, "(declare-datatype NAME (CONSTRUCTORS))")
        self.data_group([name], [body], form)

    def declare_datatypes(self, form: Node) -> None:
        names, bodies = fields(form, 2, "(declare-datatypes ((NAME ARITY) ...) (BODY ...))")
        heads = [items(n)[0] if isinstance(n, Node) and n.items else n for n in items(names)]
        self.data_group(heads, list(items(bodies)), form)

    def data_group(self, names: Sequence[Sexp], bodies: Sequence[Sexp], form: Node) -> None:
        if len(names) != len(bodies):
            raise TipError(form.where, f"{len(names)} datatype names but {len(bodies)} bodies")
        group = []
        for name, body in zip(names, bodies, strict=True):
            self.fresh(name)
            params, _ = par(body)
            data = Datatype(symbol(name), params, name.where)
            self.datatypes[data.name] = data
            group.append(data)
        for data, body in zip(group, bodies, strict=True):
            for item in items(par(body)[1]):
                parts = items(item) if isinstance(item, Node) else (item,)
                if not parts:
                    raise TipError(item.where, "constructor without a name")
                fields = []
                for part in parts[1:]:
                    pair = items(part)
                    if len(pair) != 2:
                        raise TipError(part.where, "a constructor's argument is written (SELECTOR SORT)")
                    fields.append((symbol(pair[0]), self.type(pair[1], data.params)))
                self.fresh(parts[0])
                constructor = Constructor(symbol(parts[0]), tuple(fields), data)
                data.constructors.append(constructor)
                self.constructors[constructor.name] = constructor
                for index, (selector, _) in enumerate(fields):
                    self.selectors[selector] = (constructor, index)
            if not data.constructors:
                raise TipError(data.where, f"datatype `{data.name}` has no constructor")
        self.theory.datatypes.append(group)

    def declare_const(self, form: Node) -> None:
        name, body = fields(form, 2, "(declare-const NAME SORT)")
        params, sort = par(body)
        self.add_functions([Function(symbol(name), params, (), self.type(sort, params), form.where)], [name])

    def declare_fun(self, form: Node) -> None:
        name, params, args, result, _ = self.signature(form, body=False)
        binders = tuple(Binder(f"x{i}", self.type(a, params)) for i, a in enumerate(items(args)))
        function = Function(symbol(name), params, binders, self.type(result, params), form.where)
        self.add_functions([function], [name])

    def define_const(self, form: Node) -> None:
        name, sort, body = fields(form, 3, "(define-const NAME SORT TERM)")
        function = Function(symbol(name), (), (), self.type(sort, ()), form.where)
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
        heads, bodies = fields(form, 2, "(define-funs-rec (SIGNATURES) (BODIES))")
        if len(items(heads)) != len(items(bodies)):
            raise TipError(form.where, f"{len(items(heads))} signatures but {len(items(bodies))} bodies")
        group, names = [], []
        for head in items(heads):
            outer, inner = par(head)
            parts = items(inner)
            if len(parts) == 3:
                name, args, result = parts
                params = outer
            elif len(parts) == 2 and par(parts[1])[0]:
                name = parts[0]
                params, signature = par(parts[1])
                args, result = exactly(signature, 2, "((ARGUMENTS) SORT)")
            else:
                raise TipError(head.where, "a signature is written (NAME (ARGUMENTS) SORT)")
            group.append(self.header(name, params, args, result, head.where))
            names.append(name)
        self.add_functions(group, names)
        for function, body in zip(group, items(bodies), strict=True):
            function.body = self.term(body, {b.name: b for b in function.args}, function.params)

    def signature(self, form: Node, *, body: bool) -> tuple[Sexp, tuple[str, ...], Sexp, Sexp, Sexp | None]:
        """Both places for `par`: around the signature, and (older files) around all."""
        rest = form.items[1:]
        params: tuple[str, ...] = ()
        if len(rest) == 1:
            params, inner = par(rest[0])
            rest = items(inner)
        usage = f"({form.head()} NAME (ARGUMENTS) SORT" + (" TERM)" if body else ")")
        tail = 1 if body else 0
        if len(rest) == 2 + tail:
            params, signature = par(rest[1])
            args, result = exactly(signature, 2, "(par (VARIABLES) ((ARGUMENTS) SORT))")
        elif len(rest) == 3 + tail:
            args, result = rest[1], rest[2]
        else:
            raise TipError(form.where, f"expected {usage}")
        return rest[0], params, args, result, rest[-1] if body else None

    def header(self, name: Sexp, params: tuple[str, ...], args: Sexp, result: Sexp, where: str) -> Function:
        binders = self.binders(args, params)
        return Function(symbol(name), params, binders, self.type(result, params), where)

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
        (body,) = fields(form, 1, f"({form.head()} FORMULA)")
        params, inner = par(body)
        return Formula(params, self.term(inner, {}, params), form.where)

    def fresh(self, name: Sexp) -> None:
        text = symbol(name)
        if any(text in k for k in (self.constructors, self.functions)):  # types are another name space
            raise TipError(name.where, f"`{text}` is declared twice")
