"""A proposed predicate as a property: inputs, assumptions, what is quoted for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.inputs import Input, Inputs, argument
from unsorry.bughunt.proposed.reading import Predicate


def stated(predicate: Predicate, function: ir.Function, inputs: Inputs) -> list[Candidate]:
    """That the predicate is true; and, for a function whose docs rule out any panic, that it gets there."""
    subject = predicate.subject
    contract = subject.contract
    made = inputs.of(function, contract.sorted_inputs)
    if made is None or not all(re.fullmatch(r"[a-z]\w*", i.name) and not i.name.startswith("hunt_") for i in made):
        return []
    given = ", ".join(argument(i.name, p.ty) for i, p in zip(made, function.params, strict=True))
    whole = f"{{ {predicate.text} {predicate.name}({given}) }}"
    number = predicate.name.rpartition("_")[2]
    name = f"proposed-{number}-{predicate.title}"
    title = f"{predicate.path}: {predicate.title}, which a model proposed"
    basis, conditions = quoted(predicate), assumed(predicate, made)
    found = [
        subject.make(
            Kind.PROPOSED, name, title, basis, predicate=whole, inputs=made, promised=False, assumptions=conditions,
            shape="holds", partner=function.path,
        )
    ]  # fmt: skip
    free = not (contract.conditions or contract.unclear or contract.sorted_inputs)
    if contract.total and free and function.calls == {predicate.path} and _plain(subject.function.params):
        found.append(
            subject.make(
                Kind.PROPOSED, f"{name}-panics", f"{predicate.path} does not panic in {predicate.title}",
                f'"{contract.total}"', call=whole, inputs=made, assumptions=(), partner=function.path,
            )
        )  # fmt: skip
    return found


def quoted(predicate: Predicate) -> str:
    """Where the property is from; a quotation counts as one if the docs have it."""
    if not predicate.reason:
        return "a model proposed it and quotes nothing"
    docs = " ".join(predicate.subject.original.docs.split())
    if predicate.reason.strip(' ".') in docs:
        return f'a model proposed it, quoting the docs: "{predicate.reason}"'
    return f'a model proposed it, and its words are not in the docs: "{predicate.reason}"'


def assumed(predicate: Predicate, inputs: Sequence[Input]) -> tuple[str, ...]:
    """The stated preconditions of the function that speak of inputs that the predicate has too."""
    subject = predicate.subject
    own = {i.name: i.ty for i in subject.inputs or ()}
    shared = {i.name for i in inputs if own.get(i.name) == i.ty}
    return tuple(c for c in subject.conditions() if {n for n in own if re.search(rf"\b{n}\b", c)} <= shared)


def _plain(params: Sequence[ir.Param]) -> bool:
    """Whether no parameter has a type of the crate: those may have invariants, which a predicate can break."""

    def plain(ty: ir.Type) -> bool:
        match ty:
            case ir.Scalar():
                return True
            case ir.Ref(_, item) | ir.Slice(item) | ir.Vec(item) | ir.Array(item):
                return plain(item)
            case ir.Tuple(items):
                return all(plain(t) for t in items)
            case _:
                return False

    return all(plain(p.ty) for p in params)
