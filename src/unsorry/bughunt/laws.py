"""Laws that traits and names promise: orders, equality, idempotence, involution, commutation, containers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.inputs import Input

IDEMPOTENT = re.compile(
    r"^(normali[sz]ed?|canonical(?:i[sz]ed?)?|sort(?:ed)?|dedup(?:licated?)?|trim(?:med)?|simplif(?:y|ied)|reduced)(_|$)"
)
INVOLUTIVE = re.compile(r"^(reversed?|reverse_bits|reverse_bytes|swap_bytes|transposed?|conjugate|complement)$")
COMMUTATIVE = re.compile(r"^(gcd|lcm|abs_diff|hamming(?:_distance)?|distance|taxicab|manhattan)$")
COMPARES = re.compile(r"^(cmp|compare|order|ordering)(_|$)|(_cmp|_order|_compare)$")
NO_ORDER = re.compile(
    r"\bno (?:total )?order|not (?:a |an )?(?:total )?order|not transitive|not symmetric|intransitive", re.I
)
NOT_LAWFUL = re.compile(r"\bnot (?:always|symmetric|commutative|idempotent|an involution)|twice does not", re.I)


def of(subject: Subject, others: Sequence[Subject]) -> list[Candidate]:
    """The laws that apply to a function."""
    if NO_ORDER.search(subject.contract.text) or NOT_LAWFUL.search(subject.contract.text):
        return []
    return [
        *orders(subject, others), *equality(subject), *idempotence(subject), *involution(subject),
        *commutation(subject), *emptiness(subject, others),
    ]  # fmt: skip


def three(subject: Subject) -> tuple[Input, ...] | None:
    """Inputs a, b, c of the type of both parameters, if it takes two of one type."""
    inputs = subject.inputs
    if inputs is None or len(inputs) != 2 or inputs[0].ty != inputs[1].ty or any(i.mutable for i in inputs):
        return None
    return tuple(Input(n, inputs[0].ty) for n in "abc") if subject.copies() else None


def orders(subject: Subject, others: Sequence[Subject]) -> list[Candidate]:
    """`Ord::cmp`, `PartialOrd::partial_cmp`, and functions that return an `Ordering` and are named like one."""
    function, trait = subject.function, subject.original.trait.split("<")[0].split("::")[-1]
    values = three(subject)
    if values is None:
        return []
    partial = function.ret == ir.option(ir.ORDERING)
    by_trait = (trait, subject.original.name) in (("Ord", "cmp"), ("PartialOrd", "partial_cmp"))
    if not by_trait and not (function.ret == ir.ORDERING and COMPARES.search(subject.original.name)):
        return []
    basis = f"{trait} is implemented" if by_trait else f"its name and its type, {subject.original.name} -> Ordering"
    path = subject.original.path
    ab, ba, bc, ac = (subject.call(p, again=True) for p in ("ab", "ba", "bc", "ac"))
    both = ".map(|o| o.reverse())" if partial else ".reverse()"
    less = "Some(core::cmp::Ordering::Less)" if partial else "core::cmp::Ordering::Less"
    equal = less.replace("Less", "Equal")
    found = [
        subject.make(
            Kind.ORDER, "antisymmetric", f"{path}: exchanging the arguments reverses the result", basis,
            predicate=f"{ab} == {ba}{both}", inputs=values[:2], assumptions=(), shape="antisymmetric",
        ),
        subject.make(
            Kind.ORDER, "transitive", f"{path} is transitive", basis,
            predicate=f"!({ab} == {less} && {bc} == {less}) || {ac} == {less}",
            inputs=values, assumptions=(), shape="transitive",
        ),
        subject.make(
            Kind.ORDER, "equal-transitive", f"{path}: what is equal to the same is equal", basis,
            predicate=f"!({ab} == {equal} && {bc} == {equal}) || {ac} == {equal}",
            inputs=values, assumptions=(),
        ),
    ]  # fmt: skip
    if by_trait and subject.compares(values[0].ty) and isinstance(function.owner, ir.Adt):
        found.append(
            subject.make(
                Kind.ORDER, "agrees-with-eq", f"{path} says Equal exactly for equal values", basis,
                predicate=f"({ab} == {equal}) == (a == b)", inputs=values[:2], assumptions=(),
            )
        )  # fmt: skip
    if trait == "PartialOrd" and by_trait:
        full = next(
            (
                o
                for o in others
                if o.original.trait == "Ord" and o.original.name == "cmp" and o.function.owner == function.owner
            ),
            None,
        )
        if full is not None:
            found.append(
                subject.make(
                    Kind.ORDER, "agrees-with-ord", f"{path} is Some of {full.original.path}", "Ord is implemented too",
                    predicate=f"{ab} == Some({full.call('ab', again=True)})", inputs=values[:2], assumptions=(),
                    also=(full.original.path,), partner=full.original.path,
                )
            )  # fmt: skip
    return found


def equality(subject: Subject) -> list[Candidate]:
    """A hand-written `PartialEq` beside `Eq`: reflexive, symmetric, transitive."""
    trait = subject.original.trait.split("<")[0].split("::")[-1]
    values = three(subject)
    if values is None or trait != "PartialEq" or subject.original.name != "eq":
        return []
    aa, ab, ba, bc, ac = (subject.call(p, again=True) for p in ("aa", "ab", "ba", "bc", "ac"))
    path = subject.original.path
    laws = (
        ("symmetric", f"{path} is symmetric", f"{ab} == {ba}", values[:2], True),
        ("transitive", f"{path} is transitive", f"!({ab} && {bc}) || {ac}", values, True),
        ("reflexive", f"{path} is reflexive", aa, values[:1], False),
    )
    return [
        subject.make(
            Kind.ORDER, name, title, "PartialEq is implemented", predicate=predicate, inputs=used, assumptions=(),
            promised=promised,
        )
        for name, title, predicate, used, promised in laws
    ]  # fmt: skip


def unary(subject: Subject) -> bool:
    """From a type to itself, by value."""
    inputs = subject.inputs
    return (
        inputs is not None
        and len(inputs) == 1
        and subject.function.params[0].ty == subject.function.ret == inputs[0].ty
        and subject.compares(inputs[0].ty)
        and subject.clones(inputs[0].ty)
    )


def idempotence(subject: Subject) -> list[Candidate]:
    """Twice is once, where the name or the docs say so."""
    name, inputs = subject.original.name, subject.inputs
    said = re.search(r"\bidempotent\b", subject.contract.text)
    if not said and not IDEMPOTENT.match(name):
        return []
    basis = "the docs say idempotent" if said else f"its name, {name}"
    path = subject.original.path
    if unary(subject) and inputs is not None:
        twice = subject.call(["once"], again=True)
        return [
            subject.make(
                Kind.IDEMPOTENCE, "idempotent", f"{path} does nothing the second time", basis,
                predicate=f"let once = {subject.call()}; {twice} == once", shape="idempotent",
            )
        ]  # fmt: skip
    if inputs is None or len(inputs) != 1 or not inputs[0].mutable or subject.function.ret != ir.UNIT:
        return []
    if not subject.clones(inputs[0].ty) or not subject.compares(inputs[0].ty):
        return []
    x = inputs[0].name
    return [
        subject.make(
            Kind.IDEMPOTENCE, "idempotent", f"{path} does nothing the second time", basis,
            predicate=f"{subject.call()}; let once = {x}.clone(); {subject.call()}; {x} == once",
        )
    ]  # fmt: skip


def involution(subject: Subject) -> list[Candidate]:
    """Twice is nothing: reversing."""
    inputs = subject.inputs
    if not INVOLUTIVE.match(subject.original.name) or not unary(subject) or inputs is None:
        return []
    twice = subject.call([f"({subject.call(again=True)})"])
    return [
        subject.make(
            Kind.ROUND_TRIP, "involution", f"{subject.original.path} twice gives the same back",
            f"its name, {subject.original.name}", predicate=f"{twice} == {inputs[0].name}", shape="involution",
        )
    ]  # fmt: skip


def commutation(subject: Subject) -> list[Candidate]:
    """The order of arguments does not matter: gcd, distances."""
    values = three(subject)
    if values is None or not COMMUTATIVE.match(subject.original.name) or not subject.compares(subject.function.ret):
        return []
    ab, ba = subject.call("ab", again=True), subject.call("ba", again=True)
    return [
        subject.make(
            Kind.COMMUTATION, "commutes", f"{subject.original.path} does not depend on the order of its arguments",
            f"its name, {subject.original.name}", predicate=f"{ab} == {ba}", inputs=values[:2], assumptions=(),
            shape="commutes",
        )
    ]  # fmt: skip


def emptiness(subject: Subject, others: Sequence[Subject]) -> list[Candidate]:
    """`is_empty` says whether `len` is 0, `is_full` is about `capacity`."""
    owner, inputs = subject.function.owner, subject.inputs
    if subject.original.name not in ("is_empty", "is_full") or owner is None or inputs is None or len(inputs) != 1:
        return []
    wanted = ("len",) if subject.original.name == "is_empty" else ("len", "capacity")
    found = {o.original.name: o for o in others if o.function.owner == owner and o.original.name in wanted}
    if set(found) != set(wanted) or any(o.inputs is None or len(o.inputs) != 1 for o in found.values()):
        return []
    if any(o.function.ret != ir.USIZE for o in found.values()) or subject.function.ret != ir.BOOL:
        return []
    if not all(isinstance(o.function.params[0].ty, ir.Ref) for o in (subject, *found.values())):
        return []
    right = found["capacity"].call(["this"]) if "capacity" in found else "0"
    return [
        subject.make(
            Kind.MODEL, "agrees-with-len", f"{subject.original.path} agrees with the length",
            "the names " + ", ".join((subject.original.name, *wanted)),
            predicate=f"{subject.call()} == ({found['len'].call(['this'])} == {right})",
            also=tuple(o.original.path for o in found.values()),
        )
    ]  # fmt: skip
