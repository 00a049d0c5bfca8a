"""Why a verdict is what it is: the codes that `Verdict.reason` carries."""

from __future__ import annotations

from enum import StrEnum

from unsorry import Status, Verdict

MAX_MESSAGE = 4000  # characters of a verdict's message


class Reason(StrEnum):
    """One code for each way a judgement can end; docs/judge.md explains them."""

    ACCEPTED = "accepted"
    ACCEPTED_WITH_HOLES = "accepted.open_holes"  # only when asked for: some sorries of the statement remain

    # rejected
    SUBMISSION_TEXT = "submission.text"  # not encodable, or too large
    COMPILE_FAILED = "compile.failed"  # Lean left no compiled file
    OLEAN_MALFORMED = "olean.malformed"
    OLEAN_MODULE_SYSTEM = "olean.module_system"  # the submission is a `module`, whose proofs are elsewhere
    IMPORTS_ILLEGAL = "imports.illegal"
    IMPORTS_MISSING = "imports.missing"
    NAMES_CLASH = "names.clash"  # redefines a name of an imported module, or one that the kernel treats specially
    TARGET_MISSING = "statement.missing"
    KIND_DIFFERS = "statement.kind_differs"
    UNIVERSES_DIFFER = "statement.universes_differ"
    TYPE_DIFFERS = "statement.type_differs"
    DEFINITION_DIFFERS = "statement.definition_differs"  # something that the statement is built from
    AXIOMS_ILLEGAL = "axioms.illegal"
    AXIOMS_SORRY = "axioms.sorry"
    AXIOMS_NATIVE = "axioms.native"  # native_decide and its like
    AXIOMS_UNSAFE = "axioms.unsafe"  # unsafe or partial constants
    REPLAY_REFUSED = "replay.refused"  # the kernel refuses a term
    REPLAY_REGENERATED = "replay.regenerated_differs"  # a constructor or recursor is not what the kernel makes
    REPLAY_MISSING = "replay.missing"
    REPLAY_CIRCULAR = "replay.circular"
    REPLAY_FAMILY = "replay.family"
    REPLAY_UNSAFE = "replay.unsafe"
    REPLAY_OPEN_TERM = "replay.open_term"
    FAST_ERROR = "fast.error"  # fast tier: Lean reports an error
    FAST_SORRY = "fast.sorry"  # fast tier: a target uses sorry

    # undecided
    STATEMENT_INVALID = "statement.invalid"  # the problem itself does not elaborate, or names no target
    COMPILE_TIMEOUT = "compile.timeout"
    COMPILE_RESOURCES = "compile.resources"  # memory, file size or processes ran out
    REPLAY_TIMEOUT = "replay.timeout"
    REPLAY_RESOURCES = "replay.resources"  # memory or depth; also a kernel that crashed
    HOLES_LIMIT = "holes.limit"  # sorries that may remain: too many, or of goals too large, to be compared
    REPLAY_LIMIT = "replay.limit"  # a literal beyond what is sent to the kernel
    SECOND_DISAGREES = "second.disagrees"  # an incident: the kernel accepts what the second checker refuses
    SECOND_UNDECIDED = "second.undecided"  # only where a second opinion is demanded
    FAST_PASSED = "fast.passed"  # fast tier: nothing speaks against it
    INTERNAL = "internal"  # a fault of the judge, which is never a reason to accept

    @property
    def status(self) -> Status:
        if self in (Reason.ACCEPTED, Reason.ACCEPTED_WITH_HOLES):
            return Status.ACCEPTED
        return Status.UNDECIDED if self in _UNDECIDED else Status.REJECTED


_UNDECIDED = frozenset((
    Reason.STATEMENT_INVALID, Reason.COMPILE_TIMEOUT, Reason.COMPILE_RESOURCES, Reason.REPLAY_TIMEOUT,
    Reason.HOLES_LIMIT, Reason.REPLAY_RESOURCES, Reason.REPLAY_LIMIT, Reason.SECOND_DISAGREES, Reason.SECOND_UNDECIDED,
    Reason.FAST_PASSED, Reason.INTERNAL,
))  # fmt: skip


def one_line(text: str) -> str:
    """The text on one line that any terminal shows as it is: names and Lean's words may hold line breaks and worse.

    White space becomes spaces; what else cannot be printed (controls, lone surrogates) is shown by its escape.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else repr(c)[1:-1] for c in text).strip()


def shortened(text: str, limit: int = MAX_MESSAGE) -> str:
    """The text, or as much of it as a verdict keeps: a name or a message may have as many bytes as a file."""
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"


class Refusal(Exception):
    """Ends a judgement; caught by the judge and turned into a verdict."""

    def __init__(self, reason: Reason, message: str, target: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.target = target

    def verdict(self) -> Verdict:
        """The verdict that this refusal amounts to."""
        return Verdict(self.reason.status, self.reason.value, one_line(shortened(str(self))), shortened(self.target))
