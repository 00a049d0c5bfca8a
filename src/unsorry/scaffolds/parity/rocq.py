"""The vernacular of a Rocq file as data: what its inductives, functions, theorems and examples declare.

Not Rocq's grammar: terms stay text, notations are not expanded.  What a sentence binds, and in which order, is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unsorry import UnsorryError

_TOKEN = re.compile(
    r'"(?:[^"]|"")*"(?:%\w+)?|[^\W\d][\w\']*(?:\.[^\W\d][\w\']*)*|\d+|:=|->|<->|=>|::|/\\|\\/|<=|>=|<>|=\?|<=\?|\S'
)
_OPEN, _CLOSE = "([{", ")]}"
_THEOREMS = ("Theorem", "Lemma", "Corollary", "Proposition", "Fact", "Remark")
_SKIPPED = ("Local", "Global", "Program", "Polymorphic", "#[export]", "#[local]")


@dataclass(frozen=True, slots=True)
class Binder:
    """`type` is "" where the source leaves it out; `name` is "" for the left side of an arrow."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Signature:
    """What something takes, and what it gives; of a constructor without the parameters of its inductive."""

    name: str
    binders: tuple[Binder, ...]
    result: str
    line: int


@dataclass(frozen=True, slots=True)
class Inductive:
    """An inductive type; `parameters` are bound before its colon."""

    name: str
    parameters: tuple[Binder, ...]
    result: str
    constructors: tuple[Signature, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Sample:
    """An example `term = value`, which evaluation decides."""

    name: str
    term: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Rocq:
    """A file; `unread` names sentences that look like declarations and could not be read, with their lines."""

    inductives: tuple[Inductive, ...] = ()
    functions: tuple[Signature, ...] = ()
    theorems: tuple[Signature, ...] = ()
    samples: tuple[Sample, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class _Read:
    inductives: list[Inductive] = field(default_factory=list)
    functions: list[Signature] = field(default_factory=list)
    theorems: list[Signature] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def parse_rocq(text: str) -> Rocq:
    """The declarations of a file, in its order; raises UnsorryError for a comment or string that does not end."""
    found, proof = _Read(), False
    for line, sentence in _sentences(text):
        tokens = _TOKEN.findall(sentence)
        while tokens and tokens[0] in _SKIPPED:
            tokens = tokens[1:]
        head = tokens[0] if tokens else ""
        if proof or head == "Proof":
            proof = head not in ("Qed", "Defined", "Admitted", "Abort")
            continue
        try:
            _take(found, head, tokens[1:], line)
        except (IndexError, ValueError):
            found.unread.append(f"line {line}: {' '.join(tokens[:4])} ...")
    return Rocq(
        tuple(found.inductives), tuple(found.functions), tuple(found.theorems), tuple(found.samples),
        tuple(found.unread),
    )  # fmt: skip


def _take(found: _Read, head: str, tokens: list[str], line: int) -> None:
    if head in ("Inductive", "CoInductive", "Variant"):
        found.inductives += [_inductive(part, line) for part in _split(tokens, "with")]
    elif head in ("Fixpoint", "CoFixpoint"):
        found.functions += [_signature(part, line, ":=") for part in _split(tokens, "with")]
    elif head == "Definition":
        found.functions.append(_signature(tokens, line, ":="))
    elif head in _THEOREMS:
        found.theorems.append(_signature(tokens, line))
    elif head == "Example":
        signature = _signature(tokens, line)
        sides = _split(_tokens(signature.result), "=")
        if signature.binders or len(sides) != 2:
            found.theorems.append(signature)
        else:
            found.samples.append(Sample(signature.name, _text(sides[0]), _text(sides[1]), line))


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """(line, sentence without its dot and without comments)."""
    plain: list[str] = []
    at, depth = 0, 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif depth and text.startswith("*)", at):
            depth, at = depth - 1, at + 2
            plain.append(" ")
        elif depth:
            plain.append("\n" if text[at] == "\n" else "")
            at += 1
        elif text[at] == '"':
            end = text.find('"', at + 1)
            if end < 0:
                raise UnsorryError(f"line {text.count(chr(10), 0, at) + 1}: a string of the Rocq file does not end")
            plain.append(text[at : end + 1].replace(".", "\0"))
            at = end + 1
        else:
            plain.append(text[at])
            at += 1
    if depth:
        raise UnsorryError("a comment of the Rocq file does not end")
    whole, start = "".join(plain), 0
    for match in re.finditer(r"(?<!\.)\.(?=\s|$)", whole):
        sentence = whole[start : match.start()]
        lead = len(sentence) - len(sentence.lstrip())
        yield whole.count("\n", 0, start + lead) + 1, sentence.strip().replace("\0", ".")
        start = match.end()


def _inductive(tokens: list[str], line: int) -> Inductive:
    head, _, rest = _cut(tokens, ":=")
    left, _, result = _cut(head, ":")
    parts = [part for part in _split(rest, "|") if part]
    constructors = tuple(_signature(part, line) for part in parts)
    return Inductive(left[0], tuple(_binders(left[1:])), _text(result) or "Type", constructors, line)


def _signature(tokens: list[str], line: int, until: str = "") -> Signature:
    """`name binders : type`, with the arrows and `forall`s of the type among the binders."""
    if until:
        tokens = _cut(tokens, until)[0]
    left, _, type_ = _cut(tokens, ":")
    binders = _binders(_without_structs(left[1:]))
    more, result = _telescope(type_)
    return Signature(left[0], (*binders, *more), _text(result), line)


def _telescope(tokens: list[str]) -> tuple[list[Binder], list[str]]:
    binders: list[Binder] = []
    while tokens:
        if tokens[0] in ("forall", "∀"):
            bound, _, tokens = _cut(tokens[1:], ",")
            binders += _binders(bound)
            continue
        if tokens[0] == "~":  # `~ P` is `P -> False`
            binders.append(Binder("", _text(tokens[1:])))
            return binders, ["False"]
        parts = _split(tokens, "->")
        if len(parts) == 1:
            break
        binders.append(Binder("", _text(parts[0])))
        tokens = tokens[len(parts[0]) + 1 :]
    return binders, tokens


def _binders(tokens: list[str]) -> Iterator[Binder]:
    """`(a b : t) {c} d` or `a b : t`."""
    if ":" in tokens and tokens[0] not in _OPEN:
        names, _, type_ = _cut(tokens, ":")
        yield from (Binder(name, _text(type_)) for name in names)
        return
    at = 0
    while at < len(tokens):
        if tokens[at] in _OPEN:
            end = _closing(tokens, at)
            names, _, type_ = _cut(tokens[at + 1 : end], ":")
            yield from (Binder(name, _text(type_)) for name in names)
            at = end + 1
        else:
            yield Binder(tokens[at], "")
            at += 1


def _without_structs(tokens: list[str]) -> list[str]:
    """Without `{struct n}`."""
    while "struct" in tokens:
        at = tokens.index("struct")
        tokens = tokens[: at - 1] + tokens[_closing(tokens, at - 1) + 1 :]
    return tokens


def _closing(tokens: Sequence[str], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        depth += (tokens[index] in _OPEN) - (tokens[index] in _CLOSE)
        if depth == 0:
            return index
    raise ValueError("a bracket that does not close")


def _split(tokens: list[str], separator: str) -> list[list[str]]:
    """At each separator outside brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in _OPEN or token == "match") - (token in _CLOSE or token == "end")
        if token == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _cut(tokens: list[str], separator: str) -> tuple[list[str], bool, list[str]]:
    """(before, whether there is one, behind) the first separator outside brackets."""
    first = _split(tokens, separator)[0]
    return first, len(first) < len(tokens), tokens[len(first) + 1 :]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _text(tokens: Sequence[str]) -> str:
    text = " ".join(tokens)
    return re.sub(r" ([)\]},;])", r"\1", re.sub(r"([(\[{]) ", r"\1", text))
