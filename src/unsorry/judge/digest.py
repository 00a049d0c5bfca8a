"""Digests of elaborated statements and of declarations.

A digest is sha256 over the terms as the kernel sees them, so that renamed or reformatted copies agree.  It does not
depend on binder names, metadata, names of universe parameters, the names of the targets, or the names of the
definitions and types that the statement brings with it: those enter by value.  Library constants enter by name.
A theorem that the statement uses enters by its type; the value of a target does not enter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from unsorry.judge.levels import LevelForms
from unsorry.judge.reasons import Reason, Refusal
from unsorry.judge.replay import Group, ReplayError, encode, plan
from unsorry.judge.statement import Statement
from unsorry.lean.declarations import Declaration, Kind
from unsorry.lean.names import Name
from unsorry.lean.terms import App, BVar, Const, Expr, Lam, Let, Level, NatLit, Pi, Proj, Sort, StrLit
from unsorry.lean.traversal import postorder

FORMAT = b"unsorry statement 1"


def statement_digest(statement: Statement) -> str:
    """Hex digest of what is asked, in the order of the targets; raises Refusal if the statement is not well founded."""
    own = statement.module.declarations

    def find(name: Name) -> Declaration | None:
        declaration = own.get(name)
        if declaration is None or (name not in statement.targets and declaration.kind is not Kind.THEOREM):
            return declaration
        return replace(declaration, value=None)

    try:
        groups = plan(statement.targets, find, lambda name: name not in own)
    except ReplayError as error:
        raise Refusal(Reason.STATEMENT_INVALID, f"the statement cannot be judged: {error}", str(error.name)) from None
    hasher = _Hasher()
    for index, name in enumerate(statement.targets):
        hasher.references[name] = _hash(b"target", str(index))
    found = {group.head.name: hasher.group(group, fixed=group.head.name in statement.targets) for group in groups}
    return _hash(FORMAT, *(found[name] for name in statement.targets)).hex()


def declarations_digest(groups: Iterable[Group]) -> str:
    """Hex digest of declarations as they are put before the kernel, names included."""
    return hashlib.sha256(encode(list(groups))).hexdigest()


def _hash(*parts: bytes | str | int) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(raw) + raw)
    return digest.digest()


def _name(name: Name) -> bytes:
    return _hash("name", *(f"{'n' if isinstance(part, int) else 's'}{part}" for part in name))


class _Hasher:
    """Hashes terms; `references` says what a constant of the statement stands for."""

    def __init__(self) -> None:
        self.references: dict[Name, bytes] = {}
        self._memos: dict[tuple[Name, ...], tuple[dict[Expr, bytes], LevelForms]] = {}

    def group(self, group: Group, *, fixed: bool) -> bytes:
        d = group.head
        if not group.types:
            parts = [self.expr(d.type, d.level_params)]
            if d.value is not None:
                parts.append(self.expr(d.value, d.level_params))
            digest = _hash("constant", d.kind, len(d.level_params), *parts)
            if not fixed:
                self.references[d.name] = digest
            return digest
        local = {m.name: _hash("member", i) for i, m in enumerate(group.members)}
        inner = _Hasher()
        inner.references = {**self.references, **local}
        body = [
            _hash(
                "type", inner.expr(t.type, t.level_params), *(inner.expr(c.type, c.level_params) for c in constructors)
            )
            for t, constructors in group.types
        ]
        assert d.info is not None and not hasattr(d.info, "rules")
        digest = _hash("family", len(d.level_params), d.info.params, *body)
        self.references.update({name: _hash(digest, member) for name, member in local.items()})
        return digest

    def level(self, level: Level, params: tuple[Name, ...]) -> bytes:
        return self._memo(params)[1].digest(level)

    def expr(self, e: Expr, params: tuple[Name, ...]) -> bytes:
        memo = self._memo(params)[0]
        if e not in memo:
            for part in postorder(e, done=memo):
                memo[part] = self._node(part, memo, params)
        return memo[e]

    def _memo(self, params: tuple[Name, ...]) -> tuple[dict[Expr, bytes], LevelForms]:
        return self._memos.setdefault(params, ({}, LevelForms(params)))

    def _constant(self, name: Name) -> bytes:
        return self.references.get(name) or _name(name)

    def _node(self, e: Expr, memo: Mapping[Expr, bytes], params: tuple[Name, ...]) -> bytes:
        if isinstance(e, App):
            return _hash("app", memo[e.fn], memo[e.arg])
        if isinstance(e, Lam | Pi):
            return _hash("lam" if isinstance(e, Lam) else "pi", memo[e.domain], memo[e.body])
        if isinstance(e, Const):
            return _hash("const", self._constant(e.name), *(self.level(x, params) for x in e.levels))
        if isinstance(e, BVar):
            return _hash("bvar", e.index)
        if isinstance(e, Sort):
            return _hash("sort", self.level(e.level, params))
        if isinstance(e, Let):
            return _hash("let", memo[e.domain], memo[e.value], memo[e.body])
        if isinstance(e, NatLit):
            return _hash("nat", f"{e.value:x}")
        if isinstance(e, StrLit):
            return _hash("str", e.value)
        if isinstance(e, Proj):
            return _hash("proj", self._constant(e.structure), e.index, memo[e.expr])
        raise TypeError(f"no expression: {type(e)}")
