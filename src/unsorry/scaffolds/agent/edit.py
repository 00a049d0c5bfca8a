"""Tools that change the files of a workspace: replace an exact text, write a whole file, create one."""

from __future__ import annotations

import difflib
import heapq
import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

from unsorry import UnsorryError
from unsorry.lean.source import decode
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.agent.files import object_schema, text_schema

MAX_BYTES = 4 << 20  # of a file that is edited or written
SHOWN = 60  # lines of a difference
LOOKED_AT, WIDTH = 20_000, 300  # lines, and codepoints of a line, in the search for what is nearest


class Text:
    """A file's text: edits are made where `\\n` stands for `\\r\\n`, and nothing else of the file changes."""

    def __init__(self, path: str, data: bytes) -> None:
        if b"\0" in data:
            raise UnsorryError(f"{path} is a binary file: it is not edited")
        self.path, self.raw = path, decode(data, path)
        ends = [match.start() for match in re.finditer("\r\n", self.raw)]
        self._returns = [at - index for index, at in enumerate(ends)]
        self.text = self.raw.replace("\r\n", "\n")
        self.newline = "\r\n" if 2 * len(ends) > self.text.count("\n") else "\n"

    def replaced(self, places: list[int], old: str, new: str) -> bytes:
        """The file with `new` at each of the places where `old` stands."""
        new, parts, at = new.replace("\n", self.newline), [], 0
        for place in places:
            start, end = (p + bisect_left(self._returns, p) for p in (place, place + len(old)))
            parts += [self.raw[at:start], new]
            at = end
        return encoded(self.path, "".join([*parts, self.raw[at:]]))

    def line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1


class EditFile:
    """`edit_file`"""

    spec = ToolSpec(
        "edit_file",
        "Replace a text in a file. `old` must be copied exactly from the file, white space included, without line "
        "numbers, and occur once: give enough lines around. With replace_all it may occur more often.",
        object_schema(
            ("path", "old", "new"),
            path=text_schema("File to edit, relative to the top of the workspace."),
            old=text_schema("The text that is there now.", minLength=1),
            new=text_schema("The text to put in its place."),
            replace_all={"type": "boolean", "description": "Replace every place (default false)."},
        ),
    )

    def __init__(self, beneath: Beneath) -> None:
        self.beneath = beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path = arguments["path"]
        file = Text(path, self.beneath.read(path, MAX_BYTES))
        old, new = (arguments[name].replace("\r\n", "\n") for name in ("old", "new"))
        if old == new:
            raise UnsorryError(f"old and new are the same text: {path} was not changed")
        places = [match.start() for match in re.finditer(re.escape(old), file.text)]
        if not places:
            raise UnsorryError(f"{path} was not changed: it does not hold this text. {nearest(file.text, old)}")
        if len(places) > 1 and not arguments.get("replace_all", False):
            lines = ", ".join(str(file.line(place)) for place in places[:10]) + (", ..." if len(places) > 10 else "")
            raise UnsorryError(
                f"{path} was not changed: the text occurs {len(places)} times, on lines {lines}; "
                "give more of the lines around the one that is meant, or set replace_all"
            )
        data = file.replaced(places, old, new)
        self.beneath.write(path, data)
        where = f"line {file.line(places[0])}" if len(places) == 1 else f"{len(places)} places"
        return changed(path, f"replaced at {where}", file.text, Text(path, data).text)


class WriteFile:
    """`write_file`"""

    spec = ToolSpec(
        "write_file",
        "Replace the whole of a file that exists. For small changes use edit_file; for a new file create_file.",
        object_schema(
            ("path", "content"),
            path=text_schema("File to write, relative to the top of the workspace."),
            content=text_schema("Everything that the file is to hold."),
        ),
    )

    def __init__(self, beneath: Beneath) -> None:
        self.beneath = beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path = arguments["path"]
        with self.beneath.find(path) as place:
            if place.facts is None:
                raise UnsorryError(f"{path} does not exist: make it with create_file")
        file = Text(path, self.beneath.read(path, MAX_BYTES))
        content = arguments["content"].replace("\r\n", "\n")
        data = encoded(path, content.replace("\n", file.newline))
        if data == file.raw.encode():
            raise UnsorryError(f"{path} holds exactly this already: it was not changed")
        self.beneath.write(path, data)
        return changed(path, "written", file.text, content)


class CreateFile:
    """`create_file`"""

    spec = ToolSpec(
        "create_file",
        "Make a new file, and the folders that it needs. It must not exist.",
        object_schema(
            ("path", "content"),
            path=text_schema("File to make, relative to the top of the workspace."),
            content=text_schema("Everything that the file is to hold."),
        ),
    )

    def __init__(self, beneath: Beneath) -> None:
        self.beneath = beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path, content = arguments["path"], arguments["content"]
        with self.beneath.find(path) as place:
            if place.facts is not None:
                raise UnsorryError(f"{path} exists already: change it with edit_file or write_file")
        self.beneath.write(path, encoded(path, content))
        lines = len(content.splitlines())
        return Observation(
            f"{path} made, with {lines} line{'' if lines == 1 else 's'}",
            data={"path": path, "added": lines, "removed": 0},
        )


def encoded(path: str, text: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnsorryError(f"{path} was not changed: character {error.start} of the text is no Unicode") from None
    if len(data) > MAX_BYTES:
        raise UnsorryError(f"{path} was not changed: it would have {len(data)} bytes, more than {MAX_BYTES}")
    return data


def changed(path: str, what: str, before: str, after: str) -> Observation:
    """What an edit did: counts, and the difference where it is short."""
    if max(before.count("\n"), after.count("\n")) > LOOKED_AT:
        return Observation(f"{path} {what}", data={"path": path})
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=2))[2:]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    cut = [f"... {len(lines) - SHOWN} lines more"] if len(lines) > SHOWN else []
    head = f"{path} {what}: {removed} lines removed, {added} added"
    return Observation("\n".join([head, *lines[:SHOWN], *cut]), data={"path": path, "added": added, "removed": removed})


def nearest(text: str, wanted: str) -> str:
    """Where a text nearly stands, and how it differs there: for a model that has to write it again."""
    lines, asked = text.split("\n")[:LOOKED_AT], wanted.strip("\n").split("\n")
    joined = [" ".join(line.split()) for line in asked]
    probe = max(range(len(asked)), key=lambda i: len(joined[i]))  # the longest line says most
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(asked[probe].strip()[:WIDTH])

    def likeness(index: int) -> float:
        matcher.set_seq1(lines[index].strip()[:WIDTH])
        return matcher.ratio() if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= 0.6 else 0.0

    scores = ((likeness(index), -index) for index in range(len(lines)))
    best = [(-at - probe, score) for score, at in heapq.nlargest(5, scores) if score >= 0.6]
    if not best:
        return "Nothing in the file is like it; read the file again."
    blocks = [(max(start, 0), lines[max(start, 0) : max(start, 0) + len(asked)]) for start, _ in best]
    start, block = max(blocks, key=lambda b: _alike(b[1], asked))
    last = start + len(block)
    where = f"Nearest is line {last}" if len(block) == 1 else f"Nearest are lines {start + 1}-{last}"
    if [" ".join(line.split()) for line in block] == joined:
        where += ", which differ only in white space"
    differs = next((i for i, (a, b) in enumerate(zip(block, asked, strict=False)) if a != b), None)
    if differs is None:
        return f"{where}."
    return (
        f"{where}; the first that differs is line {start + 1 + differs}:\n"
        f"the file has  {block[differs][:WIDTH]!r}\nyou gave      {asked[differs][:WIDTH]!r}"
    )


def _alike(block: list[str], asked: list[str]) -> float:
    matcher = difflib.SequenceMatcher(autojunk=False)
    total = 0.0
    for a, b in zip(block, asked, strict=False):
        matcher.set_seqs(a[:WIDTH], b[:WIDTH])
        total += matcher.quick_ratio()
    return total / max(len(asked), 1)
