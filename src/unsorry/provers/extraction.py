"""From a model's answer to a submission: the model's proof and lemmas, put into the statement that the judge owns.

Answers are hostile text and stay text: they are parsed without loss, never run, and never trusted to repeat the
statement as it was.  Nothing here raises for anything that an answer holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from unsorry import Problem, UnsorryError
from unsorry.lean.source import Command, Kind, Scope, Source, parse
from unsorry.lean.source.commands import PREFIXES
from unsorry.provers.formats.base import Extracted

_CONTEXT = frozenset({"open", "set_option", "variable", "universe", "include", "omit"})
_SCOPES = frozenset({"namespace", "section", "mutual"})
_BARE = (["sorry"], ["admit"], ["by", "sorry"], ["by", "admit"])


@dataclass(frozen=True, slots=True)
class Parts:
    """What an answer adds to a statement: by target, what follows its signature, and the text before it."""

    proofs: Mapping[str, str]  # from `:=` or the first `|` on
    before: Mapping[str, str]  # lemmas, options; "" where there are none


@lru_cache(maxsize=512)
def owned(text: str) -> Source:
    """The parsed source of a problem; raises UnsorryError."""
    return parse(text)


def extract_code(problem: Problem, code: str, *, without: frozenset[str] = frozenset()) -> Extracted:
    """The submission in Lean code that repeats the target, wherever and however it repeats it.

    Declarations named in `without` are left out.
    """
    try:
        own = owned(problem.source)
    except UnsorryError:
        return Extracted("", defect="unsupported")
    try:
        theirs = parse(code)
    except UnsorryError:
        return Extracted("", defect="unparsable")
    parts = take_apart(own, problem.targets, theirs, without=without)
    return Extracted("", defect="no_proof") if parts is None else put_together(problem, parts)


def extract_proof(problem: Problem, proof: str, lemmas: str = "") -> Extracted:
    """The submission in a bare proof, which continues the statement behind its `:=`, and lemmas to go before it."""
    if len(problem.targets) != 1:
        return Extracted("", defect="unsupported")
    (target,) = problem.targets
    proof = proof.strip()
    return put_together(problem, Parts({target: ":= " + proof if proof else ""}, {target: lemmas.strip()}))


def take_apart(
    own: Source, targets: Sequence[str], theirs: Source, *, without: frozenset[str] = frozenset()
) -> Parts | None:
    """The parts of `theirs` that prove the targets of `own`; None if a target is missing or has no body."""
    chosen: dict[int, str] = {}  # index of a command in `theirs` -> target
    for target in targets:
        at = _counterpart(theirs, target)
        if at < 0 or own.declaration(target) is None:
            return None
        chosen[at] = target
    if len(chosen) != len(targets) or not chosen:
        return None
    collector = _Collector(own, targets, theirs, without)
    proofs, before = {}, {}
    for at, command in enumerate(theirs.commands[: max(chosen) + 1]):
        if at in chosen:
            proofs[chosen[at]] = theirs.text[command.body : command.end]
            before[chosen[at]] = collector.flush(command)
        else:
            collector.add(at, command)
    return Parts(proofs, before)


def put_together(problem: Problem, parts: Parts) -> Extracted:
    """The source of the problem with the parts in their places, and what is wrong with it."""
    try:
        own = owned(problem.source)
    except UnsorryError:
        return Extracted("", defect="unsupported")
    edits: list[tuple[int, int, str]] = []
    for target in problem.targets:
        command = own.declaration(target)
        if command is None or command.body < 0:
            return Extracted("", defect="unsupported")
        proof = parts.proofs.get(target, "").rstrip()
        if not proof.removeprefix(":=").strip():
            return Extracted("", defect="no_proof")
        edits.append((command.body, command.end, proof))
        if before := parts.before.get(target, ""):
            begin = _beginning(own, command)
            edits.append((begin, begin, before + "\n\n"))
    text = own.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return _examined(problem, own, text, parts)


def _examined(problem: Problem, own: Source, text: str, parts: Parts) -> Extracted:
    try:
        made = parse(text)
    except UnsorryError:
        return Extracted("", defect="unparsable")
    words = [_words(":=" + proof.removeprefix(":="))[1:] for proof in parts.proofs.values()]
    if not all(words):  # only comments
        return Extracted("", defect="no_proof")
    if any(value in _BARE for value in words):
        return Extracted("", defect="copied_statement")
    allowed = sum(own.commands[hole.command].name not in problem.targets for hole in own.holes)
    return Extracted(text, defect="sorry" if len(made.holes) > allowed else "")


def _words(text: str) -> list[str]:
    """The significant tokens, [] if the text does not parse."""
    try:
        source = parse(text)
    except UnsorryError:
        return []
    return [token.text for token in source.lines if token.kind not in (Kind.SPACE, Kind.COMMENT, Kind.DOC)]


def _counterpart(theirs: Source, target: str) -> int:
    """The last declaration of that full name, else the last of that last component; -1 if there is none."""
    plain = _plain(target)
    last = plain.rpartition(".")[2]
    found = -1
    exact = False
    for at, command in enumerate(theirs.commands):
        if not command.is_declaration or command.body < 0 or not command.name:
            continue
        name = _plain(command.name)
        if name == plain or (not exact and name.rpartition(".")[2] == last):
            found, exact = at, name == plain
    return found


def _plain(name: str) -> str:
    return name.replace("«", "").replace("»", "")


def _beginning(own: Source, command: Command) -> int:
    """Where text goes that is to stand before a declaration: before its `mutual` if it is in one."""
    if not command.in_mutual:
        return command.start
    before = own.commands[: own.commands.index(command)]
    return next(c.start for c in reversed(before) if c.kind == "mutual")


@dataclass(slots=True)
class _Frame:
    """An open namespace, section or mutual block of the answer."""

    scope: Scope
    inherited: bool  # the statement stands in the same one: nothing to open
    opening: str = ""
    pieces: list[str] = field(default_factory=list)
    kept: bool = False  # whether a piece is more than context


class _Collector:
    """Gathers what an answer declares before the target and the statement does not have yet."""

    def __init__(self, own: Source, targets: Sequence[str], theirs: Source, without: frozenset[str]) -> None:
        self.theirs = theirs
        first = own.declaration(targets[0])
        last = max(own.commands.index(c) for t in targets if (c := own.declaration(t)) is not None)
        self.scopes = first.scopes if first is not None else ()
        earlier = own.commands[: last + 1]
        self.names = {_plain(c.name) for c in earlier if c.name} | {_plain(name) for name in without}
        self.texts = {_key(own, command) for command in earlier}
        self.frames = [_Frame(Scope("", ""), inherited=True)]

    def add(self, at: int, command: Command) -> None:
        kind = command.kind
        text = self.theirs.text[command.start : command.end]
        if kind in _SCOPES or kind == "end":
            after = self.theirs.commands[at + 1].scopes if at + 1 < len(self.theirs.commands) else command.scopes
            if kind == "end":
                self._close(len(command.scopes) - len(after))
            else:
                self._open(after[len(command.scopes) :])
        elif kind.startswith("#") or kind in ("/-!", "import"):
            return  # says or shows something, adds nothing
        elif _key(self.theirs, command) in self.texts or (command.name and _plain(command.name) in self.names):
            return
        else:
            self.frames[-1].pieces.append(text)
            self.frames[-1].kept |= kind not in _CONTEXT

    def flush(self, target: Command) -> str:
        """All that was gathered; scopes that are still open are closed and namespaces opened for the target."""
        pieces: list[str] = []
        for frame in reversed(self.frames):
            inner = [*frame.pieces, *pieces]
            frame.pieces, kept, frame.kept = [], frame.kept, False
            if not frame.inherited and frame.scope.kind == "namespace" and (kept or pieces):
                inner = [frame.opening, *inner, f"end {frame.scope.name}", f"open {frame.scope.name}"]
            elif not frame.inherited and frame.scope.kind == "mutual" and kept:
                inner = [frame.opening, *inner, "end"]
            pieces = inner
        if prefix := _prefix(self.theirs, target):
            pieces.append(prefix)
        return "\n\n".join(pieces)

    def _open(self, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            depth = len(self.frames) - 1
            same = all(f.inherited for f in self.frames) and self.scopes[depth : depth + 1] == (scope,)
            self.frames.append(_Frame(scope, same, f"{scope.kind} {scope.name}".rstrip()))

    def _close(self, count: int) -> None:
        for _ in range(count):
            if len(self.frames) == 1:
                return
            frame = self.frames.pop()
            parent = self.frames[-1]
            if frame.inherited:
                parent.pieces += frame.pieces
            elif frame.kept:
                parent.pieces += [frame.opening, *frame.pieces, f"end {frame.scope.name}".rstrip()]
            parent.kept |= frame.kept


def _key(source: Source, command: Command) -> tuple[str, ...]:
    """The significant tokens of a command."""
    text = source.text[command.start : command.end]
    return tuple(_words(text)) or (text,)


def _prefix(source: Source, command: Command) -> str:
    """The `set_option ... in` and the like before a declaration, "" if there is none."""
    begin, last = -1, -1
    for index in range(len(source.lines)):
        token = source.lines.token(index)
        if token.start >= command.keyword:
            break
        if token.start < command.start or token.kind != Kind.IDENT:
            continue
        if begin < 0 and token.text in PREFIXES:
            begin = token.start
        elif begin >= 0 and token.text == "in":
            last = token.end
    return source.text[begin:last] if 0 <= begin < last else ""
