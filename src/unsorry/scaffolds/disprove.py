"""Refute a problem: find small values at which it fails, prove its negation with them, have the judge accept that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from unsorry import Judge, Problem, Verdict
from unsorry.lean import toolchain
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import Module, OleanError, read
from unsorry.lean.process import Confinement
from unsorry.lean.session import Session
from unsorry.lean.terms import App, Const, Expr, children
from unsorry.provers.formats.negation import negation
from unsorry.provers.telescope import Unsupported
from unsorry.provers.values import Compiled, Witness, compile_statement, find_witness
from unsorry.scaffolds.disproof_texts import long_text, readable, short_texts

MAX_WITNESSES = 3
SHORT_SHARE = 0.25  # of the time, for trying the short texts of one witness
SHORT_CHECK = 5.0  # seconds for one of them


@dataclass(frozen=True, slots=True)
class Refutation:
    """The negated problem, the submission that proves it, and the verdict that accepted it.

    `arguments` are the values of all binders as Lean terms with full names, `witness` those of the data to read.
    """

    problem: Problem
    source: str
    witness: str
    verdict: Verdict
    seconds: float
    arguments: tuple[str, ...] = ()


def disprove(problem: Problem, judge: Judge, *, timeout: float = 30.0, seed: int = 0) -> Refutation | None:
    """A refutation that `judge` accepts, else None; `timeout` is seconds for the search, judging comes on top.

    None says nothing about the problem: no small counterexample, a statement that cannot be run, or no proof that the
    judge accepts.
    """
    start = time.monotonic()
    with lean_session(judge) as session:
        try:
            compiled = compile_statement(problem, session, timeout=timeout)
            negated = negate(compiled, session, timeout=timeout)
            for count, witness in enumerate(find_witness(compiled, session, timeout=timeout, seed=seed)):
                for submission in submissions(negated, compiled, witness, session, SHORT_SHARE * timeout):
                    verdict = judge.judge(negated, submission)
                    if verdict.accepted:
                        seconds = time.monotonic() - start
                        return Refutation(negated, submission, readable(witness), verdict, seconds, witness.arguments)
                if count + 1 >= MAX_WITNESSES or time.monotonic() - start > timeout:
                    return None
        except Unsupported:
            return None
    return None


def refutes(problem: Problem, source: str, judge: Judge, *, timeout: float = 30.0) -> bool:
    """Whether `judge` accepts `source` as a proof of the negation of `problem`: what somebody else says refutes it."""
    with lean_session(judge) as session:
        try:
            negated = negate(compile_statement(problem, session, timeout=timeout), session, timeout=timeout)
        except Unsupported:
            return False
    return judge.judge(negated, source).accepted


def submissions(
    negated: Problem, compiled: Compiled, witness: Witness, session: Session, timeout: float
) -> Iterator[str]:
    """What may prove the negation: the first short text that Lean has nothing against, then the long one unseen."""
    deadline = time.monotonic() + timeout
    for family in short_texts(negated, compiled, witness):
        for text in family:
            left = deadline - time.monotonic()
            if left < 0.5:
                break
            run = session.check(text, timeout=min(left, SHORT_CHECK))
            if run.ok:
                yield text
                yield long_text(negated, compiled, witness)  # the judge refused it, not for how it is written
                return
            if any(m.severity == "error" and "have h := " in _line(text, m.line) for m in run.messages):
                break  # the witness is not understood in this form
    yield long_text(negated, compiled, witness)


def _line(text: str, number: int) -> str:
    return next(iter(text.split("\n")[number - 1 : number]), "")


def lean_session(judge: Judge) -> Session:
    """Where the judge elaborates: its toolchain, its sandbox."""
    confinement: Confinement | None = getattr(judge, "confinement", None)
    return Session(getattr(judge, "toolchain", None) or toolchain.find(), confinement=confinement)


def negate(compiled: Compiled, session: Session, *, timeout: float) -> Problem:
    """The problem whose statement is the negation; raises Unsupported unless Lean elaborates it to exactly that."""
    negated = negation(compiled.problem)
    if negated is None:
        raise Unsupported("the statement has no negation as text")
    check_negation(compiled, negated, session, timeout=timeout)
    return negated


def check_negation(compiled: Compiled, negated: Problem, session: Session, *, timeout: float) -> None:
    """Raises Unsupported unless Lean elaborates `negated` to exactly the negation of the statement."""
    (full,) = negated.targets
    run = session.check(negated.source, timeout=timeout, olean=True)
    if run.olean is None:
        raise Unsupported("the negation does not elaborate")
    try:
        module = read(run.olean, arena=compiled.module.arena)
    except OleanError as error:
        raise Unsupported(str(error)) from None
    declaration = module.declarations.get(Name.parse(full))
    negation = compiled.module.arena.const(Name(("Not",)), ())
    if declaration is None or not isinstance(declaration.type, App) or declaration.type.fn != negation:
        raise Unsupported("the negation is not read back as one")
    comparison = _Comparison(compiled.module, module, compiled.target, Name.parse(full))
    if not comparison.same(compiled.type, declaration.type.arg):
        raise Unsupported("the negation does not elaborate to the negation of the statement")


class _Comparison:
    """Equality of terms, up to the names of matchers that Lean makes for the statement itself."""

    def __init__(self, left: Module, right: Module, left_target: Name, right_target: Name) -> None:
        self.left, self.right = left, right
        self.targets = (left_target, right_target)
        self.known: dict[tuple[Expr, Expr], bool] = {}

    def same(self, a: Expr, b: Expr) -> bool:
        if a is b:
            return True
        if type(a) is not type(b):
            return False
        if (a, b) not in self.known:
            self.known[a, b] = True  # terms have no cycles; matchers do not refer to themselves
            self.known[a, b] = self._same(a, b)
        return self.known[a, b]

    def _same(self, a: Expr, b: Expr) -> bool:
        if isinstance(a, Const) and isinstance(b, Const):
            left, right = self.targets
            if a.levels != b.levels or a.name[: len(left)] != left or b.name != Name((*right, *a.name[len(left) :])):
                return False
            x, y = self.left.declarations.get(a.name), self.right.declarations.get(b.name)
            return (
                x is not None
                and y is not None
                and x.kind is y.kind is Kind.DEFINITION
                and x.value is not None
                and y.value is not None
                and x.level_params == y.level_params
                and self.same(x.type, y.type)
                and self.same(x.value, y.value)
            )
        parts, others = children(a), children(b)
        return (
            bool(parts)
            and len(parts) == len(others)
            and _shape(a) == _shape(b)
            and all(self.same(x, y) for x, y in zip(parts, others, strict=True))
        )


def _shape(e: Expr) -> tuple[object, ...]:
    return type(e), getattr(e, "index", None), getattr(e, "structure", None)
