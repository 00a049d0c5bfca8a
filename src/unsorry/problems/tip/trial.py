"""Let Lean choose how declarations are printed: each is tried in several forms until one elaborates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from unsorry.lean.session import Session
from unsorry.problems.tip.guard import guard
from unsorry.problems.tip.lower import substitute
from unsorry.problems.tip.render import NAMESPACE, Plan, Rendering
from unsorry.problems.tip.sexp import TipError
from unsorry.problems.tip.syntax import INT, Binder, Datatype, Function, Literal, Local, Term
from unsorry.problems.tip.termination import Measure, called_inside, guardable, measures, recursive
from unsorry.problems.tip.terms import Style

ROUNDS = 40


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the file and what it stands for."""

    kind: str  # "head" | "data" | "function" | "theorem"
    index: int
    text: str


Memory = dict[str, tuple[Plan, Function]]  # what was chosen for a group, by its plain text: files share functions


def settle(rendering: Rendering, session: Session, memory: Memory, *, timeout: float) -> None:
    """Choose deriving clauses and plans so that the whole file elaborates; else `TipError`."""
    tried: set[tuple[str, int]] = set()
    for index in range(len(rendering.theory.functions)):
        declaration = rendering.functions(index)
        if declaration is not None and declaration.text in memory:
            rendering.decide(index, _transplanted(*memory[declaration.text], rendering.theory.functions[index][0]))
    for _ in range(ROUNDS):
        parts = list(pieces(rendering))
        bad, reason = _first_fault(parts, session, timeout)
        if bad is None:
            return
        place = (bad.kind, bad.index)
        if bad.kind == "data" and place not in tried:
            rendering.plain_data.add(bad.index)
        elif bad.kind == "function" and recursive(rendering.theory.functions[bad.index]):
            _choose(rendering, bad.index, session, memory, timeout)
            continue
        elif bad.kind in ("function", "theorem") and place not in tried:
            style = Style(annotate=True)
            if bad.kind == "theorem":
                rendering.style = style
            else:
                rendering.decide(bad.index, replace(rendering.plans.get(bad.index, Plan()), style=style))
        else:
            raise TipError(rendering.theory.name, f"Lean rejects the translation: {reason}")
        tried.add(place)
    raise TipError(rendering.theory.name, "no form of the translation was found that Lean accepts")


def _transplanted(plan: Plan, old: Function, new: Function) -> Plan:
    """The plan with its measure over the arguments of another function of the same text."""
    if plan.measure is None:
        return plan
    mapping: dict[Binder, Term] = {a: Local(b, new.where, b.type) for a, b in zip(old.args, new.args, strict=True)}
    components = tuple(
        tuple(
            part if isinstance(part, int) else (substitute(part[0], mapping), substitute(part[1], mapping), part[2])
            for part in parts
        )
        for parts in plan.measure.components
    )
    return replace(plan, measure=Measure(components))


def pieces(rendering: Rendering) -> Iterator[_Part]:
    """The file in order."""
    theory = rendering.theory
    yield _Part("head", 0, f"namespace {NAMESPACE}")
    for index, declaration in enumerate(rendering.datatypes()):
        yield _Part("data", index, declaration.text)
    if any(plan.size == rendering.size for plan in rendering.plans.values()):
        yield _Part("head", 1, size_definition(rendering))
    for index in range(len(theory.functions)):
        found = rendering.functions(index)
        if found is not None:
            yield _Part("function", index, found.text)
    for index, goal in enumerate(theory.goals):
        yield _Part("theorem", index, rendering.theorem(f"{rendering.target}_{index}", goal, rendering.style))


def size_definition(rendering: Rendering) -> str:
    """The measure that termination proofs use."""
    return f"def {rendering.size} {{α : Type}} [SizeOf α] (x : α) : Nat := sizeOf x"


def _first_fault(parts: Sequence[_Part], session: Session, timeout: float) -> tuple[_Part | None, str]:
    """The first part that Lean rejects; a theorem must also leave exactly one sorry, and nothing else any."""
    run = session.check("\n".join(p.text for p in parts) + "\n", timeout=timeout)
    errors = sorted(run.errors, key=lambda m: m.line)
    holes = [m.line for m in run.messages if m.kind == "hasSorry"]
    line = 1
    for part in parts:
        end = line + part.text.count("\n")
        message = next((m for m in errors if line <= m.line <= end), None)
        if message is not None:
            return part, " ".join(message.text.split())[:200]
        count = sum(1 for h in holes if line <= h <= end)
        if count != (part.kind == "theorem"):
            return part, f"{count} sorries where {int(part.kind == 'theorem')} was expected"
        line = end + 1
    if not run.ok:
        return parts[-1], errors[0].text.splitlines()[0] if errors else "Lean did not finish in time"
    return None, ""


def _choose(rendering: Rendering, index: int, session: Session, memory: Memory, timeout: float) -> None:
    """Decide the plan of one recursive group: measures, then a guard, then equations."""
    group = rendering.theory.functions[index]
    if index in rendering.plans and not rendering.plans[index].given:
        rendering.decide(index, Plan())  # remembered, but for other definitions of the same names
    plain = rendering.functions(index)
    if plain is None:
        raise TipError(group[0].where, f"Lean rejects the equations of `{group[0].name}`")
    before = [p for p in pieces(rendering) if p.kind in ("head", "data") or (p.kind == "function" and p.index < index)]
    plans = list(_plans(rendering, group)) if len(group) == 1 else []
    for plan in _accepted(rendering, index, plans, before, session, timeout):
        rendering.decide(index, plan)
        memory[plain.text] = (plan, group[0])
        return
    data = {d.name: d for datatypes in rendering.theory.datatypes for d in datatypes}
    if len(group) == 1 and guardable(group[0], data) and _guard(rendering, index, data, session, timeout):
        return
    index = next(i for i, g in enumerate(rendering.theory.functions) if g is group)
    rendering.decide(index, Plan(given=True))
    memory[plain.text] = (Plan(given=True), group[0])


def _accepted(
    rendering: Rendering, index: int, plans: Sequence[Plan], before: Sequence[_Part], session: Session, timeout: float
) -> list[Plan]:
    """The first of the plans with which the group elaborates; all are tried in one run, each in its own namespace."""
    old = rendering.plans.get(index, Plan())
    lines = "\n".join(p.text for p in before) + "\n"
    if all(p.kind != "head" or p.index != 1 for p in before):
        lines += size_definition(rendering) + "\n"
    spans = []
    for number, plan in enumerate(plans):
        rendering.plans[index] = plan
        declaration = rendering.functions(index)
        assert declaration is not None
        start = lines.count("\n") + 1
        lines += f"namespace Trial{number}\n{declaration.text}\nend Trial{number}\n"
        spans.append((plan, start, lines.count("\n")))
    rendering.plans[index] = old
    if not spans:
        return []
    run = session.check(lines, timeout=timeout)
    if run.timed_out or run.completed.returncode is None:
        return []
    bad = [m.line for m in run.messages if m.severity == "error" or m.kind == "hasSorry"]
    return [plan for plan, start, end in spans if not any(start <= line <= end for line in bad)][:1]


def _plans(rendering: Rendering, group: Sequence[Function]) -> Iterator[Plan]:
    function = group[0]
    named = Style(named_conditions=True)
    names = ", ".join([rendering.size, *(f.lean for f in called_inside(group))])
    for measure in list(measures(function))[:14]:
        integers = any(isinstance(part, tuple) for parts in measure.components for part in parts)
        if integers:
            yield Plan(named, measure, rendering.size, "all_goals omega")
            continue
        direct = ", ".join(f.lean for f in called_inside(group))
        simplify = f"simp [{direct}]" if direct else "simp"
        yield Plan(Style(), measure, "sizeOf", f"all_goals first | omega | ({simplify}; done) | ({simplify}; omega)")
        finish = "all_goals first | done | omega"
        if len(measure.components) > 1:
            finish = (
                "all_goals first | done | omega | (apply Prod.Lex.left; omega) | (apply Prod.Lex.right'; omega; omega)"
            )
        yield Plan(Style(), measure, rendering.size, f"all_goals try simp [{names}]\n{finish}")


def _guard(rendering: Rendering, index: int, data: dict[str, Datatype], session: Session, timeout: float) -> bool:
    """Replace the function by its guarded form, if Lean accepts that."""
    function = rendering.theory.functions[index][0]
    guarded = guard(function, data)
    if guarded is None:
        return False
    guarded.outside.lean = rendering.names.fresh(f"{function.lean}_outside")
    original, function.body = function.body, guarded.body
    if guarded.weight is not None:
        rendering.insert(index, guarded.weight)
        index += 1
    measure = Measure((((guarded.measure, Literal(0, function.where, INT), 0),),))
    rendering.decide(index, Plan())
    tactic = "all_goals first | omega | (simp_all; omega) | (simp; omega)"
    plan = Plan(Style(named_conditions=True), measure, "sizeOf", tactic)
    before = [p for p in pieces(rendering) if p.kind != "theorem" and (p.kind != "function" or p.index < index)]
    if _accepted(rendering, index, [plan], before, session, timeout):
        rendering.decide(index, plan)
        return True
    function.body = original
    if guarded.weight is not None:
        rendering.remove(index - 1)
        index -= 1
    rendering.decide(index, Plan())
    return False
