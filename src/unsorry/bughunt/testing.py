"""Run a property's test program and read what it says: failures at distinct places, each with its smallest input."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field
from typing import Any

from unsorry.bughunt.findings import Fault, Lines
from unsorry.bughunt.rustc import run_tests
from unsorry.lean.process import Completed, Confinement

FALSE = "false"  # the place of a predicate that is false
HANGS = "hangs"
DIES = "dies"
RESTARTS = 4
SMALL = 1000  # an input with no larger number that still does not end in time counts as a hang
PATIENCE = 1.5  # seconds of one input
NOT_NUMBERED = 1 << 63  # an input that is no random one


@dataclass(frozen=True, slots=True)
class Failure:
    """An input at which it fails: where, what was said, the inputs as (name, type, Rust expression)."""

    place: str  # file:line:column, or FALSE, HANGS, DIES
    message: str
    inputs: tuple[tuple[str, str, str], ...]
    times: int = 1

    @property
    def lines(self) -> Lines:
        """The line in the crate, empty for one that is in none of its files."""
        match = re.fullmatch(r"(.+):(\d+):(\d+)", self.place)
        return Lines(match[1], int(match[2]), int(match[2])) if match else Lines()

    @property
    def column(self) -> int:
        """From 1; 0 where there is no place."""
        match = re.fullmatch(r".+:(\d+):(\d+)", self.place)
        return int(match[2]) if match else 0


@dataclass
class Tested:
    """What testing one property gave."""

    failures: list[Failure] = field(default_factory=list)
    held: int = 0
    discarded: int = 0
    failed: int = 0
    exhaustive: bool = False
    seconds: float = 0.0
    note: str = ""  # why it is incomplete

    @property
    def inputs(self) -> int:
        return self.held + self.failed


def explore(
    program: bytes, test: str, confinement: Confinement, *, count: int, seconds: float, seed: int, words: str = ""
) -> Tested:
    """Try one property on up to `count` inputs for at most `seconds`; `words` are numbers that the code names."""
    result = Tested()
    start = 0
    small = False
    for _ in range(RESTARTS):
        done, said = _run(
            program, test, confinement, seconds + 20, seed=seed, count=count - start, budget=round(seconds * 1000),
            patience=round(PATIENCE * 1000), small=int(small), words=words, **{"from": start},
        )  # fmt: skip
        result.seconds += done.seconds
        for line in said:
            if line["kind"] == "fails":
                failure = Failure(
                    str(line["place"]), str(line["message"]), _inputs(line), int(line["times"])
                )  # fmt: skip
                if all(f.place != failure.place or f.message != failure.message for f in result.failures):
                    result.failures.append(failure)
            elif line["kind"] == "done":
                result.held += int(line["held"])
                result.discarded += int(line["discarded"])
                result.failed += int(line["failed"])
                result.exhaustive = bool(line["exhaustive"])
                return result
        slow = next((line for line in said if line["kind"] == "slow"), None)
        if done.timed_out and slow is None:
            result.note = "testing did not end in time"
            return result
        if slow is None:
            start, small = _died(program, test, confinement, result, start, seed, count, small, words)
        else:
            start, small = _slow(program, test, confinement, result, slow, start, seed, small, words)
        if start >= count:
            break
    return result


def _slow(
    program: bytes,
    test: str,
    confinement: Confinement,
    result: Tested,
    slow: dict[str, Any],
    start: int,
    seed: int,
    small: bool,
    words: str,
) -> tuple[int, bool]:
    """An input took too long: a hang, or only a large number.  Where to go on, with small numbers."""
    number = int(slow["number"])
    numbered = number < NOT_NUMBERED
    values = f"number:{number}" if numbered else str(slow["values"])
    inputs = _described(program, test, confinement, values, seed=seed, small=int(small), words=words)
    if inputs is not None and all(abs(n) <= SMALL for n in _numbers(inputs)):
        result.failures.append(Failure(HANGS, f"no end after {PATIENCE} s", inputs))
        return NOT_NUMBERED, True
    result.note = "large inputs take too long: tested on small ones"
    return (number + 1 if numbered else start + 1), True


def _died(
    program: bytes,
    test: str,
    confinement: Confinement,
    result: Tested,
    start: int,
    seed: int,
    count: int,
    small: bool,
    words: str,
) -> tuple[int, bool]:
    """The process died (stack, memory): which input did it, by a run that tells each before it begins."""
    done, said = _run(
        program, test, confinement, 60, seed=seed, count=count - start, budget=20_000, patience=5000,
        small=int(small), trace=1, words=words, **{"from": start},
    )  # fmt: skip
    last = next((line for line in reversed(said) if line["kind"] in ("number", "at")), None)
    if last is None or any(line["kind"] == "done" for line in said):
        result.note = "the test program died, and not again"
        return NOT_NUMBERED, small
    values = f"number:{last['number']}" if last["kind"] == "number" else str(last["values"])
    inputs = _described(program, test, confinement, values, seed=seed, small=int(small), words=words)
    if (done.returncode or 0) >= 0:
        result.note = f"it ends the program with {done.returncode}: the inputs after that were not tried"
        return NOT_NUMBERED, small
    text = done.stderr.decode("utf-8", "replace")
    what = "stack overflow" if "overflowed its stack" in text else "out of memory" if (
        "memory allocation" in text or "limit of memory" in text
    ) else f"the process died with {done.returncode}"  # fmt: skip
    if inputs is not None and all(abs(n) <= SMALL for n in _numbers(inputs)):
        result.failures.append(Failure(DIES, what, inputs))
        return NOT_NUMBERED, True
    result.note = f"large inputs end in: {what}; tested on small ones"
    return (int(last["number"]) + 1 if last["kind"] == "number" else start + 1), True


def _described(
    program: bytes, test: str, confinement: Confinement, values: str, **settings: object
) -> tuple[tuple[str, str, str], ...] | None:
    which = {"values": values} if not values.startswith("number:") else {"number": values[7:]}
    _, said = _run(program, test, confinement, 20, "describe", **which, **settings)
    line = next((line for line in said if line["kind"] == "describe"), None)
    return _inputs(line) if line is not None else None


def _run(
    program: bytes, test: str, confinement: Confinement, seconds: float, *words: str, **settings: object
) -> tuple[Completed, list[dict[str, Any]]]:
    mark = secrets.randbits(60)
    given = [f"{name}={value}" for name, value in settings.items()]
    done = run_tests(
        program, ["--exact", test, "--nocapture", "--test-threads=1", f"mark={mark}", *given, *words], confinement,
        seconds=seconds,
    )  # fmt: skip
    return done, _said(done.stdout, mark)


def _said(stdout: bytes, mark: int) -> list[dict[str, Any]]:
    """The lines with our mark; whatever else the crate prints is passed over."""
    found = []
    head = f"@{mark} ".encode()
    for line in stdout.splitlines():
        if line.startswith(head):
            try:
                said = json.loads(line[len(head) :].decode("utf-8", "replace"))
            except ValueError:
                continue
            if isinstance(said, dict) and _complete(said):
                found.append(said)
    return found


_FIELDS: dict[str, tuple[str, ...]] = {
    "fails": ("place", "message", "times", "inputs"), "done": ("held", "discarded", "failed", "exhaustive"),
    "slow": ("number", "values"), "number": ("number",), "at": ("values",), "describe": ("inputs",), "raw": (),
}  # fmt: skip


def _complete(said: dict[str, Any]) -> bool:
    """Whether a line has all that its kind has, of the right types; a crate may print anything."""
    wanted = _FIELDS.get(str(said.get("kind")))
    if wanted is None or any(name not in said for name in wanted):
        return False
    numbers = ("times", "held", "discarded", "failed", "number")
    if any(not isinstance(said[n], int) or said[n] < 0 for n in wanted if n in numbers):
        return False
    if any(not isinstance(said[n], str) for n in wanted if n in ("place", "message", "values")):
        return False
    inputs = said.get("inputs", [])
    return isinstance(inputs, list) and all(
        isinstance(i, list) and len(i) == 3 and all(isinstance(part, str) for part in i) and is_value(i[2])
        for i in inputs
    )


_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\[^u]|\\u\{[0-9a-fA-F]+\})'", re.S)
_RUNS = re.compile(
    r"(?<!\bvec)!|[|?%*/+]|(?<!\br)#|\]\s*\[|\bstd\s*::|"
    r"\b(?:unsafe|loop|while|for|if|match|return|break|fn|extern|impl|use|static|const|async|move|macro_rules)\b"
)


def is_value(text: str) -> bool:
    """Whether the Rust text of an input is made of literals, constructors and method calls, as ours are."""
    return _RUNS.search(_QUOTED.sub('""', text)) is None


def _inputs(line: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    return tuple((str(n), str(t), str(x)) for n, t, x in line["inputs"])


def _numbers(inputs: tuple[tuple[str, str, str], ...]) -> list[int]:
    found = []
    for _, _, text in inputs:
        if "::M" in text.replace("::MAX", "::M").replace("::MIN", "::M"):
            found.append(1 << 64)
        found += [int(n) for n in re.findall(r"(?<![\w.])-?\d+", text)]
    return found


_FAULTS: tuple[tuple[str, Fault], ...] = (
    (r"attempt to shift (left|right) with overflow", Fault.SHIFT),
    (r"attempt to (divide by zero|calculate the remainder with a divisor of zero)", Fault.DIVISION),
    (r"attempt to (add|subtract|multiply|negate|divide|calculate the remainder) with overflow", Fault.OVERFLOW),
    (r"attempt to \w+(?: .*)? (with overflow|overflow)", Fault.OVERFLOW),
    (r"index out of bounds: ", Fault.INDEX),
    (r"(range (start|end) index|slice index starts|source slice length|mid > len)", Fault.SLICE),
    (r".*out of range for slice", Fault.SLICE),
    (r"(swap_remove|removal|insertion|split_at|remove) index", Fault.INDEX),
    (r"called `(Option|Result)::(unwrap|expect|unwrap_err)\w*\(\)`", Fault.UNWRAP),
    (r"internal error: entered unreachable code", Fault.UNREACHABLE),
    (r"assertion ", Fault.ASSERTION),
    (r"(capacity overflow|out of memory)", Fault.ALLOCATION),
    (r"stack overflow", Fault.STACK),
)  # fmt: skip


def fault_of(failure: Failure) -> Fault:
    """The kind of fault, by the message."""
    if failure.place == FALSE:
        return Fault.WRONG
    if failure.place == HANGS:
        return Fault.HANG
    for pattern, fault in _FAULTS:
        if re.match(pattern, failure.message):
            return fault
    return Fault.PANIC
