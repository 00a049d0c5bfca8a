"""What explains a failure.  Every explanation is an experiment: change that one thing, and Lean takes the text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from unsorry.lean.source import Command, Source, parse
from unsorry.scaffolds.migrate.failing import Check, Failure, body, failures, signature

TRANSPARENCY = "definitional transparency"
RENAMED = "a name that is gone"
UNKNOWN = "unknown"
MAX_PROBES = 60  # definitions that are tried as the cause
LOOKS_THROUGH = "set_option backward.isDefEq.respectTransparency false\n"
_MISSING = re.compile(r"[Uu]nknown (?:identifier|constant|constant `|declaration)\s*[`']([^`']+)[`']")


@dataclass(frozen=True, slots=True)
class Cause:
    """`kind` is one of the constants above; `name` the declaration at fault; `evidence` what was tried and seen."""

    kind: str
    name: str = ""
    value: str = ""  # the text behind the definition, or the name that took the place of the missing one
    alias: bool = False  # the definition is a type
    explanation: str = ""
    evidence: tuple[str, ...] = ()


def find_cause(text: str, check: Check, known: Callable[[], Iterable[str]] = tuple) -> Cause:
    """The cause of the failures of `text`; `known` gives the names that the imports declare."""
    source = parse(text)
    failed = failures(source, check(text))
    for failure in failed:
        missing = _MISSING.search(failure.text)
        if missing:
            return _renamed(text, missing[1], failed, check, known)
    return _transparency(text, source, failed, check) or Cause(
        UNKNOWN, explanation=f"no single definition explains it; Lean says: {failed[0].headline}" if failed else ""
    )


def _transparency(text: str, source: Source, failed: Collection[Failure], check: Check) -> Cause | None:
    broken = {failure.declaration for failure in failed}
    for command in _candidates(source):
        run = check(as_abbrev(text, command))
        if run.timed_out or not _fewer(source, failures(source, run), broken):
            continue
        left = {failure.declaration for failure in failures(source, run)}
        name, value = command.name, body(source, command)
        alias = is_type(text, command, check)
        evidence = [f"with `abbrev {name}` in the place of `def {name}`, {_passes(broken - left)}"]
        opened = check(_after_header(source, LOOKS_THROUGH))
        if opened.ok:
            evidence.append(f"with `{LOOKS_THROUGH.strip()}` the unchanged file passes")
        what = f"`{name}` is a name for `{value}`" if alias else f"`{name}` is defined as `{value}`"
        return Cause(
            TRANSPARENCY, name, value, alias,
            f"{what}, made by `def`: Lean checks that they are equal when it is told to, but `rw`, `simp` and instance "
            "search match up to reducible definitions only, and do not look behind it",
            tuple(evidence),
        )  # fmt: skip
    return None


def _candidates(source: Source) -> list[Command]:
    """Definitions that could hide something: type-like ones first, in the order of the file."""
    definitions = [
        c
        for c in source.commands
        if c.kind == "def" and c.name and body(source, c) and not {"reducible", "irreducible"} & set(c.attributes)
    ]
    return sorted(definitions, key=lambda c: not _type_like(source, c))[:MAX_PROBES]


def _type_like(source: Source, command: Command) -> bool:
    stated = signature(source, command).rpartition(":")[2].strip()
    return ":" not in signature(source, command) or stated.startswith(("Type", "Sort", "Prop"))


def is_type(text: str, command: Command, check: Check) -> bool:
    """Whether a definition is a type, or makes types."""
    run = check(text[: command.end] + f"\n#check @{command.name}\n")
    said = [m.text for m in run.messages if m.severity == "information"]
    shown = (
        said[-1].rpartition(" : ")[2] if said else ""
    )  # of `@X : (n : Nat) → Type`, what stands behind the last colon
    return re.split(r"→|,", shown)[-1].strip().startswith(("Type", "Sort", "Prop"))


def as_abbrev(text: str, command: Command) -> str:
    """The text with a `def` made an `abbrev`."""
    return text[: command.keyword] + "abbrev" + text[command.keyword + len("def") :]


def _fewer(source: Source, now: Collection[Failure], before: Collection[str]) -> bool:
    left = {failure.declaration for failure in now}
    return left < set(before)


def _passes(names: Collection[str]) -> str:
    return f"{' and '.join(f'`{n}`' for n in sorted(names))} {'pass' if len(names) > 1 else 'passes'}"


def _after_header(source: Source, line: str) -> str:
    at = source.commands[0].start if source.commands else len(source.text)
    return source.text[:at] + line + source.text[at:]


def _renamed(
    text: str, missing: str, failed: Collection[Failure], check: Check, known: Callable[[], Iterable[str]]
) -> Cause:
    """A missing name, and the nearest one with which Lean takes the text."""
    before = len(failed)
    names = {str(name) for name in known()} | {c.name for c in parse(text).commands if c.name}
    last = missing.rpartition(".")[2]
    same = [name for name in names if name.rpartition(".")[2] == last and name != missing]
    near = [*same[:5], *difflib.get_close_matches(missing, names, 8, 0.6)]
    for name in dict.fromkeys(near):
        run = check(replaced(text, missing, name))
        if not run.timed_out and len(run.errors) < before:
            return Cause(
                RENAMED, missing, name, False,
                f"`{missing}` is not declared any more; `{name}` is, and fits where it stood",
                (f"with `{name}` in its place {before - len(run.errors)} of {before} errors are gone",),
            )  # fmt: skip
    near_text = f"; near it are {', '.join(dict.fromkeys(near))}" if near else ""
    return Cause(RENAMED, missing, explanation=f"`{missing}` is not declared{near_text}")


def replaced(text: str, old: str, new: str) -> str:
    """The text with one name for another, where it stands as a whole name."""
    return re.sub(rf"(?<![\w.«»'!?]){re.escape(old)}(?![\w«»'!?])", lambda _: new, text)
