"""What a reviewer must read of a change: nothing in it is decided by a machine.

Statements that are not what they were, what was removed, new axioms, definitions and instances, commands that can
change what others mean (notation, attributes, options), and files besides Lean's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unsorry.lean.source import Command, Source
from unsorry.scaffolds.agent.patch import Change

PROOFS = ("theorem", "lemma", "example")
BUILD = ("lakefile.lean", "lakefile.toml", "lake-manifest.json", "lean-toolchain")
RUNS = (
    ".gitattributes",
    ".gitmodules",
    ".gitconfig",
    "Makefile",
    "flake.nix",
    ".envrc",
    "pyproject.toml",
    "package.json",
)
RUN_FOLDERS = (".github/", ".gitlab/", ".husky/", ".vscode/", ".devcontainer/", ".circleci/")


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing to read: what it is, where, the texts before and after ("" for none)."""

    what: str
    file: str
    name: str
    before: str = ""
    after: str = ""
    line: int = 0  # in the file as it is now, or as it was for what is gone


def signature(source: Source, command: Command) -> str:
    """A declaration up to its `:=`, `|` or `where`, with its attributes and modifiers."""
    return source.text[command.start : command.body if command.body >= 0 else command.end].strip()


def differences(file: str, old: Source | None, new: Source | None) -> Iterator[Reading]:
    """What is to be read of one Lean file; None where it was not there, or is not any more."""
    before = {c.name: c for c in old.declarations if c.name} if old else {}
    for command in new.declarations if new else ():
        assert new is not None
        known = before.pop(command.name, None) if command.name else None
        reading = _declaration(file, old, known, new, command)
        if reading is not None:
            yield reading
    for name, command in before.items():
        assert old is not None
        yield Reading("removed", file, name, _text(old, command), "", old.lines.line(command.keyword))
    yield from _commands(file, old, new)


def _declaration(file: str, old: Source | None, known: Command | None, new: Source, command: Command) -> Reading | None:
    name, line = command.name or new.label(command), new.lines.line(command.keyword)
    if known is None and not command.name and old is not None and _anonymous(new, command) in _anonymous_all(old):
        return None
    if known is None or old is None:
        if command.kind == "axiom":
            return Reading("axiom", file, name, "", _text(new, command), line)
        if command.kind in PROOFS:
            return Reading("new statement", file, name, "", signature(new, command), line)
        return Reading(f"new {_kind(command)}", file, name, "", _text(new, command), line)
    if command.kind in PROOFS and known.kind in PROOFS:
        was, now = signature(old, known), signature(new, command)
        return Reading("statement", file, name, was, now, line) if was.split() != now.split() else None
    was, now = _text(old, known), _text(new, command)
    if was.split() == now.split():
        return None
    return Reading("axiom" if command.kind == "axiom" else _kind(command), file, name, was, now, line)


def _kind(command: Command) -> str:
    return "instance" if command.kind == "instance" else "definition"


def _anonymous(source: Source, command: Command) -> str:
    """What an example or a nameless instance is known by: its statement, or all of it where its value counts."""
    return " ".join((signature(source, command) if command.kind == "example" else _text(source, command)).split())


def _anonymous_all(source: Source) -> set[str]:
    return {_anonymous(source, c) for c in source.declarations if not c.name}


def _commands(file: str, old: Source | None, new: Source | None) -> Iterator[Reading]:
    """Commands that declare nothing and may change what follows; comments are not among them."""
    texts = [
        {" ".join(_text(s, c).split()): s.lines.line(c.keyword) for c in s.commands
         if not c.is_declaration and c.kind not in ("/-!", "end", "#exit")} if s else {}
        for s in (old, new)
    ]  # fmt: skip
    for text, line in texts[1].items():
        if text not in texts[0]:
            yield Reading("command", file, "", "", text, line)
    for text, line in texts[0].items():
        if text not in texts[1] and new is not None:
            yield Reading("removed command", file, "", text, "", line)
    imports = [[i.module for i in s.header.imports] if s else [] for s in (old, new)]
    for module in imports[1]:
        if module not in imports[0] and old is not None:
            yield Reading("import", file, module, "", f"import {module}")


def other_files(changes: Sequence[Change], task: Sequence[str]) -> Iterator[Reading]:
    """Files that no verdict is about: what builds or runs things, what is not of the task, modes and links."""
    for change in changes:
        path, what = change.path, change.kind
        name = path.rpartition("/")[2]
        if name in BUILD:
            yield Reading("build file", path, "", "", f"{what}: it decides what is compiled, and with what")
        elif name in RUNS or path.startswith(RUN_FOLDERS):
            yield Reading("file that can run things", path, "", "", f"{what}: tools act on it by themselves")
        elif change.new_mode == "120000":
            yield Reading("link", path, "", "", "a symbolic link")
        elif change.new_mode == "100755" and change.old_mode != "100755":
            yield Reading("executable", path, "", "", f"{what}, and can be run")
        elif not path.endswith(".lean"):
            yield Reading("other file", path, "", "", what)
        if task and path.endswith(".lean") and not {path, change.before} & set(task):
            yield Reading("outside the task", path, "", "", f"{what}, though the task does not name it")


def _text(source: Source, command: Command) -> str:
    return source.text[command.start : command.end]
