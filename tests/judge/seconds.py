"""Compiled texts for the second checker, in one arena with the library that they import."""

from __future__ import annotations

from collections.abc import Iterable

from unsorry.judge.replay import plan
from unsorry.judge.second import Opinion, second_opinion
from unsorry.lean import olean
from unsorry.lean.declarations import Declaration
from unsorry.lean.names import Name
from unsorry.lean.process import run_lean
from unsorry.lean.terms import ZERO, Arena
from unsorry.lean.toolchain import Toolchain


class Added:
    """The declarations of one compiled text, and what finds those of the library."""

    zero = ZERO

    def __init__(self, toolchain: Toolchain, text: str) -> None:
        compiled = run_lean(toolchain, text, olean=True)
        assert compiled.olean is not None, compiled.messages
        errors = [m for m in compiled.messages if m.severity == "error"]
        assert not errors, errors
        self.arena = Arena()
        files = [path.read_bytes() for path in sorted(toolchain.library[0].glob("**/*.olean"))]
        self.readers = [olean.Reader(data, arena=self.arena) for data in files]  # which read what they are asked for
        self.mine = dict(olean.read(compiled.olean, arena=self.arena).declarations)
        safe = [d.name for d in self.mine.values() if d.safety == "safe"]
        groups = plan(safe, self.mine.get, lambda name: self.library(name) is not None)
        self.ordered = {d.name: d for group in groups for d in group.members}  # what is used comes first

    def library(self, name: Name) -> Declaration | None:
        return next((reader.declaration(name) for reader in self.readers if name in reader), None)

    def opinion(self, *only: str, **changed: Declaration) -> Opinion:
        """What the checker says of all safe declarations, or of `only` what some need, with changes and additions."""
        wanted = self.ordered
        if only:
            groups = plan(map(Name.parse, only), self.mine.get, lambda name: self.library(name) is not None)
            wanted = {d.name: d for group in groups for d in group.members}
        return self.opinion_of({**wanted, **{d.name: d for d in changed.values()}}.values())

    def opinion_of(self, declarations: Iterable[Declaration]) -> Opinion:
        return second_opinion(declarations, self.library, self.arena, seconds=60)

    def __getitem__(self, name: str) -> Declaration:
        return self.mine[Name.parse(name)]
