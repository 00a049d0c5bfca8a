"""What Lean said, as answers: three-valued, in words that say where and what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from unsorry.lean.process import Message, Run
from unsorry.lean.source import Hole
from unsorry.scaffolds.agent.lean.answers import Checked, Goals
from unsorry.scaffolds.agent.lean.build import Built
from unsorry.scaffolds.agent.lean.facts import Facts, readable

MAX_MESSAGES = 40
MAX_INFORMATION = 15  # of those; `apply?` alone can give thirty
MAX_MESSAGE = 2000  # characters
_ORDER = {"error": 0, "warning": 1}
_COMMENT = re.compile(r"\s*--.*$")


def unknown(who: str, reason: str, messages: Sequence[Message] = ()) -> Checked:
    """Nothing is known; what Lean had said by then is shown as such."""
    text = f"{who}: unknown: {reason}"
    if messages:
        text += "\nuntil then Lean had said:\n" + told(who, messages)
    return Checked("unknown", tuple(messages), reason, text=text)


def wrong(who: str, reason: str) -> Checked:
    """The text cannot be right as it stands, whatever else is in it."""
    return Checked("errors", (), reason, text=reason if reason.startswith(who) else f"{who}: {reason}")


def import_fails(who: str, built: Built, name: Callable[[Path], str]) -> Checked:
    """An import does not compile, or it is not known whether it does."""
    file = name(built.unit.path)
    if built.reason:
        return unknown(who, f"it imports {built.unit.module}, of which nothing is known: {file}: {built.reason}")
    errors = [m for m in built.messages if m.severity == "error"]
    reason = f"{who} imports {built.unit.module}, which has errors; first correct {file}"
    return Checked("errors", (), reason, text=f"{reason}\n{told(file, errors)}")


def checked(who: str, run: Run, facts: Facts | None, built: Sequence[Built], timeout: float, fault: str) -> Checked:
    """The answer to a check.  `fault`: a reason why what Lean said does not count."""
    code = run.completed.returncode
    died = next((m for m in run.messages if m.kind == "unsorry.died"), None)
    messages = tuple(m for m in run.messages if m.kind != "unsorry.died")
    if fault:
        return unknown(who, fault)
    if died is not None:
        return unknown(who, f"{died.text.strip().splitlines()[0]}; the next call starts another", messages)
    if run.timed_out:
        return unknown(who, f"Lean did not finish within {timeout:g} s", messages)
    errors = tuple(m for m in messages if m.severity == "error")
    if not errors:
        if run.completed.output_truncated:
            return unknown(who, "Lean said more than is kept, so its errors may be lost; print less", messages)
        if code != 0:
            return unknown(who, f"Lean ended with code {code} and named no error", messages)
        if facts is None:
            return unknown(who, "Lean named no error and left no compiled file", messages)
    return _found(who, messages, None if errors else facts, built)


def compiled(who: str, made: Built, below: Sequence[Built], fault: str) -> Checked:
    """The answer for a file that was compiled like an import."""
    if fault or made.reason:
        return unknown(who, fault or made.reason, made.messages)
    return _found(who, made.messages, made.facts if made.folder else None, below)


def _found(who: str, messages: tuple[Message, ...], facts: Facts | None, built: Sequence[Built]) -> Checked:
    """The answer where Lean came to the end; without `facts` there were errors."""
    imported = tuple(f"{b.unit.module}: {readable(name)}" for b in built for name in b.facts.resting_on_sorry())
    found = Checked(
        "clean" if facts else "errors",
        messages,
        sorries=tuple(map(readable, facts.resting_on_sorry())) if facts else _said_sorry(messages),
        axioms=facts.axioms() if facts else (),
        imported_sorries=imported,
    )
    return replace(found, text=_text(who, found))


def behind(found: Checked, lines: int, file: str) -> Checked:
    """The answer for a text that stood behind `lines` lines of a file: positions moved, the file's messages dropped."""
    before = [m for m in found.messages if m.line <= lines]
    own = tuple(replace(m, line=m.line - lines, end_line=m.end_line - lines) for m in found.messages if m.line > lines)
    bad = sum(m.severity == "error" for m in before)
    answer = found.answer
    moved = replace(found, answer=answer, messages=own)
    if answer == "unknown" or not found.messages:
        return replace(moved, text=found.text.split("\n")[0])
    text = _text("the text", moved)
    if bad:
        first = next(m for m in before if m.severity == "error")
        head = first.text.strip().partition("\n")[0]
        note = f"{file}, which stands before it, has {bad} error{'s' * (bad > 1)} of its own: line {first.line}: {head}"
        return replace(moved, reason=note, text=f"{text}\n{note}")
    return replace(moved, text=text)


def _said_sorry(messages: Sequence[Message]) -> tuple[str, ...]:
    """Where there is no compiled file, what Lean's warnings tell: the lines."""
    return tuple(f"line {m.line}" for m in messages if m.kind == "hasSorry")


def _text(who: str, found: Checked) -> str:
    count = len(found.errors)
    head = f"{who}: {count} error{'s' * (count != 1)}" if found.answer == "errors" else f"{who}: clean, no errors"
    if found.sorries:
        many = len(found.sorries) > 1
        head += f"; not finished: {len(found.sorries)} declaration{'s rest' if many else ' rests'} on sorry"
    lines = [head]
    if found.messages:
        lines.append(told(who, found.messages))
    if found.sorries:
        lines.append("resting on sorry: " + _listed(found.sorries))
    if found.imported_sorries:
        lines.append("imported, and resting on sorry: " + _listed(found.imported_sorries))
    if found.axioms:
        lines.append("resting on axioms that the judge refuses: " + _listed(found.axioms))
    return "\n".join(lines)


def told(who: str, messages: Sequence[Message]) -> str:
    """Messages for a reader, errors first; columns from 1."""
    ordered = sorted(messages, key=lambda m: (_ORDER.get(m.severity, 2), m.line, m.column))
    grave = sum(m.severity in _ORDER for m in ordered)
    most = min(MAX_MESSAGES, grave + MAX_INFORMATION)
    lines = []
    for m in ordered[:most]:
        body = m.text.strip()
        body = (
            body
            if len(body) <= MAX_MESSAGE
            else body[:MAX_MESSAGE] + f"\n… ({len(body) - MAX_MESSAGE} characters more)"
        )
        lines.append(f"{who}:{m.line}:{m.column + 1}: {m.severity}: {body}")
    if len(ordered) > most:
        lines.append(f"… and {len(ordered) - most} more messages")
    return "\n".join(lines)


def _listed(names: Sequence[str], most: int = 30) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


# Goals.


def goals(
    who: str,
    line: int,
    column: int,
    results: Sequence[Mapping[str, object] | None],
    errors: Sequence[tuple[int, str]],
) -> Goals:
    """The answer for a position: goals at it, goals at the end of the line, the type expected of a term."""
    before, after = _goals(results[0]), _goals(results[1])
    expected = str((results[2] or {}).get("goal", ""))
    lines = [f"{who}:{line}:{column}"]
    if before is None and after is None and not expected:
        lines.append("no goals here: the position is in no proof" + ("" if not errors else ", or Lean did not read it"))
    if before is not None:
        lines.append("goals here:\n" + _shown(before))
    if after is not None and after != before:
        lines.append("goals at the end of the line:\n" + _shown(after))
    if expected and not before:
        lines.append("a term here must have the type:\n" + expected)
    above = [error for error in errors if error[0] <= line]
    if above:
        lines.append(f"the file has an error at line {above[-1][0]}: {above[-1][1]}")
    return Goals(line, column, before, after, expected, text="\n".join(lines))


def hole(who: str, place: Hole, result: Mapping[str, object] | None, errors: Sequence[tuple[int, str]]) -> Goals:
    """The answer for one sorry."""
    before = _goals(result) if place.position == "tactic" else None
    expected = str((result or {}).get("goal", "")) if place.position == "term" else ""
    shown_ = expected or ("" if before is None else _shown(before))
    if not shown_:
        first = f": line {errors[0][0]}: {errors[0][1]}" if errors else ""
        shown_ = f"Lean did not come to this sorry{first}"
    text = f"{who}:{place.line}:{place.column + 1}\n{shown_}"
    return Goals(place.line, place.column + 1, before, None, expected, text=text)


def _goals(result: Mapping[str, object] | None) -> tuple[str, ...] | None:
    if result is None or not isinstance(result.get("goals"), list):
        return None
    listed = result["goals"]
    assert isinstance(listed, list)
    return tuple(map(str, listed))


def _shown(listed: tuple[str, ...]) -> str:
    return "\n\n".join(listed) if listed else "none left"


def without_comment(code: str) -> str:
    """A line without its comment and trailing space; a `--` in a string only makes it shorter."""
    return _COMMENT.sub("", code).rstrip()
