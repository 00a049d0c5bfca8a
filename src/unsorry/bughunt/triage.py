"""What a failing input means: a bug, a precondition that somebody stated, or something that only may be a bug.

The rules lean towards silence.  A panic that the author wrote is a statement about the inputs, not a fault; a panic
that the author did not write is one, unless the docs, the type or custom put the input outside of the contract.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from unsorry.bughunt import ir
from unsorry.bughunt.candidates import Candidate
from unsorry.bughunt.findings import Fault, Kind, Reason
from unsorry.bughunt.inputs import Inputs
from unsorry.bughunt.ir.walk import walk as nodes
from unsorry.bughunt.testing import DIES, FALSE, Failure, fault_of

EXPLICIT = re.compile(r"(?:\w+::)*(assert|assert_eq|assert_ne|panic|todo|unimplemented)!")
ABORTS = re.compile(r"\babort(?:_internal)?\s*\(")
MACHINE = re.compile(r"\bOs \{ code: \d+|\bfailed to spawn thread|\bvalue: NotPresent\b")
DEBUG = re.compile(r"(?:\w+::)*debug_assert(_eq|_ne)?!")
PLAIN = re.compile(
    r"(add|sub|subtract|mul|multiply|sum|plus|minus|times|diff|inc|increment|dec|decrement|succ|pred|neg)$"
)
NAMED: dict[Fault, str] = {
    Fault.DIVISION: r"zero|\b0\b|divis|empty|\bno\b|none|nothing",
    Fault.INDEX: r"index|indices|range|bound|empty|length|\blen\b|long|short|place|inside|outside|exist|no such|enough",
    Fault.SLICE: r"index|indices|range|bound|empty|length|\blen\b|long|short|place|inside|outside|exist|no such|enough",
    Fault.OVERFLOW: r"overflow|\bfit|too (?:large|big|small|many|long)|exceed|max|greatest|greater|underflow|represent",
    Fault.SHIFT: r"overflow|shift|width|bits|\bfit|too (?:large|big)|greater",
    Fault.UNWRAP: r".",
    Fault.ALLOCATION: r".",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a failure is: `claim` it (for Rust to confirm), suspect it for a `reason`, or neither (`silent`: why)."""

    fault: Fault
    reason: Reason = Reason.NONE
    explanation: str = ""
    silent: str = ""

    @property
    def claim(self) -> bool:
        return not self.silent and self.reason is Reason.NONE


class Triage:
    """Decides about failures in one crate, from its sources and its functions."""

    def __init__(self, crate: ir.Crate, inputs: Inputs, sources: Mapping[str, bytes]) -> None:
        self.crate = crate
        self.inputs = inputs
        self.lines = {name: data.decode("utf-8", "replace").split("\n") for name, data in sources.items()}
        self.library = any(f.public for f in crate.functions)

    def decide(self, candidate: Candidate, failure: Failure) -> Decision:
        fault = fault_of(failure)
        if candidate.property.kind is Kind.EXAMPLE:
            inside = failure.lines.file in self.lines
            return Decision(
                fault if inside and not self._explicit(failure) else Fault.WRONG, explanation=failure.message
            )
        if failure.place == FALSE:
            return self._wrong(candidate, fault)
        if candidate.predicate:
            return Decision(fault, silent="a panic, which is not what this property is about")
        if failure.lines.file.startswith("unsorry_hunt/") or "/unsorry_hunt/" in failure.lines.file:
            return Decision(fault, silent="outside of the crate")
        return self._panic(candidate, failure, fault)

    # ---- wrong values

    def _wrong(self, candidate: Candidate, fault: Fault) -> Decision:
        contract = candidate.contract
        if not candidate.property.promised:
            return Decision(fault, Reason.PROPERTY, f"usual, but not promised: {candidate.property.basis}")
        if restricted := self._restricted(candidate):
            return Decision(fault, Reason.PRECONDITION, restricted)
        if not candidate.function.public and self.library and not contract.text and not candidate.function.trait:
            return Decision(fault, Reason.PROPERTY, "the function is private and has no docs")
        return Decision(fault, explanation=f"{candidate.property.title}: it is not so")

    def _restricted(self, candidate: Candidate) -> str:
        if candidate.contract.unclear:
            return f'the docs may restrict the inputs: "{candidate.contract.unclear[0]}"'
        for one in candidate.inputs:
            if said := self.inputs.restricted(one.ty):
                return f'the docs of its type may restrict the inputs: "{said}"'
        return ""

    # ---- panics

    def _panic(self, candidate: Candidate, failure: Failure, fault: Fault) -> Decision:
        contract, function = candidate.contract, candidate.function
        if failure.place == DIES and any(ABORTS.search(line) for lines in self.lines.values() for line in lines):
            return Decision(fault, silent="the crate aborts on purpose")
        text = self._text(failure)
        holder = self.holder(failure)
        if self._explicit(failure):
            return Decision(fault, silent="a stated precondition: " + text.strip()[:100])
        if DEBUG.match(text):
            fault = Fault.ASSERTION
            if not self._claims(failure, holder):
                return Decision(fault, silent="a stated precondition: " + text.strip()[:100])
        if re.match(r"\.?expect\(", text) and fault not in (Fault.OVERFLOW, Fault.INDEX, Fault.DIVISION):
            return Decision(fault, Reason.PRECONDITION, f"`expect` states a condition: {failure.message[:100]}")
        if contract.total:
            return Decision(fault, explanation=f'panics ({failure.message}), though the docs say "{contract.total}"')
        if said := self._documented(candidate, fault):
            return Decision(fault, silent=f'a documented panic: "{said}"')
        if restricted := self._restricted(candidate):
            return Decision(fault, Reason.PRECONDITION, restricted)
        if MACHINE.search(failure.message):
            return Decision(fault, Reason.PRECONDITION, "about files, threads or variables that a sandbox has not")
        if fault is Fault.ALLOCATION:
            return Decision(fault, Reason.PRECONDITION, "only for sizes that no memory holds")
        if contract.wraps and fault in (Fault.OVERFLOW, Fault.SHIFT):
            return Decision(fault, Reason.INTENDED, f'the docs say "{contract.wraps}"; the debug build panics')
        if contract.overflows and fault in (Fault.OVERFLOW, Fault.SHIFT):
            return Decision(fault, Reason.PRECONDITION, f'the docs tell of an overflow: "{contract.overflows}"')
        if not function.public and self.library:
            return Decision(fault, Reason.PRECONDITION, "the function is private: its callers may keep this input away")
        if not function.public and not contract.text:
            return Decision(fault, Reason.PRECONDITION, "the function is private and has no docs")
        if self._given(candidate, failure, fault, holder):
            return Decision(fault, Reason.PRECONDITION, "the caller gives this very index or divisor")
        if self._plain(candidate, fault):
            return Decision(fault, Reason.PRECONDITION, "the function is one operation, and its result does not fit")
        why = {
            Fault.HANG: "does not end",
            Fault.STACK: "recursion does not end",
        }.get(fault, f"panics: {failure.message}")
        if contract.saturates and fault is Fault.OVERFLOW:
            why += f', though the docs say "{contract.saturates}"'
        return Decision(fault, explanation=why)

    def _text(self, failure: Failure) -> str:
        """The line of the panic from its column on, "" outside of the crate."""
        lines = self.lines.get(failure.lines.file)
        if lines is None or not 0 < failure.lines.first <= len(lines):
            return ""
        return lines[failure.lines.first - 1].encode()[max(0, failure.column - 1) :].decode("utf-8", "replace")

    def _explicit(self, failure: Failure) -> bool:
        return EXPLICIT.match(self._text(failure)) is not None

    def holder(self, failure: Failure) -> ir.Function | None:
        """The function whose lines the panic is in."""
        where = failure.lines
        inside = [
            f for f in self.crate.functions
            if f.span.file == where.file and f.span.first_line <= where.first <= f.span.last_line
        ]  # fmt: skip
        return max(inside, key=lambda f: f.span.first_line, default=None)

    def _claims(self, failure: Failure, holder: ir.Function | None) -> bool:
        """Whether a `debug_assert` is about what was computed, not about parameters alone."""
        if holder is None or holder.body is None:
            return False
        names = {p.name for p in holder.params}
        for node in nodes(holder.body):
            if (
                isinstance(node, ir.Assert)
                and node.debug
                and node.span.first_line <= failure.lines.first <= (node.span.last_line)
            ):
                used = {n.name for n in nodes(node.condition) if isinstance(n, ir.Local)}
                return bool(used - names)
        return False

    def _documented(self, candidate: Candidate, fault: Fault) -> str:
        """The sentence about panics that this one may be, "" if there is none."""
        contract = candidate.contract
        if not contract.panics:
            return ""
        named = next((s for s in contract.panics if re.search(NAMED.get(fault, "$^"), s, re.I)), "")
        understood = len(contract.conditions) >= len(contract.panics)
        if understood:
            return ""  # the input is one that those sentences leave
        checked = self.checks(candidate.function)
        return named or ("" if checked else contract.panics[0])

    def checks(self, function: ir.Function, depth: int = 2) -> bool:
        """Whether the function, or one that it calls, has a panic that its author wrote."""
        lines = self.lines.get(function.span.file, [])
        text = "\n".join(lines[function.span.first_line - 1 : function.span.last_line])
        if re.search(r"(?<!debug_)\b(?:assert|assert_eq|assert_ne|panic|unimplemented)!", text):
            return True
        called = (self.crate.function(path) for path in function.calls)
        return depth > 0 and any(self.checks(f, depth - 1) for f in called if f is not None and f.path != function.path)

    def _given(self, candidate: Candidate, failure: Failure, fault: Fault, holder: ir.Function | None) -> bool:
        """Whether what is out of range is a parameter itself, in a function that has no way to say no."""
        function = candidate.function
        if isinstance(function.ret, ir.Adt) and function.ret.path in ("Option", "Result"):
            return False
        if holder is None or holder.path != function.path:
            return False
        names = {p.name for p in function.params if isinstance(p.ty, ir.Scalar)}
        text = self._text(failure)
        pattern = {
            Fault.INDEX: r"[\w.]+\[(\w+)\]",
            Fault.SLICE: r"&?(?:mut )?[\w.]+\[(?:(\w+)\.\.|\.\.=?(\w+)\])",
            Fault.DIVISION: r"[^/%]*?[/%]=? ?(\w+)\b(?![.(\[])",
        }.get(fault)
        match = re.match(pattern, text) if pattern else None
        given = next((g for g in match.groups() if g), "") if match else ""
        return given in names and not self._assigned(function, given)

    def _assigned(self, function: ir.Function, name: str) -> bool:
        return any(p.name == name and p.mutable for p in function.params)

    def _plain(self, candidate: Candidate, fault: Fault) -> bool:
        """Whether the function is one operation and is called so: then its limits are those of the operation."""
        if fault is not Fault.OVERFLOW or not PLAIN.match(candidate.function.name):
            return False
        body = candidate.function.body
        return body is not None and not body.statements and isinstance(body.tail, ir.Binary | ir.Unary)
