"""What a Lean file declares, as its text says it: names, statements, bodies, sorries.  Nothing is built for this."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unsorry import UnsorryError
from unsorry.lean.source import Command, Kind, Source, parse, split_name

PROOFS = frozenset(("theorem", "lemma"))
VALUES = frozenset(("def", "abbrev", "instance"))  # whose body can be a hole
TYPES = frozenset(("structure", "class", "inductive", "coinductive"))
LARGEST = 4 << 20  # bytes of a Lean file that is read
LONGEST = 4000  # characters of a statement that are kept
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\s()\[\]{}⟨⟩⦃⦄,:;|@#=¬]+")
_NAME = re.compile(r"(?:«[^»]*»|[^\s«(\[{:⦃|])*")
_COLON = re.compile(r"[(\[{⟨⦃)\]}⟩⦄]|(?<!:):(?![:=])")


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration in a file.  `name` is "" for an example or a nameless instance, which `statement` tells apart.

    `statement` is the text behind the keyword up to the body, without the name and without comments, white space
    folded; `stated` and `body` are digests, of the whole statement and of what follows it.
    """

    name: str
    kind: str
    private: bool
    statement: str
    stated: bytes
    body: bytes
    holes: int
    index: int  # of its command
    body_at: int  # offset of the body in codepoints, -1 if there is none
    end: int  # offset behind the body
    fillable: bool  # its body can be replaced by a sorry

    @property
    def text(self) -> str:
        """The whole statement, for people."""
        return " ".join(filter(None, (self.kind, self.name, self.statement)))

    @property
    def proof(self) -> bool:
        return self.kind in PROOFS


@dataclass(frozen=True, slots=True)
class Outline:
    """`fault` says why the file could not be read, "" if it was."""

    declarations: tuple[Declared, ...] = ()
    holes: int = 0  # in any command
    fault: str = ""

    @property
    def named(self) -> dict[str, Declared]:
        return {d.name: d for d in self.declarations if d.name}


def text_of(data: bytes) -> str:
    """A file as Lean reads it, but for its line ends; raises UnsorryError where it is no UTF-8."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise UnsorryError(f"it is not UTF-8: byte 0x{data[error.start]:02x}") from None


def outline(data: bytes) -> Outline:
    """Reads any bytes; what is no Lean that can be read has a fault and no declarations."""
    try:
        source = parse(text_of(data))
    except UnsorryError as error:
        return Outline(fault=" ".join(str(error).split()))
    except RecursionError:
        return Outline(fault="it is nested too deeply")
    return Outline(tuple(declared(source)), len(source.holes))


def declared(source: Source) -> Iterator[Declared]:
    """The declarations of a parsed text."""
    counts = Counter(hole.command for hole in source.holes)
    for index, command in enumerate(source.commands):
        if command.is_declaration:
            yield _declared(source, index, command, counts[index])


def _declared(source: Source, index: int, command: Command, holes: int) -> Declared:
    end = _end(command)
    start = command.keyword + len(command.kind)
    if command.name_at >= start:
        behind = command.name_at + len(_NAME.match(source.text, command.name_at)[0])  # type: ignore[index]
        rest = _words(source, behind, end)
        statement = f"{_words(source, start, command.name_at)} {rest}".strip()
    else:
        statement = rest = _words(source, start, end)
    return Declared(
        command.name,
        command.kind,
        command.private,
        statement[:LONGEST],
        _digest(command.kind if command.kind not in PROOFS else "theorem", statement),
        body_digest(source, index),
        holes,
        index,
        command.body,
        command.end,
        command.body >= 0 and (command.kind in PROOFS or (command.kind in VALUES and _has_type(rest))),
    )


def _end(command: Command) -> int:
    """Where the statement ends; constructors and fields are part of it."""
    return command.body if command.body >= 0 and command.kind not in TYPES else command.end


def body_digest(source: Source, index: int, renamed: Mapping[str, str] | None = None) -> bytes:
    """Digest of the attributes and the body of a command, with new names for old ones."""
    command = source.commands[index]
    attributes = " ".join(sorted(_SPACE.sub(" ", a) for a in command.attributes))
    body = _words(source, _end(command), command.end)
    return _digest(attributes, substituted(body, renamed or {}))


def substituted(words: str, renamed: Mapping[str, str]) -> str:
    """A text with new names for old ones, as far as it tells: a name may be written without its namespaces, and with
    a field or a lemma of its own behind it."""
    if not renamed:
        return words
    short: dict[str, str] = {}
    for was, now in renamed.items():
        old, new = split_name(was), split_name(now)
        for length in range(1, len(old) + 1):
            short[".".join(old[-length:])] = ".".join(new[-length:])
    return _WORD.sub(lambda word: _substituted(word[0], short), words)


def _substituted(word: str, short: Mapping[str, str]) -> str:
    parts = word.split(".")
    for length in range(len(parts), 0, -1):
        if (name := short.get(".".join(parts[:length]))) is not None:
            return ".".join([name, *parts[length:]])
    return word


def _words(source: Source, start: int, end: int) -> str:
    """The text of a range without comments, white space folded."""
    text = source.text[start:end]
    if "--" in text or "/-" in text:
        lines = source.lines
        first, last = bisect_right(lines.ends, start), bisect_right(lines.ends, end - 1)
        text = "".join(
            " " if lines.kinds[at] <= Kind.DOC else source.text[max(lines.start(at), start) : min(lines.ends[at], end)]
            for at in range(first, min(last + 1, len(lines.ends)))
        )
    return " ".join(text.split())


def _has_type(signature: str) -> bool:
    """Whether a `:` outside of brackets is in what follows the name."""
    depth = 0
    for found in _COLON.finditer(signature):
        if found[0] != ":":
            depth += 1 if found[0] in "([{⟨⦃" else -1
        elif depth == 0:
            return True
    return False


def _digest(*parts: str) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(raw) + raw)
    return digest.digest()
