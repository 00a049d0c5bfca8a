"""The second checker in a process of its own.  `python -IS worker.py PACKAGES`, a Unix stream socket as standard input.

It holds the library as our reader gives it, and what a request brings is rebuilt in the same arena; no part of Lean is
in this process.  The protocol is kernel_worker's: limits are set from outside, and no answer decides nothing.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])

from unsorry.judge.kernel_worker import prepare, serve
from unsorry.judge.second.check import RECURSION, Opinion, OpinionKind, check
from unsorry.judge.second.errors import Beyond, Budget
from unsorry.judge.second.request import declarations
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import Reader
from unsorry.lean.terms import Arena


class Modules:
    """The library's declarations, read when they are first asked for."""

    def __init__(self, modules: list[list[str]], version: str) -> None:
        self.arena = Arena()
        self._reader_of: dict[Name, Reader] = {}
        for files in modules:
            reader = Reader(*(Path(file).read_bytes() for file in files), arena=self.arena, version=version)
            for name in reader.names:
                self._reader_of.setdefault(name, reader)

    def find(self, name: Name) -> Declaration | None:
        reader = self._reader_of.get(name)
        return None if reader is None else reader.declaration(name)


def respond(modules: Modules, request: dict[str, Any]) -> dict[str, Any]:
    """{"kind", "detail", "declaration", "checked"} for {"request", "steps", "seconds"}."""
    sys.setrecursionlimit(RECURSION)
    opinion = _opinion(modules, request)
    return {
        "kind": opinion.kind.value,
        "detail": opinion.detail,
        "declaration": opinion.declaration,
        "checked": opinion.checked,
    }


def _opinion(modules: Modules, request: dict[str, Any]) -> Opinion:
    try:
        added = declarations(request["request"], modules.arena)
    except Beyond as beyond:
        return Opinion(OpinionKind.UNDECIDED, str(beyond))
    for declaration in added:
        if declaration.kind is Kind.AXIOM:
            return Opinion(OpinionKind.DISAGREE, f"{declaration.name} is an axiom", str(declaration.name))
        if modules.find(declaration.name) is not None:
            return Opinion(OpinionKind.DISAGREE, f"{declaration.name} is declared in the library")
    return check(added, modules.find, modules.arena, Budget(request["steps"], request["seconds"]))


def start(library: dict[str, Any]) -> Callable[[Any], Any]:
    modules = Modules(library["modules"], library["version"])
    return lambda request: respond(modules, request)


if __name__ == "__main__":
    prepare()
    serve(start)
