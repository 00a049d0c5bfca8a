"""Finds a regular expression in files: `python -IS search_worker.py`, the request as JSON on standard input.

A process of its own, because a pattern can take for ever and Python cannot stop one.  It gets an open folder, never
follows a link, and writes a line of JSON for each match as it finds it; nothing but the standard library is used.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import resource
import stat
import sys

TYPE_CHECKING = False  # as in typing, which would take longer to load than the rest
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

DEPTH = 64  # of folders
SKIPPED = (".git", ".lake", "__pycache__")


def main() -> None:
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (asked["memory"],) * 2)
    try:
        pattern = re.compile(asked["pattern"], re.IGNORECASE if asked["ignore_case"] else 0)
    except (re.error, RecursionError, OverflowError) as error:
        say("error", str(error))
        return
    left, searched, skipped = asked["matches"], 0, 0
    for shown, name, folder in files(asked):
        data = read(folder, name, asked["size"])
        if data is None:
            skipped += 1
            continue
        searched += 1
        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        for number, line in enumerate(lines, 1):
            if pattern.search(line):
                first = max(1, number - asked["context"])
                around = lines[first - 1 : number + asked["context"]]
                say("match", shown, number, first, [text[: asked["width"]] for text in around])
                left -= 1
                if left == 0:
                    say("more")
                    return
    say("end", searched, skipped)


def files(asked: Mapping[str, Any]) -> Iterator[tuple[str, str, int]]:
    """(path to show, name, open folder) of each file that is searched, in order."""
    folder, prefix, glob = asked["folder"], asked["prefix"], asked["glob"]
    if asked["name"]:
        yield prefix, asked["name"], folder
        return
    for where, folders, names, handle in os.fwalk(".", dir_fd=folder, follow_symlinks=False):
        folders[:] = sorted(f for f in folders if f not in SKIPPED) if where.count("/") < DEPTH else []
        inside = where[2:] + "/" if where != "." else ""
        for name in sorted(names):
            path = inside + name
            if name == ".git":
                continue
            if not glob or fnmatch.fnmatch(name, glob) or fnmatch.fnmatch(path, glob):
                yield (prefix + path), name, handle


def read(folder: int, name: str, size: int) -> bytes | None:
    """The bytes of a regular text file that is not too large."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > size:
            return None
        data = file.read(size)
    return None if b"\0" in data[:8192] else data


def say(*what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
