"""Properties that a model proposes: asked for in one call a function, read by our own front end, never believed.

What a model says can only be tested: a predicate outside of the subset is dropped, and one that fails is `suspected`,
as it may be the property that is wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate, Subject
from unsorry.bughunt.findings import Effort, Kind, Reason
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.manifest import Manifest
from unsorry.bughunt.proposed.asking import messages, properties
from unsorry.bughunt.proposed.reading import Predicate, read, written
from unsorry.bughunt.proposed.stating import stated
from unsorry.bughunt.triage import Decision
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import ContextOverflow, Model, ModelFailed
from unsorry.scaffolds.agent.limits import until


@dataclass(frozen=True, slots=True)
class Proposed:
    """What came of asking: properties to test, their predicates as functions of the crate, what it cost."""

    candidates: tuple[Candidate, ...] = ()
    functions: tuple[ir.Function, ...] = ()
    notes: tuple[str, ...] = ()
    effort: Effort = field(default_factory=Effort)

    def within(self, crate: ir.Crate) -> ir.Crate:
        """The crate with the predicates among its functions, for the translation."""
        return replace(crate, functions=(*crate.functions, *self.functions))


def propose(
    model: Model, crate: ir.Crate, inputs: Inputs, manifest: Manifest, functions: Sequence[ir.Function], *,
    most: int, deadline: float, say: Callable[[str], None],
) -> Proposed:  # fmt: skip
    """Asks about each function until `deadline`; whatever goes wrong is a note, and the hunt goes on."""
    subjects = [s for f in functions if f.body is not None and f.path != "main" and (s := Subject(inputs, f)).usable]
    found: list[Predicate] = []
    notes: list[str] = []
    effort = Effort()
    offered = asked = 0
    for number, subject in enumerate(subjects):
        path = subject.original.path
        if time.monotonic() >= deadline:
            notes.append(f"no time was left to ask the model about {len(subjects) - number} functions")
            break
        say(f"asking about {number + 1} of {len(subjects)}: {path}")
        try:
            with until(deadline):
                reply = model.reply(messages(subject, manifest.sources, most), ())
        except ContextOverflow as error:
            notes.append(one_line(f"the model was not asked about {path}: {error}"))
            continue
        except (ModelFailed, UnsorryError) as error:
            notes.append(one_line(f"the model failed at {path} and was asked no more: {error}"))
            break
        asked += 1
        effort = effort.plus(Effort(tokens=reply.usage.prompt + reply.usage.completion, money=reply.cost))
        try:
            given = properties(str(reply.message.get("content") or ""), most)
        except ValueError as error:
            notes.append(one_line(f"the model proposed nothing for {path}: {error}"))
            continue
        offered += len(given)
        for one in given:
            name = f"unsorry_proposed_{len(found)}"
            try:
                found.append(Predicate(subject, name, one.name, written(one.rust, name), one.reason))
            except ValueError as error:
                notes.append(one_line(f"a property that the model proposed for {path} is left out: {error}"))
    taken, refused = read(found, crate, manifest)
    candidates: list[Candidate] = []
    for predicate, function in taken:
        made = stated(predicate, function, inputs)
        candidates += made
        if not made:
            refused.append((predicate, "inputs of its types cannot be made"))
    for predicate, why in refused:
        notes.append(one_line(f"the property {predicate.title} of {predicate.path} is left out: {why}"))
    used = {c.partner for c in candidates}
    kept = tuple(f for _, f in taken if f.path in used)
    summary = f"{model.id} was asked about {asked} functions: {offered} properties proposed, {len(kept)} tested"
    return Proposed(tuple(candidates), kept, (summary, *notes), effort)


def judged(candidate: Candidate, decision: Decision) -> Decision:
    """The decision about a failure; a proposed predicate that is false is no more than suspected."""
    if candidate.property.kind is not Kind.PROPOSED or not candidate.predicate or decision.silent:
        return decision
    return replace(
        decision,
        reason=Reason.PROPERTY,
        explanation=f"it is not so, or the property is wrong: {candidate.property.basis}",
    )


__all__ = ["Proposed", "judged", "propose"]
