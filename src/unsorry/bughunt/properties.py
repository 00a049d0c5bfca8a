"""The properties of a crate, by rules: panic freedom, documented examples and promises; laws and models beside it."""

from __future__ import annotations

import re

from unsorry.bughunt import equations, ir, laws, models, pairs, promises
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.docs import examples
from unsorry.bughunt.findings import Kind
from unsorry.bughunt.inputs import Inputs

NOT_CALLED = ("main",)


def generate(crate: ir.Crate, inputs: Inputs | None = None) -> list[Candidate]:
    """All properties, those that are cheap to decide first; ids are unique."""
    inputs = inputs or Inputs(crate)
    subjects = [Subject(inputs, f) for f in crate.functions if not _excluded(f)]
    usable = [s for s in subjects if s.usable]
    found: list[Candidate] = []
    for subject in usable:
        found.append(panic_freedom(subject))
        found += promises.ranges(subject)
        found += models.known(subject)
        found += laws.of(subject, usable)
        found += equations.of(subject, usable)
    found += pairs.of(usable)
    for subject in subjects:
        found += documented_examples(subject)
    return list({c.property.id: c for c in reversed(found)}.values())[::-1]


def _excluded(function: ir.Function) -> bool:
    code = function.refusal.code if function.refusal is not None else ""
    return (
        not function.signature_known
        or function.path in NOT_CALLED
        or code.startswith(("unsafe", "ffi", "foreign", "async"))
        or any(re.match(r"(test|cfg\s*\(\s*test|bench)\b", a) for a in function.attributes)
    )


def panic_freedom(subject: Subject) -> Candidate:
    """Under the stated preconditions, the function does not panic."""
    basis = f'"{subject.contract.total}"' if subject.contract.total else "the docs name no panic for these inputs"
    return subject.make(
        Kind.PANIC_FREE, "panic-free", f"{subject.original.path} does not panic", basis, call=subject.call(),
        shape="panic-free",
    )  # fmt: skip


def documented_examples(subject: Subject) -> list[Candidate]:
    """The code blocks of the docs; they must not panic."""
    found = []
    for example in examples(subject.original.docs):
        if example.should_panic:
            continue
        code = example.code if not re.search(r"\bfn\s+main\s*\(", example.code) else example.code + "\nmain();"
        if re.search(r"\?\s*;|\bawait\b|extern crate|#!\[", code):
            continue
        if subject.instance is None:
            continue
        found.append(
            subject.make(
                Kind.EXAMPLE, f"example-{example.number}",
                f"example {example.number + 1} in the docs of {subject.original.path} holds", "a documented example",
                code=code, inputs=(), assumptions=(), shape="example",
            )
        )  # fmt: skip
    return found
