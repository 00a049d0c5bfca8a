"""A crate on its way to Lean: names, types, constants, and which functions need what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unsorry.bughunt import ir
from unsorry.bughunt.lean.analysis import walk
from unsorry.bughunt.lean.arithmetic import strip
from unsorry.bughunt.lean.folding import fold
from unsorry.bughunt.lean.library import Operations
from unsorry.bughunt.lean.names import Names, component, field
from unsorry.bughunt.lean.refusals import Untranslatable
from unsorry.bughunt.lean.translation import Mode
from unsorry.bughunt.lean.writing import K, Lines
from unsorry.bughunt.values import Shapes, substitute

if TYPE_CHECKING:
    from unsorry.bughunt.lean.body import Body

_BUILTIN = {
    ("Option", "None"): "none",
    ("Option", "Some"): "some",
    ("Result", "Ok"): "core.result.Result.Ok",
    ("Result", "Err"): "core.result.Result.Err",
    ("Ordering", "Less"): "Ordering.lt",
    ("Ordering", "Equal"): "Ordering.eq",
    ("Ordering", "Greater"): "Ordering.gt",
    ("TryFromIntError", "TryFromIntError"): "()",
}


class Unit:
    """What all functions of one translation share.  `bound` limits loops over ranges, for evaluation."""

    def __init__(self, crate: ir.Crate, mode: Mode, bound: int | None) -> None:
        self.crate, self.mode, self.bound = crate, mode, bound
        self.shapes = Shapes(crate)
        self.names = Names(crate.name)
        self._reserve()
        self.operations = Operations()
        self.consts = {c.path: c for c in crate.consts}
        self.functions = {f.path: f for f in crate.functions if f.body is not None}
        self.calls = {f.path: _calls(f) & self.functions.keys() for f in self.functions.values()}
        self._reach = {path: self._closure(path) for path in self.functions}
        self.fuelled = frozenset(p for p in self.functions if any(self._runs_on(q) for q in {p, *self._reach[p]}))
        self.types_used: dict[str, None] = {}
        self.ordered: dict[str, None] = {}
        self.discriminants: dict[str, None] = {}
        self.bounded: dict[str, str] = {}  # path -> definition of `In`, "" where there is nothing to say
        self.constants_used: dict[str, str] = {}  # path -> definition, "" while it is written

    def _reserve(self) -> None:
        """What Lean declares with a type: fields, constructors, recursors."""
        own = ("mk", "rec", "recOn", "casesOn", "noConfusion", "noConfusionType", "ctorIdx", "In", "discriminant")
        for struct in self.shapes.structs.values():
            name = self.names.of(struct.path)
            for part in (*own, *(field(f.name) for f in struct.fields)):
                self.names.reserve(f"{name}.{part}")
        for enum in self.crate.enums:
            name = self.names.of(enum.path)
            for part in (*own, *(component(v.name) for v in enum.variants)):
                self.names.reserve(f"{name}.{part}")

    def _closure(self, path: str) -> frozenset[str]:
        found: set[str] = set()
        todo = [*self.calls[path]]
        while todo:
            here = todo.pop()
            if here not in found:
                found.add(here)
                todo += self.calls[here]
        return frozenset(found)

    def _runs_on(self, path: str) -> bool:
        body = self.functions[path].body
        return path in self._reach[path] or any(isinstance(n, ir.Loop | ir.While) for n in walk(body))

    def cycle(self, path: str) -> frozenset[str]:
        """The functions that call each other with this one, itself included if it calls itself."""
        return frozenset(q for q in self._reach[path] if path in self._reach[q])

    def known(self, path: str, node: object) -> ir.Function:
        """The function of that path.  Raises Untranslatable if it has none in Lean."""
        function = self.functions.get(path)
        if function is None:
            span = getattr(node, "span", ir.NOWHERE)
            raise Untranslatable("calls refused", f"it calls {path}, which is not translated", span)
        return function

    def callee(self, e: ir.Call, body: Body) -> ir.Function:
        return self.known(e.function, e)

    def op(self, scalar: ir.Scalar, operation: str) -> str:
        """The name of an operation of an integer type.  Raises KeyError."""
        return self.operations.of(scalar, operation)

    # --------------------------------------------------------------------------------------------------- types

    def type(self, ty: ir.Type) -> str:
        """The Lean type, without parentheses around it."""
        match ty:
            case ir.Scalar(name):
                return "Bool" if name == "bool" else "Int"
            case ir.Never() | ir.Tuple(()):
                return "Unit"
            case ir.Str():
                return "String"
            case ir.Tuple(items):
                if len(items) == 1:
                    raise Untranslatable("type", "a tuple of one element")
                return " × ".join(self.factor(t) for t in items)
            case ir.Array(item) | ir.Slice(item) | ir.Vec(item):
                return f"List {self.factor(item)}"
            case ir.Ref(_, target):
                return self.type(target)
            case ir.TypeParam(name):
                return component(name)
            case ir.Adt(path, args):
                return " ".join([self._adt(path), *(self.factor(t) for t in args)])

    def factor(self, ty: ir.Type) -> str:
        text = self.type(ty)
        return f"({text})" if " " in text else text

    def _adt(self, path: str) -> str:
        builtin = {
            "Option": "Option", "Result": "core.result.Result", "Ordering": "Ordering", "TryFromIntError": "Unit"
        }.get(path)  # fmt: skip
        if builtin is not None:
            return builtin
        self.need_type(path)
        return self.names.of(path)

    def need_type(self, path: str) -> None:
        """Have a struct or enum declared, after those that are in it."""
        if path in self.types_used or path in ir.BUILTIN_ENUMS:
            return
        if path not in self.shapes.structs and path not in self.shapes.enums:
            raise Untranslatable("type", f"the type {path} is not translated")
        for ty in self._parts(path):
            self.type(ty)
        self.types_used[path] = None

    def _parts(self, path: str) -> list[ir.Type]:
        if path in self.shapes.structs:
            return [f.ty for f in self.shapes.structs[path].fields]
        return [f.ty for v in self.shapes.enums[path].variants for f in v.fields]

    def result_type(self, function: ir.Function) -> str:
        """The type inside `Result`."""
        changed = [p.ty for p in function.params if isinstance(p.ty, ir.Ref) and p.ty.mutable]
        types = [function.ret, *changed] if function.ret not in (ir.UNIT, ir.NEVER) or not changed else changed
        return self.type(types[0]) if len(types) == 1 else " × ".join(self.factor(t) for t in types)

    def generics(self, function: ir.Function) -> list[str]:
        return [component(g.name) for g in function.generics]

    def constructor(self, ty: ir.Adt, variant: str) -> str:
        if (ty.path, variant) in _BUILTIN:
            return _BUILTIN[ty.path, variant]
        self.need_type(ty.path)
        return f"{self.names.of(ty.path)}.{component(variant) if variant else 'mk'}"

    def construct(self, ty: ir.Adt, variant: str, values: list[str]) -> str:
        head = self.constructor(ty, variant)
        return f"({' '.join([head, *values])})" if values else head

    def projection(self, ty: ir.Type, name: str, term: str) -> str:
        """`term.name` for a field of a struct or tuple."""
        plain = strip(ty)
        if isinstance(plain, ir.Tuple):
            at, last = int(name), len(plain.items) - 1
            return term + ".2" * at + ("" if at == last else ".1")
        assert isinstance(plain, ir.Adt), plain
        self.need_type(plain.path)
        return f"{term}.{field(name)}"

    def update(self, ty: ir.Type, name: str, term: str, value: str) -> str:
        """The struct or tuple with another value in a field."""
        plain = strip(ty)
        if isinstance(plain, ir.Tuple):
            parts = [self.projection(plain, str(i), term) for i in range(len(plain.items))]
            parts[int(name)] = value
            return f"({', '.join(parts)})"
        assert isinstance(plain, ir.Adt), plain
        fields = [n for n, _ in self.shapes.fields(plain, "")]
        values = [value if n == name else self.projection(plain, n, term) for n in fields]
        return self.construct(plain, "", values)

    def default(self, ty: ir.Type) -> str:
        """Some value of the type: stands in a local that is not assigned yet, and is never read."""
        match ty:
            case ir.Scalar(name):
                return "false" if name == "bool" else "0"
            case ir.Never() | ir.Tuple(()):
                return "()"
            case ir.Tuple(items):
                return f"({', '.join(self.default(t) for t in items)})"
            case ir.Array() | ir.Slice() | ir.Vec():
                return f"([] : {self.type(ty)})"
            case ir.Ref(_, target):
                return self.default(target)
            case ir.Str():
                return '""'
            case ir.Adt(path):
                enum = self.shapes.enums.get(path)
                variant = "" if enum is None else min(enum.variants, key=lambda v: len(v.fields)).name
                values = [self.default(t) for _, t in self.shapes.fields(ty, variant)]
                return f"({self.construct(ty, variant, values)} : {self.type(ty)})"
        raise Untranslatable("uninitialised", "a local of a type parameter that is assigned later")

    def need_order(self, ty: ir.Type) -> None:
        """Have the derived order of the type declared."""
        match strip(ty):
            case ir.Tuple(items):
                for item in items:
                    self.need_order(item)
            case ir.Array(item) | ir.Slice(item) | ir.Vec(item):
                self.need_order(item)
            case ir.Adt(path, args):
                for arg in args:
                    self.need_order(arg)
                if path not in ir.BUILTIN_ENUMS and path not in self.ordered:
                    self.need_type(path)
                    for part in self._parts(path):
                        self.need_order(part)
                    self.ordered[path] = None
            case ir.TypeParam():
                raise Untranslatable("generic order", "a comparison of a type parameter")

    def discriminant(self, ty: ir.Adt, term: str) -> tuple[str, int, int]:
        """The number of an enum's variant, and the bounds of such numbers."""
        self.need_type(ty.path)
        numbers = [v.discriminant for v in self.shapes.enums[ty.path].variants]
        self.discriminants[ty.path] = None
        return f"({self.names.of(ty.path)}.discriminant {term})", min(numbers), max(numbers)

    # ----------------------------------------------------------------------------------------------- constants

    def plain_constant(self, path: str) -> bool:
        """Whether the constant is a term: its value is known, or needs no arithmetic that could fail."""
        from unsorry.bughunt.lean import constants

        return constants.plain(self, path)

    def constant(self, path: str, body: Body, k: K) -> Lines:
        from unsorry.bughunt.lean import constants

        constants.need(self, path)
        name = self.names.of(path)
        return k(name) if self.plain_constant(path) else body.bind(name, k)

    def folded(self, e: ir.Expr) -> int | None:
        """The value of an integer expression over literals and constants."""
        return fold(e, self.consts)


def _calls(function: ir.Function) -> frozenset[str]:
    found = {n.function for n in walk(function.body) if isinstance(n, ir.Call)}
    return frozenset(found | {n.convert for n in walk(function.body) if isinstance(n, ir.Try) and n.convert})


__all__ = ["Unit", "substitute"]
