"""What a hunt finds: properties, their outcomes, and claims of bugs.  Plain data, JSON-able.

A claim is `confirmed` only if its Rust test was compiled and run, and failed; every other one is `suspected`, with a
reason.  Nothing here decides that: confirm.py does.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

FORMAT = 1


class Kind(StrEnum):
    """What a property says."""

    PANIC_FREE = "panic freedom"
    EXAMPLE = "documented example"
    DOCUMENTED = "documented promise"  # a sentence of the docs: "returns None if", "rounds to nearest", "saturates"
    ROUND_TRIP = "round trip"
    IDEMPOTENCE = "idempotence"
    ORDER = "order law"
    BOUNDS = "bounds"
    MONOTONE = "monotonicity"
    COMMUTATION = "commutation"
    MODEL = "model equivalence"
    PROPOSED = "proposed by a model"


class Status(StrEnum):
    """What is known of a property."""

    PROVED = "proved"  # in Lean, accepted by the strict judge, and Rust found nothing against it
    REFUTED = "refuted"  # by a Rust run, or by a judged proof of its negation
    OPEN = "open"


class Claim(StrEnum):
    CONFIRMED = "confirmed"
    SUSPECTED = "suspected"


class Reason(StrEnum):
    """Why a claim is no more than suspected."""

    NONE = ""
    PRECONDITION = "precondition missing"  # the inputs may be outside of what the function is for
    PROPERTY = "property wrong"  # nobody promised it
    EXTRACTION = "extraction doubtful"  # Lean and Rust do not agree
    INTENDED = "documented intent"  # the docs say wrapping, saturating, panics
    NOT_RUN = "no Rust run"  # the test could not be compiled or run here


class Fault(StrEnum):
    """What goes wrong in Rust."""

    OVERFLOW = "arithmetic overflow"
    DIVISION = "division by zero"
    INDEX = "index out of bounds"
    SLICE = "slice out of range"
    SHIFT = "shift by the width or more"
    UNWRAP = "unwrap of nothing"
    UNREACHABLE = "unreachable code reached"
    ASSERTION = "assertion"
    PANIC = "panic"
    HANG = "does not end"
    STACK = "stack overflow"
    ALLOCATION = "allocation too large"
    WRONG = "wrong value"


class Build(StrEnum):
    DEBUG = "debug"  # overflow panics
    RELEASE = "release"  # overflow wraps


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `first` to `last` of a file, from 1; `file` is relative to the crate, or the name of generated Lean."""

    file: str = ""
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that should hold, as a Lean statement over the translation and as a Rust predicate.

    `basis` says where it is from: a sentence of the docs in quotes, a name, a trait.  `promised` tells whether the
    code's author said so; what merely is usual is not, and a counterexample to it is suspected only.  `lean` is a
    complete theorem ending in `:= by sorry`, "" where there is no translation.  `rust` is an expression of type bool
    over the inputs, "" where calling the function is all.
    """

    id: str  # unique in the crate
    kind: Kind
    function: str  # path in the crate: `module::Type::name`
    title: str  # one line
    basis: str
    promised: bool = True
    also: tuple[str, ...] = ()  # other functions that it is about
    inputs: tuple[tuple[str, str], ...] = ()  # name, Rust type
    assumptions: tuple[str, ...] = ()  # Rust expressions of type bool
    rust: str = ""
    lean: str = ""
    target: str = ""  # name of the Lean theorem


@dataclass(frozen=True, slots=True)
class Effort:
    """What was spent: Rust inputs tried, seconds by stage, tries at proofs, tokens, dollars (None: unknown)."""

    inputs: int = 0
    rust_seconds: float = 0.0
    lean_seconds: float = 0.0
    proof_tries: int = 0
    negation_tries: int = 0
    tokens: int = 0
    money: float | None = 0.0

    def plus(self, other: Effort) -> Effort:
        money = None if self.money is None or other.money is None else self.money + other.money
        return Effort(
            self.inputs + other.inputs,
            self.rust_seconds + other.rust_seconds,
            self.lean_seconds + other.lean_seconds,
            self.proof_tries + other.proof_tries,
            self.negation_tries + other.negation_tries,
            self.tokens + other.tokens,
            money,
        )


@dataclass(frozen=True, slots=True)
class PropertyOutcome:
    """What became of a property.  `proof` is the complete Lean source that the strict judge accepted.

    `negated` tells that `proof` proves the negation.  `exhaustive`: Rust was run on every input there is.
    """

    property: Property
    status: Status
    how: str  # "Rust test", "Lean evaluation", "proof", "proof of the negation", or why it is open
    witness: tuple[tuple[str, str], ...] = ()  # input name, Rust literal
    message: str = ""
    proof: str = ""
    negated: bool = False
    axioms: tuple[str, ...] = ()
    exhaustive: bool = False
    doubtful: str = ""  # Lean and Rust contradict each other: how
    effort: Effort = Effort()


@dataclass(frozen=True, slots=True)
class RustRun:
    """One run of a test in one build.  `failed` means that the test was compiled, started, and failed."""

    build: Build
    failed: bool
    message: str  # the panic's message, one line, or "passed"
    fault: Fault | None = None
    at: Lines = Lines()  # where it panicked, if in the crate


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of a bug.  `test` is a complete `#[test]` function; `module` the module that it belongs in ("": root)."""

    id: str
    claim: Claim
    reason: Reason
    explanation: str  # one line: what is wrong, or why it is only suspected
    fault: Fault
    function: str
    property: str  # Property.id
    kind: Kind
    rust: Lines  # of the function
    at: Lines = Lines()  # of the fault, where it is known
    lean: Lines = Lines()  # of the translation
    witness: tuple[tuple[str, str], ...] = ()
    test_name: str = ""
    test: str = ""
    module: str = ""
    debug: RustRun | None = None
    release: RustRun | None = None
    duplicates: tuple[str, ...] = ()  # properties that fail for the same cause

    @builtins.property
    def confirmed(self) -> bool:
        return self.claim is Claim.CONFIRMED

    @builtins.property
    def builds(self) -> tuple[Build, ...]:
        """The builds in which the test fails."""
        return tuple(run.build for run in (self.debug, self.release) if run is not None and run.failed)


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function of the crate: `state` is translated, opaque, refused or tested only (Rust runs it, Lean does not)."""

    path: str
    rust: Lines
    state: str
    reason: str = ""
    lean_name: str = ""
    lean: Lines = Lines()


@dataclass(frozen=True, slots=True)
class CrateReport:
    """Everything about one crate.  `lean` is the whole translation; `hash` is of the Rust sources it was made from."""

    crate: str
    root: str
    hash: str
    functions: tuple[FunctionFacts, ...] = ()
    outcomes: tuple[PropertyOutcome, ...] = ()
    findings: tuple[Finding, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # item with its place, why it is not hunted
    notes: tuple[str, ...] = ()  # what was not done, and why; one line each
    lean: str = ""
    effort: Effort = Effort()
    seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def confirmed(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.confirmed)

    @property
    def suspected(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if not f.confirmed)

    def count(self, status: Status) -> int:
        return sum(o.status is status for o in self.outcomes)

    def as_dict(self) -> dict[str, Any]:
        """For JSON; `format` tells the version of this shape."""
        return {"format": FORMAT, **asdict(self)}
