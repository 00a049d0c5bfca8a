"""Tools that look at the files of a workspace: list, search, read.  Nothing outside of it is shown, links included."""

from __future__ import annotations

import fnmatch
import json
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.judge.reasons import one_line
from unsorry.lean.toolchain import python_interpreter
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.beneath import Beneath, Place, is_git
from unsorry.scaffolds.agent.limits import seconds_left

WORKER = Path(__file__).with_name("search_worker.py")
MAX_READ = 16 << 20  # bytes of a file that is read at all
MAX_LINES, MAX_WIDTH, MAX_CHARACTERS = 400, 2000, 30_000  # of one answer
MAX_ENTRIES, MAX_MATCHES = 400, 100
SEARCH_SECONDS, SEARCH_SIZE, SEARCH_MEMORY, SEARCH_WIDTH = 15.0, 4 << 20, 1 << 30, 400
CLOSED = (".git", ".lake")  # not looked into unless they are asked for


def text_schema(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def object_schema(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


class ListFiles:
    """`list_files`"""

    repeatable = True
    spec = ToolSpec(
        "list_files",
        "List the files of the workspace, or of one folder in it. Paths are relative to the top of the workspace.",
        object_schema(
            path=text_schema("Folder to list (default: the top)."),
            depth={"type": "integer", "minimum": 1, "maximum": 20, "description": "Levels of folders (default 3)."},
            pattern=text_schema("Only files whose name or path matches this, such as *.lean."),
        ),
    )

    def __init__(self, beneath: Beneath) -> None:
        self.beneath = beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path, depth = arguments.get("path") or ".", int(arguments.get("depth", 3))
        lines: list[str] = []
        with self.beneath.find(path) as place:
            if place.facts is None:
                raise UnsorryError(f"{path} does not exist")
            if not place.is_folder:
                raise UnsorryError(f"{path} is a file; read it with read_file")
            more = self._list(place, depth, arguments.get("pattern", ""), lines)
        if not lines:
            return Observation(f"{path} holds no files" + (" that match" if arguments.get("pattern") else ""))
        cut = f"\n... and more: only {MAX_ENTRIES} are listed; name a folder or a pattern" if more else ""
        return Observation("\n".join(lines) + cut, data={"entries": len(lines), "complete": not more})

    def _list(self, place: Place, depth: int, pattern: str, lines: list[str]) -> bool:
        """Adds a line for each file, and for each folder that is not entered; says whether there were more."""
        prefix = "" if place.shown == "." else place.shown + "/"
        for where, folders, names, handle in os.fwalk(".", dir_fd=place.folder, follow_symlinks=False):
            inside = where[2:] + "/" if where != "." else ""
            level = inside.count("/") + 1
            entered = []
            for name in sorted([*folders, *names]):
                if is_git(name):
                    continue
                facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
                shown = prefix + inside + name
                if stat.S_ISDIR(facts.st_mode):
                    if level < depth and name not in CLOSED:
                        entered.append(name)
                    elif not pattern:
                        lines.append(f"{shown}/  ({_count(name, handle)})")
                elif not pattern or fnmatch.fnmatch(name, pattern) or fnmatch.fnmatch(inside + name, pattern):
                    lines.append(f"{shown}  {_kind(name, handle, facts)}")
                if len(lines) > MAX_ENTRIES:
                    lines.pop()
                    return True
            folders[:] = entered
        return False


def _count(name: str, folder: int) -> str:
    try:
        handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    except OSError:
        return "cannot be opened"
    try:
        entries = len(os.listdir(handle))
    finally:
        os.close(handle)
    return f"{entries} {'entry' if entries == 1 else 'entries'}"


def _kind(name: str, folder: int, facts: os.stat_result) -> str:
    if stat.S_ISLNK(facts.st_mode):
        return f"-> {os.readlink(name, dir_fd=folder)}"
    return f"{facts.st_size} B" if stat.S_ISREG(facts.st_mode) else "(no regular file)"


class ReadFile:
    """`read_file`"""

    repeatable = True
    spec = ToolSpec(
        "read_file",
        f"Read a text file, with line numbers; at most {MAX_LINES} lines at a time.",
        object_schema(
            ("path",),
            path=text_schema("File to read, relative to the top of the workspace."),
            start={"type": "integer", "minimum": 1, "description": "First line (default 1)."},
            end={"type": "integer", "minimum": 1, "description": "Last line (default: as many as are shown at once)."},
        ),
    )

    def __init__(self, beneath: Beneath) -> None:
        self.beneath = beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path, start = arguments["path"], int(arguments.get("start", 1))
        data = self.beneath.read(path, MAX_READ)
        if b"\0" in data[:8192]:
            raise UnsorryError(f"{path} is a binary file of {len(data)} bytes; it is not shown")
        text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        end = min(int(arguments.get("end", start + MAX_LINES - 1)), len(lines), start + MAX_LINES - 1)
        if not lines:
            return Observation(f"{path} is empty", data={"lines": 0})
        if start > len(lines) or end < start:
            raise UnsorryError(
                f"{path} has {len(lines)} lines; {start} to {arguments.get('end', start)} are none of them"
            )
        shown: list[str] = []
        size = 0
        for number in range(start, end + 1):
            line = lines[number - 1]
            line = (
                line if len(line) <= MAX_WIDTH else f"{line[:MAX_WIDTH]}... ({len(line) - MAX_WIDTH} characters more)"
            )
            size += len(line) + 8
            if shown and size > MAX_CHARACTERS:
                end = number - 1
                break
            shown.append(f"{number:5}  {line}")
        notes = [f"{path}, lines {start}-{end} of {len(lines)}"]
        if _is_broken(data):
            notes.append(
                "not UTF-8: what cannot be read is shown as \N{REPLACEMENT CHARACTER}, and it cannot be edited"
            )
        if end < len(lines):
            notes.append(f"read on with start {end + 1}")
        return Observation(
            "\n".join(["; ".join(notes), *shown]), data={"lines": len(lines), "start": start, "end": end}
        )


def _is_broken(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


class SearchFiles:
    """`search_files`"""

    repeatable = True
    spec = ToolSpec(
        "search_files",
        "Search the text of files for a regular expression (Python's syntax), line by line. Build products (.lake) are "
        "left out unless path names a folder in them.",
        object_schema(
            ("pattern",),
            pattern=text_schema("Regular expression.", minLength=1),
            path=text_schema("File or folder to search (default: everything)."),
            glob=text_schema("Only files whose name or path matches this, such as *.lean."),
            ignore_case={"type": "boolean", "description": "Capital and small letters are the same (default false)."},
            context={"type": "integer", "minimum": 0, "maximum": 10, "description": "Lines around (default 0)."},
        ),
    )

    def __init__(self, beneath: Beneath, seconds: float = SEARCH_SECONDS) -> None:
        self.beneath, self.seconds = beneath, seconds

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path = arguments.get("path") or "."
        with self.beneath.find(path) as place:
            if place.facts is None:
                raise UnsorryError(f"{path} does not exist")
            if not place.is_folder and not place.is_file:
                raise UnsorryError(f"{path} is not a regular file")
            prefix = place.shown if place.is_file else "" if place.shown == "." else place.shown + "/"
            asked = {
                "pattern": arguments["pattern"], "folder": place.folder, "name": place.name if place.is_file else "",
                "prefix": prefix, "glob": arguments.get("glob", ""), "context": int(arguments.get("context", 0)),
                "ignore_case": bool(arguments.get("ignore_case", False)), "matches": MAX_MATCHES, "size": SEARCH_SIZE,
                "memory": SEARCH_MEMORY, "width": SEARCH_WIDTH,
            }  # fmt: skip
            said, in_time = self._ask(asked, place.folder)
        return _answer(arguments["pattern"], said, in_time, self.seconds)

    def _ask(self, asked: dict[str, Any], folder: int) -> tuple[list[list[Any]], bool]:
        """What the worker said, and whether it came to its end in time."""
        argv = [python_interpreter()[0], "-IS", str(WORKER)]
        given = json.dumps(asked).encode("utf-8", "surrogatepass")
        try:
            done = subprocess.run(
                argv, input=given, capture_output=True, pass_fds=[folder], timeout=seconds_left(self.seconds),
                env={"LC_ALL": "C.UTF-8"}, check=False,
            )  # fmt: skip
            out, in_time = done.stdout, True
        except subprocess.TimeoutExpired as late:
            out, in_time = late.stdout or b"", False
        except OSError as error:
            raise UnsorryError(f"cannot start a search: {error.strerror or error}") from None
        return [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith(b"\n")], in_time


def _answer(pattern: str, said: list[list[Any]], in_time: bool, seconds: float) -> Observation:
    matches = [line[1:] for line in said if line[0] == "match"]
    last = said[-1] if said else ["nothing"]
    if last[0] == "error":
        raise UnsorryError(f"{pattern!r} is no regular expression: {one_line(last[1])}")
    shown: list[str] = []
    size = 0
    for path, number, first, around in matches:
        for at, text in enumerate(around, first):
            shown.append(f"{path}:{at}{':' if at == number else '-'} {text}")
            size += len(shown[-1]) + 1
        if len(around) > 1:
            shown.append("--")
        if size > MAX_CHARACTERS:
            shown.append("... and more: name a folder, a glob or a narrower pattern")
            break
    if last[0] == "more":
        shown.append(f"... and more: only {MAX_MATCHES} are shown; name a folder, a glob or a narrower pattern")
    data = {"matches": len(matches), "complete": last[0] == "end"}
    if not in_time or last[0] not in ("end", "more"):
        why = f"after {seconds:g} s" if not in_time else "at its limit of memory"
        shown.append(
            f"The search was stopped {why}: there may be more. Name a folder or a glob, or simplify the pattern."
        )
        return Observation("\n".join(shown), "unknown", data)
    if not matches:
        skipped = f"; {last[2]} were left out: binary, very large, or links" if last[2] else ""
        return Observation(f"No match for {pattern!r} in {last[1]} files{skipped}", data=data)
    return Observation("\n".join(shown), data=data)
