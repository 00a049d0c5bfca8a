"""The body of one function: expressions become `do` blocks in `Result`, by continuations.

`expr(e, k)` gives the lines that run `e` and go on with `k(term)`; `term` is a Lean term without effects.  Code after a
branch is written once: behind a bind where the branches come back, else as a local function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean import arithmetic, branches, intrinsics, loops, places
from unsorry.bughunt.lean.analysis import Effects, used, walk
from unsorry.bughunt.lean.names import component
from unsorry.bughunt.lean.refusals import Untranslatable
from unsorry.bughunt.lean.writing import Frame, K, Lines, Tail, anchored, bare, indent, pair
from unsorry.bughunt.values import lean_string

if TYPE_CHECKING:
    from unsorry.bughunt.lean.unit import Unit


class Body:
    """Translates one function; `helpers` are the loops, as definitions that precede it."""

    def __init__(self, unit: Unit, function: ir.Function, name: str) -> None:
        self.unit, self.function, self.name = unit, function, name
        self.effects = Effects()
        self.types: dict[str, ir.Type] = {p.name: p.ty for p in function.params}
        assert function.body is not None
        for node in walk(function.body):
            if isinstance(node, ir.Bind):
                self.types[node.name] = node.ty
        self.locals: dict[str, str] = {}
        heads = unit.names.heads()
        for local in self.types:
            lean = component(local)
            while lean in heads or lean in self.locals.values() or re.fullmatch(r"[tk]\d+|rest|fuel", lean):
                lean += "_"
            self.locals[local] = lean
        self.loops = 0
        self.leave: K = lambda value: [f"ok {value}"]  # with what `packed` gives, or a loop has brought back
        self.ret: K = Tail(lambda term: self.leave(self.packed(term)), plain=not self.returned)
        self.result = unit.result_type(function)
        self.frames: dict[str, Frame] = {}
        self.aliases: dict[str, Callable[[Callable[[], Lines]], Lines]] = {}  # write-backs of `ref mut` bindings
        self.alias_roots: dict[str, str] = {}
        self.helpers: list[str] = []
        self.fuel = function.path in unit.fuelled
        self.count = 0

    @property
    def debug(self) -> bool:
        return self.unit.mode == "debug"

    @property
    def bounded(self) -> str:
        """The ending of operations that give up on large sizes, in a translation for evaluation."""
        return "" if self.unit.bound is None else "_bounded"

    def refuse(self, code: str, message: str, node: object = None) -> Untranslatable:
        return Untranslatable(code, message, getattr(node, "span", ir.NOWHERE))

    def fresh(self, letter: str = "t") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def type(self, ty: ir.Type) -> str:
        return self.unit.type(ty)

    # ------------------------------------------------------------------------------------------------- results

    @property
    def returned(self) -> list[ir.Param]:
        return [p for p in self.function.params if isinstance(p.ty, ir.Ref) and p.ty.mutable]

    def packed(self, term: str) -> str:
        """The function's result, with its `&mut` parameters."""
        values = [self.locals[p.name] for p in self.returned]
        if self.function.ret not in (ir.UNIT, ir.NEVER) or not values:
            values.insert(0, term)
        return pair(values)

    def changed(self, node: object) -> frozenset[str]:
        """Locals from outside that the node changes, by way of `ref mut` bindings too."""
        found = self.effects.changed(node)
        while more := {self.alias_roots[n] for n in found if n in self.alias_roots} - found:
            found |= more
        return found

    def changed_inside(self, node: ir.Expr, name: str) -> frozenset[str]:
        """`{name}` if the node assigns to that local."""
        return self.effects.changed(node) & {name}

    def needs_fuel(self, node: object) -> bool:
        """Whether the node runs something that takes fuel."""
        return any(
            isinstance(n, ir.Loop | ir.While) or (isinstance(n, ir.Call) and n.function in self.unit.fuelled)
            or (isinstance(n, ir.Try) and n.convert in self.unit.fuelled)
            for n in walk(node)
        )  # fmt: skip

    def let(self, term: str, ty: ir.Type, k: K) -> Lines:
        """Name a term that is not atomic."""
        if re.fullmatch(r"[A-Za-z_][\w.]*|\(\)", term):
            return k(term)
        name = self.fresh()
        return [self.named(name, term, ty), *k(name)]

    def named(self, name: str, term: str, ty: ir.Type) -> str:
        """A `let`, with the type where Lean would take numbers for `Nat`."""
        return f"let {name}{'' if anchored(term) else f' : {self.type(ty)}'} := {bare(term)}"

    def bind(self, action: str, k: K) -> Lines:
        """Run an action that may fail."""
        if isinstance(k, Tail) and k.plain:
            return [action]
        name = self.fresh()
        return [f"let {name} ← {action}", *k(name)]

    # --------------------------------------------------------------------------------------------- expressions

    def many(self, items: Sequence[ir.Expr], k: Callable[[list[str]], Lines]) -> Lines:
        """Run all, left to right; a value that a later one could change is kept under a name."""

        def step(at: int, done: list[str]) -> Lines:
            if at == len(items):
                return k(done)

            def then(term: str) -> Lines:
                later: frozenset[str] = frozenset().union(*(self.effects.changed(e) for e in items[at + 1 :]))
                if later & used(items[at]):
                    name = self.fresh()
                    return [self.named(name, term, items[at].ty), *step(at + 1, [*done, name])]
                return step(at + 1, [*done, term])

            return self.expr(items[at], then)

        return step(0, [])

    def expr(self, e: ir.Expr, k: K) -> Lines:
        match e:
            case ir.IntLit(value=value):
                return k(str(value) if value >= 0 else f"({value})")
            case ir.BoolLit(value=value):
                return k("true" if value else "false")
            case ir.CharLit(value=char):
                return k(str(ord(char)))
            case ir.StrLit(value=text):
                return k(lean_string(text))
            case ir.Local(name=name):
                return k(self.locals[name])
            case ir.ConstRef(path=path):
                return self.unit.constant(path, self, k)
            case ir.Borrow(mutable=True):
                raise self.refuse("mutable reference", "a `&mut` that is kept instead of passed on", e)
            case ir.Borrow(place=inner) | ir.Deref(operand=inner) | ir.Unsize(operand=inner):
                return self.expr(inner, k)
            case ir.TupleLit(items=items):
                return self.many(items, lambda terms: k(pair(terms)))
            case ir.ListLit(items=items):
                return self.many(items, lambda terms: k(self.listed(terms, e.ty)))
            case ir.Repeat(item=item, count=count):
                if isinstance(count, ir.IntLit) and count.value <= 1 << 16:
                    number = count.value
                    return self.expr(item, lambda t: k(f"(List.replicate {number} ({bare(t)} : {self.type(item.ty)}))"))
                return self.many([item, count], lambda ts: self.bind(f"Vec.from_elem{self.bounded} {ts[0]} {ts[1]}", k))
            case ir.StructLit():
                return self.structure(e, k)
            case ir.VariantLit():
                assert isinstance(e.ty, ir.Adt)
                return self.fields(e.ty, e.variant, e.fields, k)
            case ir.FieldOf(base=base, name=name):
                return self.expr(base, lambda t: k(self.unit.projection(base.ty, name, t)))
            case ir.Index(base=base, index=index):
                return self.many([base, index], lambda ts: self.bind(f"Slice.index {ts[0]} {ts[1]}", k))
            case ir.SliceOf():
                return places.slice_of(self, e, k)
            case ir.Unary() | ir.Binary() | ir.Cast():
                return arithmetic.expr(self, e, k)
            case ir.Logic(op=op, left=left, right=right):
                if arithmetic.total(self, right):
                    return self.many([left, right], lambda ts: k(f"({ts[0]} {op} {ts[1]})"))
                left_block = ir.Block(ty=ir.BOOL, statements=(), tail=right)
                other = ir.BoolLit(ty=ir.BOOL, value=op == "||")
                constant = ir.Block(ty=ir.BOOL, statements=(), tail=other)
                pair_ = (left_block, constant) if op == "&&" else (constant, left_block)
                return self.expr(ir.If(ty=ir.BOOL, condition=left, then=pair_[0], otherwise=pair_[1]), k)
            case ir.Call():
                return places.call(self, e, k)
            case ir.Intrinsic():
                return intrinsics.expr(self, e, k)
            case ir.Block():
                return self.block(e, k)
            case ir.If() | ir.Match() | ir.Try():
                return branches.expr(self, e, k)
            case ir.Loop() | ir.While() | ir.For():
                return loops.expr(self, e, k)
            case ir.Break(label=label, value=value_):
                if label not in self.frames:
                    raise self.refuse("outer break", "a `break` out of an outer loop", e)
                return self.optional(value_, self.frames[label].on_break)
            case ir.Continue(label=label):
                if label not in self.frames:
                    raise self.refuse("outer continue", "a `continue` of an outer loop", e)
                return self.frames[label].on_continue()
            case ir.Return(value=value_):
                return self.optional(value_, self.ret)
            case ir.Panic():
                return ["fail .panic"]
            case ir.Assert(condition=condition, debug=debug):
                if debug and not self.debug:
                    return k("()")
                return self.condition(
                    condition,
                    lambda c: [f"if {c} then", *indent(k("()")), "else", "  fail .assertionFailure"],
                )
            case ir.Assign() | ir.AssignOp():
                return places.assign(self, e, k)
        raise self.refuse("expression", f"{type(e).__name__} is not translated", e)

    def listed(self, terms: Sequence[str], ty: ir.Type) -> str:
        """A list; one of mere numbers says of what type."""
        text = f"[{', '.join(map(bare, terms))}]"
        return text if any(anchored(t) for t in terms) else f"({text} : {self.type(ty)})"

    def optional(self, value: ir.Expr | None, k: K) -> Lines:
        return k("()") if value is None else self.expr(value, k)

    def condition(self, e: ir.Expr, k: K) -> Lines:
        """A condition as a proposition where it is one, else as a Bool."""
        proposition = arithmetic.proposition(self, e)
        if proposition is not None:
            return k(bare(proposition))
        if isinstance(e, ir.Binary) and e.op in arithmetic.COMPARISONS:
            op, ty = e.op, e.left.ty
            return self.many([e.left, e.right], lambda ts: k(bare(arithmetic.compare(self, op, ty, ts[0], ts[1]))))
        return self.expr(e, k)

    def structure(self, e: ir.StructLit, k: K) -> Lines:
        assert isinstance(e.ty, ir.Adt)
        if e.base is None:
            return self.fields(e.ty, "", e.fields, k)
        ty, names = e.ty, [n for n, _ in e.fields]

        def build(terms: list[str]) -> Lines:
            given = dict(zip(names, terms, strict=False))
            fields = self.unit.shapes.fields(ty, "")
            values = [given.get(n) or self.unit.projection(ty, n, terms[-1]) for n, _ in fields]
            return k(self.unit.construct(ty, "", values))

        return self.many([*(x for _, x in e.fields), e.base], build)

    def fields(self, ty: ir.Adt, variant: str, fields: Sequence[tuple[str, ir.Expr]], k: K) -> Lines:
        names = [n for n, _ in fields]

        def build(terms: list[str]) -> Lines:
            given = dict(zip(names, terms, strict=True))
            order = [n for n, _ in self.unit.shapes.fields(ty, variant)]
            return k(self.unit.construct(ty, variant, [given[n] for n in order]))

        return self.many([x for _, x in fields], build)

    def block(self, block: ir.Block, k: K) -> Lines:
        def step(at: int) -> Lines:
            if at == len(block.statements):
                return self.optional(block.tail, k)
            statement = block.statements[at]
            if isinstance(statement, ir.ExprStmt):
                return self.expr(statement.expr, lambda _: step(at + 1))
            if statement.init is None:
                names = [n.name for n in walk(statement.pattern) if isinstance(n, ir.Bind)]
                lets = [self.named(self.locals[n], self.unit.default(self.types[n]), self.types[n]) for n in names]
                return [*lets, *step(at + 1)]
            return branches.let(self, statement, lambda: step(at + 1))

        return step(0)

    def define(self, name: str, term: str) -> Lines:
        """`let` of a local."""
        lean = self.locals[name]
        return [] if term == lean else [self.named(lean, term, self.types[name])]

    def order(self, names: frozenset[str]) -> list[str]:
        """Locals in the order of their declaration."""
        return [n for n in self.types if n in names]
