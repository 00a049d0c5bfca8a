"""Facts of a compiled file: digests of types and values, and what they rest on.  The file is read as data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from unsorry import UnsorryError
from unsorry.judge.levels import LevelForms
from unsorry.lean.declarations import Declaration, InductiveInfo, Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import OleanError, Reader
from unsorry.lean.olean_image import PARTS
from unsorry.lean.source import split_name
from unsorry.lean.terms import BVar, Const, Expr, Lam, NatLit, Pi, Proj, Sort, StrLit, children
from unsorry.lean.traversal import constants, postorder
from unsorry.repos.diff import Fact
from unsorry.scaffolds.agent.lean.build import Built
from unsorry.scaffolds.agent.lean.facts import shown


class CannotBuild(UnsorryError):
    """Why there are no elaborated facts of a tree."""


class GaveUp(CannotBuild):
    """Time or memory ran out: nothing is known of the tree."""


def plain(name: Name) -> Name:
    """A name without what Lean puts before a private one, so that it does not depend on the module."""
    if name[:1] == ("_private",) and 0 in name:
        return Name(name[name.index(0) + 1 :])
    return name


class CompiledFile:
    """Facts of one compiled file."""

    def __init__(self, built: Built, version: str) -> None:
        assert built.folder is not None
        files = [built.folder / f"module.olean{suffix}" for suffix in PARTS]
        try:
            self.reader = Reader(*(f.read_bytes() for f in files if f.is_file()), version=version)
        except (OSError, OleanError) as error:
            raise CannotBuild(f"the compiled file of {built.unit.module} cannot be read: {error}") from None
        self.tainted = built.facts.tainted
        self.names = {_written(plain(name)): name for name in self.reader.names if shown(str(name))}
        self._facts: dict[tuple[Name, tuple[tuple[str, str], ...]], Fact] = {}

    def fact(self, name: Name, renamed: Mapping[str, str]) -> Fact:
        key = name, tuple(renamed.items())
        if key not in self._facts:
            try:
                self._facts[key] = self._fact(name, renamed)
            except OleanError as error:
                raise CannotBuild(f"the compiled file with {name} cannot be read: {error}") from None
        return self._facts[key]

    def _fact(self, name: Name, renamed: Mapping[str, str]) -> Fact:
        declaration = self.reader.declaration(name)
        hasher = _Hasher(name, renamed)
        types, values = [hasher.whole(declaration)], []
        if isinstance(declaration.info, InductiveInfo):
            for constructor in declaration.info.constructors:
                if constructor in self.reader:
                    types.append(hasher.whole(self.reader.declaration(constructor)))
        for part in self._parts(declaration):
            if part.value is not None:
                values.append(hasher.name(part.name) + hasher.expr(part.value, part.level_params))
        kind = "theorem" if declaration.kind is Kind.THEOREM else "other"
        return Fact(
            declaration.kind is Kind.THEOREM,
            _hash(kind, *types).hex(),
            _hash(*values).hex(),
            self.tainted.get(str(name), ()),
        )

    def _parts(self, declaration: Declaration) -> list[Declaration]:
        """The declaration and what Lean made for it alone: matchers, proofs that it took out."""
        found = {declaration.name: declaration}
        todo = [declaration]
        while todo:
            current = todo.pop()
            for used in constants(*(() if current.value is None else (current.value,))):
                own = used not in found and used in self.reader and used[: len(declaration.name)] == declaration.name
                if own and not shown(str(used)):
                    found[used] = self.reader.declaration(used)
                    todo.append(found[used])
        return [found[name] for name in sorted(found, key=str)]


def _written(name: Name) -> str:
    return ".".join(str(part) for part in name)


def _hash(*parts: bytes | str) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(raw) + raw)
    return digest.digest()


class _Hasher:
    """Digests of terms in which `itself`, and what is below it, has no name, and others have their new ones."""

    def __init__(self, itself: Name, renamed: Mapping[str, str]) -> None:
        self.itself = itself
        self.renamed = {tuple(split_name(was)): tuple(split_name(now)) for was, now in renamed.items()}
        self._memos: dict[tuple[Name, ...], tuple[dict[Expr, bytes], LevelForms]] = {}

    def name(self, name: Name) -> bytes:
        size = len(self.itself)
        if name[:size] == self.itself:
            return _hash("own", *(f"{type(part).__name__}{part}" for part in name[size:]))
        parts: tuple[str | int, ...] = plain(name)
        for length in range(len(parts), 0, -1) if self.renamed else ():
            new = self.renamed.get(tuple(map(str, parts[:length])))
            if new is not None:
                parts = (*new, *parts[length:])
                break
        return _hash("name", *(f"{type(part).__name__}{part}" for part in parts))

    def whole(self, declaration: Declaration) -> bytes:
        params = declaration.level_params
        return self.name(declaration.name) + _hash(str(len(params)), self.expr(declaration.type, params))

    def expr(self, e: Expr, params: tuple[Name, ...]) -> bytes:
        memo, levels = self._memos.setdefault(params, ({}, LevelForms(params)))
        for part in postorder(e, done=memo):
            memo[part] = self._node(part, memo, levels)
        return memo[e]

    def _node(self, e: Expr, memo: Mapping[Expr, bytes], levels: LevelForms) -> bytes:
        if isinstance(e, Const):
            return _hash("const", self.name(e.name), *(levels.digest(level) for level in e.levels))
        if isinstance(e, BVar):
            return _hash("bvar", str(e.index))
        if isinstance(e, Sort):
            return _hash("sort", levels.digest(e.level))
        if isinstance(e, NatLit):
            return _hash("nat", f"{e.value:x}")
        if isinstance(e, StrLit):
            return _hash("str", e.value)
        parts = [memo[child] for child in children(e)]
        if isinstance(e, Proj):
            return _hash("proj", self.name(e.structure), str(e.index), *parts)
        return _hash("pi" if isinstance(e, Pi) else "lam" if isinstance(e, Lam) else type(e).__name__, *parts)
