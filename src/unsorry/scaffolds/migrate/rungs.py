"""The fixes for a cause, written out, from the one that reaches least to the one that reaches most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from unsorry.lean.source import Command, Source, parse
from unsorry.scaffolds.migrate.causes import LOOKS_THROUGH, RENAMED, TRANSPARENCY, Cause, as_abbrev, replaced
from unsorry.scaffolds.migrate.failing import Failure, signature

PROOF, DEFINITION, FILE = "the proof", "the definition", "the file"


@dataclass(frozen=True, slots=True)
class Rung:
    """A fix.  `reach` is what it touches, `declarations` how many declarations see it; `stopgap`: Lean may drop it."""

    name: str
    reach: str
    declarations: int
    text: str
    stopgap: bool = False


def ladder(text: str, cause: Cause, failed: Collection[Failure]) -> list[Rung]:
    """The rungs for a text, least reach first; none for a cause that is not known."""
    source = parse(text)
    if cause.kind == RENAMED and cause.value:
        users = _users(source, cause.name)
        return [Rung(f"`{cause.value}`", PROOF, users, replaced(text, cause.name, cause.value))]
    if cause.kind != TRANSPARENCY:
        return []
    command = source.declaration(cause.name)
    assert command is not None
    rungs = [*_in_proofs(source, cause, failed), *_at_definition(source, command, cause), _in_file(source, command)]
    order = [PROOF, DEFINITION, FILE]
    return sorted(rungs, key=lambda r: (order.index(r.reach), r.stopgap, r.declarations))


def _in_proofs(source: Source, cause: Cause, failed: Collection[Failure]) -> Iterator[Rung]:
    broken = len({failure.command for failure in failed})
    additions: tuple[tuple[str, Callable[[Command], str]], ...] = (
        ("`unfold`", lambda _: f"unfold {cause.name} at *"),
        ("`show`", lambda command: _shown(source, command, cause)),
    )
    for name, line_for in additions:
        text = _before_tactics(source, failed, line_for)
        if text != source.text:
            yield Rung(name, PROOF, broken, text)
    text = _edited_tactics(source, failed, r"^(rw|rewrite)\b", "erw")
    if text != source.text:
        yield Rung("`erw`", PROOF, broken, text)
    text = source.text
    for index in sorted({failure.command for failure in failed if failure.command >= 0}, reverse=True):
        at = source.commands[index].start
        text = text[:at] + LOOKS_THROUGH.rstrip("\n") + " in\n" + text[at:]
    yield Rung("`set_option ... in`", PROOF, broken, text, stopgap=True)


def _at_definition(source: Source, command: Command, cause: Cause) -> Iterator[Rung]:
    users, text = _users(source, cause.name), source.text
    if cause.alias:
        yield Rung("`abbrev`", DEFINITION, users, as_abbrev(text, command))
    for attribute in ("reducible", "implicit_reducible"):
        yield Rung(f"`@[{attribute}]`", DEFINITION, users, _with_attribute(source, command, attribute))
    if not cause.alias:
        yield Rung("`abbrev`", DEFINITION, users, as_abbrev(text, command))


def _in_file(source: Source, command: Command) -> Rung:
    below = sum(1 for c in source.declarations if c.start >= command.start)
    at = command.start
    text = source.text[:at] + LOOKS_THROUGH + source.text[at:]
    return Rung("`set_option`", FILE, below, text, stopgap=True)


def _with_attribute(source: Source, command: Command, attribute: str) -> str:
    text, at = source.text, command.keyword
    head = text[command.start : at]
    if "@[" in head:
        start = command.start + head.rindex("@[")
        return text[: start + 2] + f"{attribute}, " + text[start + 2 :]
    for modifier in (*command.modifiers, ""):
        found = head.find(modifier) if modifier else -1
        if found >= 0:
            at = command.start + found
            break
    return text[:at] + f"@[{attribute}] " + text[at:]


def _users(source: Source, name: str) -> int:
    """How many declarations speak of a name, or of one that does, and so on; itself not counted."""
    found: set[str] = {name}
    users = 0
    for command in source.declarations:  # nothing is used before it is declared
        text = source.text[command.start : command.end]
        if command.name != name and any(_mentions(text, other) for other in found):
            users += 1
            found.add(command.name or name)
    return users


def _mentions(text: str, name: str) -> bool:
    last = name.rpartition(".")[2]
    return re.search(rf"(?<![\w«»'!?]){re.escape(last)}(?![\w«»'!?])", text) is not None


def _before_tactics(source: Source, failed: Collection[Failure], line_for: Callable[[Command], str]) -> str:
    """The text with a tactic put before each one that fails."""
    lines = source.text.splitlines(keepends=True)
    for failure in sorted(failed, key=lambda f: -f.line):
        command = source.commands[failure.command] if failure.command >= 0 else None
        addition = line_for(command) if command is not None else ""
        if not addition or failure.line > len(lines):
            continue
        line = lines[failure.line - 1]
        head, tactic = _cut(line)
        if not tactic:
            continue
        if head.strip():
            indent = " " * (len(head) - len(head.lstrip()) + 4)
            lines[failure.line - 1] = f"{head.rstrip()}\n{indent}{addition}\n{indent}{tactic}"
        else:
            lines[failure.line - 1] = f"{head}{addition}\n{head}{tactic}"
    return "".join(lines)


def _edited_tactics(source: Source, failed: Collection[Failure], pattern: str, new: str) -> str:
    lines = source.text.splitlines(keepends=True)
    for failure in failed:
        if failure.line <= len(lines):
            head, tactic = _cut(lines[failure.line - 1])
            lines[failure.line - 1] = head + re.sub(pattern, new, tactic)
    return "".join(lines)


def _cut(line: str) -> tuple[str, str]:
    """A line up to its tactic, and the tactic: behind `=>`, `by` or a bullet, or from the first word on."""
    match = re.match(r"(.*(?:=>|:= by|· ))\s*(\S.*\n?)$", line) or re.match(r"(\s*)(\S.*\n?)$", line)
    return (match[1], match[2]) if match else (line, "")


def _shown(source: Source, command: Command, cause: Cause) -> str:
    """`show` of the conclusion with every value of the hidden type shown as what it is, "" if none is seen."""
    conclusion = signature(source, command).rpartition(" : ")[2].strip()
    shown = conclusion
    for maker in source.declarations:
        result = re.split(r"→|:", signature(source, maker))[-1].strip()
        if maker.name and result == cause.name:
            name = re.escape(maker.name.rpartition(".")[2])
            shown = re.sub(rf"\(({name} [^()]*)\)", rf"(show {cause.value} from \1)", shown)
    return f"show {shown}" if shown != conclusion else ""
