"""Small-value testing: evaluate a statement on all small values of its variables, with Lean.

The statement is read from the compiled module, not from text: its binders become loops over values enumerated by the
number of constructors, its hypotheses and its conclusion are decided by instances.  What Lean prints is only a
candidate; nothing is refuted until a judge has accepted a proof of the negation (scaffolds/disprove.py).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unsorry import Problem, UnsorryError
from unsorry.judge.library import Library
from unsorry.lean.names import Name
from unsorry.lean.olean import Module, OleanError, read
from unsorry.lean.session import Session
from unsorry.lean.terms import Expr
from unsorry.provers.enumeration import PRELUDE, Tables
from unsorry.provers.equality import undecided_types
from unsorry.provers.telescope import Environment, Ind, Telescope, Unsupported, telescope

SEPARATOR = " ;; "
STAGES = ((4_000, 2_000), (150_000, 40_000), (4_000_000, 400_000))  # tuples and values of one type, at most
MODELS = (Ind(Name(("Bool",))), Ind(Name(("Nat",))))  # what type variables stand for


@dataclass(frozen=True, slots=True)
class Witness:
    """Values at which the statement fails: `arguments` fill all its binders, in order, as Lean terms."""

    values: tuple[str, ...]
    arguments: tuple[str, ...]
    names: tuple[str, ...]
    target: str

    def __str__(self) -> str:
        return ", ".join(f"{n} = {v}" for n, v in zip(self.names, self.values, strict=True))


@dataclass(slots=True)
class Compiled:
    """A problem's elaborated statement and what is needed to look around in it."""

    problem: Problem
    module: Module
    environment: Environment
    target: Name
    type: Expr = field(repr=False)


def compile_statement(problem: Problem, session: Session, *, timeout: float = 30.0) -> Compiled:
    """Elaborate the problem and read its single target back; raises Unsupported with the reason."""
    if len(problem.targets) != 1:
        raise Unsupported("the problem has several targets")
    run = session.check(problem.source, timeout=timeout, olean=True)
    if run.olean is None:
        raise Unsupported("the statement does not elaborate")
    try:
        module = read(run.olean)
        target = Name.parse(problem.targets[0])
        scope = Library(session.toolchain).scope(i.module for i in module.imports)
    except (OleanError, ValueError, UnsorryError) as error:
        raise Unsupported(str(error)) from None
    declaration = module.declarations.get(target)
    if declaration is None:
        raise Unsupported(f"{target} is not declared")
    return Compiled(problem, module, Environment(module, scope), target, declaration.type)


def find_witness(compiled: Compiled, session: Session, *, timeout: float, seed: int = 0) -> Iterator[Witness]:
    """Candidates for counterexamples, smallest first; raises Unsupported if the statement cannot be run.

    Stages enlarge the values until `timeout` seconds are used; type variables stand for Bool, then for Nat.
    """
    deadline = time.monotonic() + timeout
    equality = undecided_types(compiled.type, compiled.environment)
    reasons: list[str] = []
    models: Sequence[Ind] = MODELS if _polymorphic(compiled) else MODELS[:1]
    ran = False
    closed = telescope(compiled.type, compiled.environment, MODELS[0])
    if not closed.values:  # nothing to enumerate: whether it is false is for the proof to show
        yield Witness((), tuple(closed.arguments), (), str(compiled.target))
        return
    for stage, (tuples, values) in enumerate(STAGES):
        for model in models:
            left = deadline - time.monotonic()
            if left < 0.5:
                return
            try:
                shape = telescope(compiled.type, compiled.environment, model)
                plan = _Program(shape, compiled.environment, tuples, values, equality)
            except Unsupported as error:
                reasons.append(str(error))
                continue
            # Each stage gets a share of the time, so that a slow early one does not eat it all.
            share = left if stage == len(STAGES) - 1 else left * 0.6
            run = session.check(compiled.problem.source + plan.text(), timeout=share)
            found = [m.text for m in run.messages if m.severity == "information"]
            if run.errors and not found:
                reasons.append(" ".join(run.errors[0].text.split())[:200])
                continue
            ran = True
            for text in found:
                witness = plan.witness(text, str(compiled.target))
                if witness is not None:
                    yield witness
    if not ran and reasons:
        raise Unsupported(reasons[0])


def _polymorphic(compiled: Compiled) -> bool:
    try:
        return telescope(compiled.type, compiled.environment, MODELS[0]).polymorphic
    except Unsupported:
        return False


class _Program:
    """The Lean text that enumerates and tests."""

    def __init__(
        self, shape: Telescope, environment: Environment, tuples: int, values: int, equality: Sequence[Name] = ()
    ) -> None:
        self.shape = shape
        self.equality = equality
        self.environment = environment
        self.tables = Tables(environment, values)
        self.columns = [self.tables.index(v.type) for v in shape.values]
        self.largest = self.tables.grow(self.columns, tuples)

    def text(self) -> str:
        """`#eval` prints the first counterexample, or `none`."""
        values = self.shape.values
        parameters = " ".join(f"({v.name} : {v.type.text()})" for v in values)
        hypotheses = "".join(f"!(decide ({h})) || " for h in self.shape.hypotheses)
        # What the file limits is its own proofs; our time is limited from outside.
        lines = ["", "set_option maxHeartbeats 0"]
        lines += [f"deriving instance DecidableEq for _root_.{name}" for name in self.equality]
        lines += [PRELUDE, *self.tables.definitions()]
        lines.append(f"def UnsorryValues.test {parameters} : Bool := {hypotheses}decide ({self.shape.conclusion})")
        lines.append(f"def UnsorryValues.search (total : Nat) : Option String :=\n  {self._loops()}")
        first = max(len(values), 1)
        lines.append(f"#eval UnsorryValues.first (UnsorryValues.range {first} {self.largest}) UnsorryValues.search")
        return "\n".join(lines) + "\n"

    def _loops(self) -> str:
        values = self.shape.values
        names = [f"p{i}" for i in range(len(values))]
        call = " ".join(["UnsorryValues.test", *(f"{n}.1" for n in names)])
        shown = f' ++ "{SEPARATOR}" ++ '.join(f"{n}.2" for n in names) or '""'
        body = f"bif {call} then none else some ({shown})"
        if not values:
            return body
        last = len(values) - 1
        rest = "".join(f" - s{i}" for i in range(last))
        body = f"UnsorryValues.first (UnsorryValues.t{self.columns[last]} (total{rest})) fun p{last} => {body}"
        for i in reversed(range(last)):
            rest = "".join(f" - s{j}" for j in range(i))
            bound = f"(total{rest} - {last - i})"
            body = (
                f"UnsorryValues.first (UnsorryValues.range 1 {bound}) fun s{i} =>\n    "
                f"UnsorryValues.first (UnsorryValues.t{self.columns[i]} s{i}) fun p{i} =>\n    {body}"
            )
        return body

    def witness(self, text: str, target: str) -> Witness | None:
        """The values in a line of output; None where there are none."""
        match = re.fullmatch(r'(?:Option\.)?\(?some (".*")\)?', text.strip(), re.DOTALL)
        if match is None:
            return None
        try:
            shown = json.loads(match.group(1))
        except ValueError:
            return None
        values = tuple(shown.split(SEPARATOR)) if self.shape.values else ()
        if len(values) != len(self.shape.values):
            return None
        by_name = {v.name: value for v, value in zip(self.shape.values, values, strict=True)}
        arguments = tuple(by_name.get(a, a) for a in self.shape.arguments)
        names = tuple(v.label for v in self.shape.values)
        return Witness(values, arguments, names, target)


def test_conjectures(
    problem: Problem, conjectures: Sequence[str], session: Session, *, timeout: float = 10.0
) -> list[bool | None]:
    """For each conjecture, a text such as `(x y : Nat) : f x y = f y x`: True if no small counterexample was found,
    False if one was, None if it could not be run.  Costs two runs of Lean for all together."""
    prefix = problem.header + "\n" + problem.preamble + "\n"
    names = [f"unsorry_conjecture_{i}" for i in range(len(conjectures))]
    source = prefix + "".join(f"theorem _root_.{n} {c} := by sorry\n" for n, c in zip(names, conjectures, strict=True))
    verdicts: list[bool | None] = [None] * len(conjectures)
    run = session.check(source, timeout=timeout, olean=True)
    if run.olean is None:
        if len(conjectures) == 1:
            return verdicts
        return [test_conjectures(problem, [c], session, timeout=timeout)[0] for c in conjectures]
    try:
        module = read(run.olean)
        environment = Environment(module, Library(session.toolchain).scope(i.module for i in module.imports))
    except (OleanError, UnsorryError):
        return verdicts
    text, spans = source, []
    for i, name in enumerate(names):
        declaration = module.declarations.get(Name((name,)))
        if declaration is None:
            continue
        try:
            plan = _Program(telescope(declaration.type, environment, MODELS[1]), environment, *STAGES[0])
        except Unsupported:
            continue
        start = text.count("\n") + 1
        text += f"namespace Trial{i}\n{plan.text()}\nend Trial{i}\n"
        spans.append((i, start, text.count("\n")))
    run = session.check(text, timeout=timeout)
    for i, start, end in spans:
        here = [m for m in run.messages if start <= m.line <= end and m.kind != "hasSorry"]
        said = [m.text.strip() for m in here if m.severity == "information"]
        if said and not any(m.severity == "error" for m in here):
            verdicts[i] = said[-1].endswith("none")
    return verdicts


__all__ = ["Compiled", "Unsupported", "Witness", "compile_statement", "find_witness", "test_conjectures"]
