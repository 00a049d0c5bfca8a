"""Refute a problem: find small values at which it fails, prove its negation with them, have the judge accept that."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from unsorry import Judge, Problem, UnsorryError, Verdict
from unsorry.lean import source, toolchain
from unsorry.lean.olean import Module, OleanError, read
from unsorry.lean.process import Confinement
from unsorry.lean.session import Session
from unsorry.lean.terms import App, Const, Expr, Kind, Name, children
from unsorry.provers.telescope import PROVE, Unsupported
from unsorry.provers.values import Compiled, Witness, compile_statement, find_witness

MAX_WITNESSES = 3
MAX_SIMP = 200  # names in a simp set


@dataclass(frozen=True, slots=True)
class Refutation:
    """The negated problem, the submission that proves it, and the verdict that accepted it."""

    problem: Problem
    source: str
    witness: str
    verdict: Verdict
    seconds: float


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
                submission = prove(negated, compiled, witness)
                verdict = judge.judge(negated, submission)
                if verdict.accepted:
                    return Refutation(negated, submission, str(witness), verdict, time.monotonic() - start)
                if count + 1 >= MAX_WITNESSES or time.monotonic() - start > timeout:
                    return None
        except Unsupported:
            return None
    return None


def lean_session(judge: Judge) -> Session:
    """Where the judge elaborates: its toolchain, its sandbox."""
    confinement: Confinement | None = getattr(judge, "confinement", None)
    return Session(getattr(judge, "toolchain", None) or toolchain.find(), confinement=confinement)


def negate(compiled: Compiled, session: Session, *, timeout: float) -> Problem:
    """The problem whose statement is the negation; raises Unsupported unless Lean elaborates it to exactly that."""
    problem = compiled.problem
    text = problem.source
    try:
        parsed = source.parse(text)
    except UnsorryError as error:
        raise Unsupported(str(error)) from None
    command = parsed.declaration(problem.targets[0])
    if command is None or command.body < 0:
        raise Unsupported("the statement has no proof to replace")
    binders, claim = _signature(text[command.keyword : command.body])
    scopes = source.namespace(command.scopes)
    full = problem.targets[0] + "_neg"
    name = full.removeprefix(scopes + ".") if scopes else full
    inner = f"∀ {binders}, {claim}" if binders else claim
    # `header` is kept apart; what came before the theorem stays as it is.
    start = len(problem.header) + (0 if not problem.header or problem.header.endswith("\n") else 1)
    negated = replace(
        problem,
        id=f"{problem.id}.neg",
        preamble=text[start : command.start].rstrip() + "\n",
        statement=f"theorem {name} : ¬ ({inner}) := by sorry",
        targets=(full,),
    )
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


def _signature(text: str) -> tuple[str, str]:
    """Binders and claim of `theorem name binders : claim`."""
    rest = text.split(None, 1)[1]  # without the keyword
    end = 0
    while end < len(rest) and not rest[end].isspace() and rest[end] not in "({[⦃:":
        end = rest.index("»", end) + 1 if rest[end] == "«" else end + 1
    rest = rest[end:]
    depth = 0
    for position, character in enumerate(rest):
        if character in "({[⦃⟨":
            depth += 1
        elif character in ")}]⦄⟩":
            depth -= 1
        elif character == ":" and depth == 0 and rest[position + 1 : position + 2] != "=":
            return " ".join(rest[:position].split()), rest[position + 1 :].strip()
    raise Unsupported("the statement has no `:`")


def prove(negated: Problem, compiled: Compiled, witness: Witness) -> str:
    """A submission for the negated problem: the statement at the witness computes to something false."""
    defined = (d.name for d in compiled.module.declarations.values() if d.kind is Kind.DEFINITION)
    simp = ", ".join(f"_root_.{n}" for n in [n for n in defined if _written(n)][:MAX_SIMP])
    show = f"(by first | decide | decide +kernel | (simp [{simp}]; done) | (simp [{simp}] <;> omega))"
    given = " ".join(show if a == PROVE else f"({a})" for a in witness.arguments)
    proof = f"""by
  intro h
  have h0 := @h {given}
  first
    | exact absurd h0 (by decide)
    | exact absurd h0 (by decide +kernel)
    | (simp [{simp}] at h0; done)
    | (revert h0; simp [{simp}]; done)
    | (revert h0; decide)
"""
    statement = negated.statement.removesuffix("by sorry")
    return replace(negated, statement=f"set_option maxRecDepth 20000 in\n{statement}{proof}").source


_GENERATED = frozenset(
    [
        "rec",
        "recOn",
        "casesOn",
        "brecOn",
        "below",
        "noConfusion",
        "noConfusionType",
        "ctorIdx",
        "toCtorIdx",
        "ctorElim",
        "ctorElimType",
        "ofNat",
        "sizeOf",
        "decEq",
    ]
)


def _written(name: Name) -> bool:
    """A definition that somebody wrote, as far as its name tells."""
    plain = all(isinstance(p, str) and not p.startswith(("_", "match_", "inst", "proof_")) for p in name)
    return plain and name[-1] not in _GENERATED
