"""A property with what is needed to test it: its inputs, its call or predicate, the function that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from unsorry.bughunt import ir
from unsorry.bughunt.docs import Contract, contract
from unsorry.bughunt.findings import Kind, Property
from unsorry.bughunt.inputs import Input, Inputs, argument, call_path


@dataclass(frozen=True, slots=True)
class Candidate:
    """A property to be tested; `function` has no type parameters any more.

    `call` is the call that must not panic, or `predicate` the expression that must be true; `code` a whole example.
    `shape` says which Lean statement it has, and `partner` is the other function in it.
    """

    property: Property
    function: ir.Function
    inputs: tuple[Input, ...]
    call: str = ""
    predicate: str = ""
    code: str = ""
    contract: Contract = field(default_factory=lambda: Contract(""))
    sorted_lists: bool = False
    shape: str = ""  # which Lean statement it has
    partner: str = ""  # path of the other function of a pair


class Subject:
    """A function of the crate, seen by the generators of properties."""

    def __init__(self, inputs: Inputs, function: ir.Function) -> None:
        self.all = inputs
        self.original = function
        self.contract = contract(function)
        self.instance = inputs.instance(function)
        self.inputs = inputs.of(self.instance, self.contract.sorted_inputs) if self.instance is not None else None

    @property
    def usable(self) -> bool:
        return self.instance is not None and self.inputs is not None

    @property
    def function(self) -> ir.Function:
        assert self.instance is not None
        return self.instance

    def call(self, names: Sequence[str] | None = None, *, again: bool = False) -> str:
        """A call on inputs of these names (default: its own); `again`: they are used once more."""
        assert self.inputs is not None
        used = names or [i.name for i in self.inputs]
        given = [argument(n, p.ty, again=again) for n, p in zip(used, self.function.params, strict=True)]
        return f"{call_path(self.function)}({', '.join(given)})"

    def copies(self) -> bool:
        """Whether all inputs can be used more than once."""
        assert self.inputs is not None
        return all(isinstance(p.ty, ir.Ref) or self.clones(p.ty) for p in self.function.params)

    def clones(self, ty: ir.Type) -> bool:
        return self._derives(ty, "Clone")

    def compares(self, ty: ir.Type) -> bool:
        return self._derives(ty, "PartialEq")

    def _derives(self, ty: ir.Type, trait: str) -> bool:
        match ty:
            case ir.Scalar() | ir.Str():
                return True
            case ir.Tuple(items):
                return all(self._derives(t, trait) for t in items)
            case ir.Array(item) | ir.Vec(item) | ir.Slice(item) | ir.Ref(False, item):
                return self._derives(item, trait)
            case ir.Adt("String" | "Ordering"):
                return True
            case ir.Adt("Option" | "Result", args):
                return all(self._derives(t, trait) for t in args)
            case ir.Adt(path):
                declared = self.all.shapes.structs.get(path) or self.all.shapes.enums.get(path)
                if declared is not None and trait in declared.derives:
                    return True
                return any(
                    f.owner is not None and isinstance(f.owner, ir.Adt) and f.owner.path == path and f.trait == trait
                    for f in self.all.crate.functions
                )
            case _:
                return False

    def conditions(self) -> tuple[str, ...]:
        """The stated preconditions, over the names of the inputs."""
        return tuple(c.replace("self", "this") for c in self.contract.conditions)

    def make(
        self, kind: Kind, name: str, title: str, basis: str, *, predicate: str = "", call: str = "", code: str = "",
        inputs: tuple[Input, ...] | None = None, also: tuple[str, ...] = (), promised: bool = True,
        assumptions: tuple[str, ...] | None = None, shape: str = "", partner: str = "",
    ) -> Candidate:  # fmt: skip
        """A candidate about this function."""
        used = inputs if inputs is not None else (self.inputs or ())
        given = assumptions if assumptions is not None else self.conditions()
        ordered = tuple(i.name for i in used if i.sort)
        path = self.original.path
        return Candidate(
            Property(
                f"{path}#{name}", kind, path, title, basis, promised, also, tuple((i.name, i.rust) for i in used),
                given + tuple(f"{n} is sorted" for n in ordered), predicate,
            ),
            self.function, used, call, predicate, code, self.contract, bool(ordered), shape, partner,
        )  # fmt: skip
