"""The commands of a Lean file, their scopes, and the names that declarations get.

Lean's grammar can be extended by the file itself, so this is no parser of all Lean: it relies on what extensions leave
alone: reserved keywords, brackets, the layout of commands.  As Lean does after a syntax error, it resumes at the next
command keyword.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

from unsorry import UnsorryError
from unsorry.lean.source.tokens import Kind, Text


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DECLARATIONS = words("theorem lemma def abbrev instance example opaque axiom inductive coinductive structure class")
MODIFIERS = words("private protected public noncomputable unsafe partial nonrec meta local scoped")
# Reserved words of Lean that begin a command wherever no bracket is open.
RESERVED = DECLARATIONS | words(
    "namespace section end mutual variable universe attribute export notation infix infixl infixr prefix postfix "
    "macro macro_rules syntax elab elab_rules declare_syntax_cat initialize builtin_initialize"
)
# Words that are also terms, tactics or plain names: a command only at the beginning of a line, no deeper than the last.
AT_LINE_START = words(
    "open set_option deriving include omit import run_cmd run_meta run_elab suppress_compilation alias "
    "add_decl_doc register_option register_simp_attr unif_hint assert_not_exists proof_wanted irreducible_def "
    "simproc dsimproc grind_pattern compile_inductive initialize_simps_projections library_note add_aesop_rules"
)
PREFIXES = words("open set_option variable attribute include omit universe")
OPENING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⦃": "⦄", "#[": "]", "@[": "]", "`(": ")", "`[": "]", "$(": ")",
           "$[": "]", ".{": "}"}  # fmt: skip
CLOSING = frozenset(OPENING.values())
MAX_SCOPES = 500  # open at once; a limit keeps the cost of hostile text linear

# Codes of the tokens at which a walk has to look; it jumps over the others.  Those from _LET on matter in a signature.
_OPEN, _QUOTE, _CLOSE, _IN, _START, _LET, _MATCH, _ASSIGN, _WHERE, _BAR, _ARROW = range(1, 12)
_CODES = (
    dict.fromkeys(RESERVED | AT_LINE_START | MODIFIERS | {"#", "@["}, _START)
    | {text: _QUOTE if text.startswith("`") else _OPEN for text in OPENING if text != "@["}
    | dict.fromkeys(CLOSING, _CLOSE) | dict.fromkeys(("let", "have", "letI", "haveI"), _LET)
    | dict.fromkeys(("match", "fun", "λ"), _MATCH) | dict.fromkeys(("=>", "↦"), _ARROW)
    | {"in": _IN, ":=": _ASSIGN, "where": _WHERE, "|": _BAR}
)  # fmt: skip
_OF_COMMANDS = re.compile(rb"[\x01-\x05]")
_OF_SIGNATURES = re.compile(rb"[^\x00]")


@dataclass(frozen=True, slots=True)
class Scope:
    kind: str  # "namespace" | "section" | "mutual"
    name: str


@dataclass(frozen=True, slots=True)
class Command:
    """`first` and `last` index the significant tokens, offsets are in codepoints; `end` is behind the last token."""

    kind: str  # the keyword: "theorem", "namespace", "#eval", "/-!", ...
    start: int
    end: int
    first: int
    last: int
    keyword: int  # offset of the keyword
    scopes: tuple[Scope, ...]  # open before it
    name: str = ""  # of a declaration: full, with `_root_` and namespaces resolved; "" where anonymous
    name_at: int = -1  # offset of the name as it is written
    modifiers: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    body: int = -1  # offset of the `:=`, `|` or `where` that ends the signature; -1 if none does
    in_mutual: bool = False

    @property
    def is_declaration(self) -> bool:
        return self.kind in DECLARATIONS

    @property
    def private(self) -> bool:
        return "private" in self.modifiers


def namespace(scopes: Sequence[Scope]) -> str:
    return ".".join(scope.name for scope in scopes if scope.kind == "namespace" and scope.name)


class Splitter:
    """Walks the significant tokens (neither white space nor comments; doc comments are) and cuts them into commands."""

    def __init__(self, source: Text) -> None:
        self.source = source
        self.tokens = array("q")  # indices of the significant tokens
        self.line_starts = bytearray()  # 1 for each that is the first on its line
        self.codes = bytearray()
        self.no_start_before = 0  # what a failed look-ahead has already seen
        self._gather()

    def _gather(self) -> None:
        source, tokens, line_starts, codes = self.source, self.tokens, self.line_starts, self.codes
        text, lines, kinds = source.text, source.lines, source.kinds
        line, total, start, next_line = 0, len(lines), 0, 0
        for index, end in enumerate(source.ends):
            kind = kinds[index]
            if kind > Kind.COMMENT:
                tokens.append(index)
                if start >= next_line:
                    line_starts.append(1)
                    while line < total and lines[line] <= start:
                        line += 1
                    next_line = lines[line] if line < total else len(text) + 1
                else:
                    line_starts.append(0)
                if kind >= Kind.IDENT:
                    codes.append(_CODES.get(text[start:end], 0))
                else:
                    codes.append(_START if kind == Kind.DOC else 0)
            start = end

    def word(self, at: int) -> str:
        return self.source.token_text(self.tokens[at]) if at < len(self.tokens) else ""

    def kind(self, at: int) -> int:
        return self.source.kinds[self.tokens[at]] if at < len(self.tokens) else -1

    def offset(self, at: int) -> int:
        return self.source.start(self.tokens[at])

    def column(self, at: int) -> int:
        return self.source.column(self.offset(at))

    def _is_doc(self, at: int) -> bool:
        return self.kind(at) == Kind.DOC

    def _starts(self, at: int, column: int, *, after_in: bool = False) -> bool:
        """Whether a command begins at token `at`; `column` is that of the command before."""
        kind, word = self.kind(at), self.word(at)
        if kind == Kind.DOC and word.startswith("/-!"):
            return True
        at_line = after_in or (bool(self.line_starts[at]) and self.column(at) <= column)
        if kind == Kind.SYMBOL and word == "#" and self.kind(at + 1) == Kind.IDENT:
            return at_line and self.source.ends[self.tokens[at]] == self.offset(at + 1)
        if kind == Kind.DOC or word in MODIFIERS or word == "@[":
            return self._modified(at)
        if kind != Kind.IDENT:
            return False
        if word in RESERVED:
            return not (word == "instance" and self.word(at - 1) == "deriving")
        return word in AT_LINE_START and at_line

    def _modified(self, at: int) -> bool:
        """Whether the modifiers, attributes and doc comments at `at` lead to a command's keyword."""
        if at < self.no_start_before:
            return False
        ahead = at
        while ahead < len(self.tokens):
            word = self.word(ahead)
            if word in MODIFIERS or self._is_doc(ahead):
                ahead += 1
            elif word == "@[":
                ahead = self._matching(ahead) + 1
            else:
                break
        if self.word(ahead) in RESERVED or (self.word(ahead) in AT_LINE_START and self.word(ahead) != "deriving"):
            return True
        self.no_start_before = ahead
        return False

    def _matching(self, at: int) -> int:
        """The token that closes the bracket at `at`, or the last token."""
        depth = 0
        while at < len(self.tokens):
            word = self.word(at)
            if word in OPENING:
                depth += 1
            elif word in CLOSING:
                depth -= 1
                if depth == 0:
                    return at
            elif word in RESERVED and self.line_starts[at] and self.column(at) == 0:
                return at - 1
            at += 1
        return len(self.tokens) - 1

    def split(self, begin: int) -> list[Command]:
        """The commands from token `begin` to the end of the file."""
        commands: list[Command] = []
        scopes: list[Scope] = []
        at = begin
        while at < len(self.tokens):
            command, at = self._command(at, tuple(scopes))
            commands.append(command)
            _enter(command, scopes, self)
        return commands

    def _command(self, first: int, scopes: tuple[Scope, ...]) -> tuple[Command, int]:
        """The command that begins at token `first`, and where the next begins."""
        at, column = first, self.column(first)
        modifiers: list[str] = []
        attributes: list[str] = []
        at = self._read_modifiers(at, modifiers, attributes)
        keyword = at
        kind = self._keyword(at)
        at = max(first, min(at, len(self.tokens) - 1))
        if kind == "/-!":
            at = first
        brackets: list[int] = []
        end = at + 1 + kind.startswith("#")
        while found := _OF_COMMANDS.search(self.codes, end):
            end = found.start()
            code = self.codes[end]
            if code == _CLOSE:
                if brackets:
                    brackets.pop()
            elif code in (_OPEN, _QUOTE):
                brackets.append(code)
            elif code == _IN:
                begins = not brackets and kind in PREFIXES and end + 1 < len(self.tokens)
                if begins and self._starts(end + 1, column, after_in=True):
                    modifiers, attributes = [], []
                    keyword = self._read_modifiers(end + 1, modifiers, attributes)
                    kind, end = self._keyword(keyword), keyword
            elif (not brackets or self._recovers(end, brackets)) and self._starts(end, column):
                break
            elif self.word(end) == "@[":
                brackets.append(_OPEN)
            end += 1
        else:
            end = len(self.tokens)
        command = Command(
            kind, self.offset(first), self.source.ends[self.tokens[end - 1]], first, end - 1,
            self.offset(min(keyword, len(self.tokens) - 1)), scopes, modifiers=tuple(modifiers),
            attributes=tuple(attributes), in_mutual=any(scope.kind == "mutual" for scope in scopes),
        )  # fmt: skip
        return (self._declaration(command, keyword) if command.is_declaration else command), end

    def _recovers(self, at: int, brackets: Sequence[int]) -> bool:
        """A keyword in the first column ends a bracket that was left open, except inside quoted syntax."""
        return bool(self.line_starts[at]) and self.column(at) == 0 and _QUOTE not in brackets

    def _keyword(self, at: int) -> str:
        if at >= len(self.tokens):
            return ""
        word = self.word(at)
        if self._is_doc(at):
            return word[:3]
        return "#" + self.word(at + 1) if word == "#" else word

    def _read_modifiers(self, at: int, modifiers: list[str], attributes: list[str]) -> int:
        while at < len(self.tokens):
            word = self.word(at)
            if self._is_doc(at) and not word.startswith("/-!"):
                at += 1
            elif word in MODIFIERS:
                modifiers.append(word)
                at += 1
            elif word == "@[":
                close = self._matching(at)
                attributes.append(self.source.text[self.offset(at) : self.source.ends[self.tokens[close]]])
                at = close + 1
            else:
                break
        return at

    def _declaration(self, command: Command, keyword: int) -> Command:
        """Adds name and body to a declaration."""
        at = keyword + 1
        if command.kind == "class" and self.word(at) in ("inductive", "abbrev"):
            at += 1
        if command.kind == "instance" and self.word(at) == "(" and self.word(at + 1) == "priority":
            at = self._matching(at) + 1
        name, name_at = "", -1
        if at <= command.last and self.kind(at) == Kind.IDENT and command.kind != "example":
            name, name_at = full_name(self.word(at), command.scopes), self.offset(at)
            at += 1
        return replace(command, name=name, name_at=name_at, body=self._body(at, command))

    def _body(self, at: int, command: Command) -> int:
        """Where the signature ends: the first `:=` that no `let` owns, `where`, or the first equation."""
        depth = lets = matches = 0
        bar = -1
        while (found := _OF_SIGNATURES.search(self.codes, at)) and found.start() <= command.last:
            at = found.start()
            code = self.codes[at]
            if code in (_OPEN, _QUOTE) or (code == _START and self.word(at) == "@["):
                depth += 1
            elif code == _CLOSE:
                depth -= 1
            elif depth == 0:
                if code == _LET:
                    lets += 1
                elif code == _MATCH:
                    matches += 1
                elif code == _ASSIGN:
                    if lets == 0:
                        return self.offset(at)
                    lets -= 1
                elif code == _WHERE or (code == _START and self.word(at) == "deriving"):
                    return self.offset(at)
                elif code == _BAR and bar < 0 and matches == 0:
                    bar = at
                elif code == _ARROW and bar >= 0:
                    return self.offset(bar)
            at += 1
        return self.offset(bar) if bar >= 0 and command.kind in ("inductive", "class", "coinductive") else -1


def full_name(name: str, scopes: Sequence[Scope]) -> str:
    """The name Lean gives to a declaration written as `name` inside `scopes`."""
    if name.startswith("_root_."):
        return name.removeprefix("_root_.")
    inside = namespace(scopes)
    return f"{inside}.{name}" if inside else name


def _enter(command: Command, scopes: list[Scope], splitter: Splitter) -> None:
    """What the command does to the scopes, one for each component of a name, as in Lean."""
    if command.kind not in ("namespace", "section", "mutual", "end"):
        return
    at = next(i for i in range(command.first, command.last + 1) if splitter.offset(i) == command.keyword) + 1
    named = at <= command.last and splitter.kind(at) == Kind.IDENT and not splitter.line_starts[at]
    given = splitter.word(at) if named else ""
    if command.kind == "end":
        for _ in range(max(1, len(split_name(given)))):
            if scopes:
                scopes.pop()
    elif given and command.kind != "mutual":
        scopes.extend(Scope(command.kind, part) for part in split_name(given))
    else:
        scopes.append(Scope(command.kind, ""))
    if len(scopes) > MAX_SCOPES:
        where = splitter.source.where(command.start)
        raise UnsorryError(f"more than {MAX_SCOPES} namespaces and sections are open at {where}; close some with `end`")


def split_name(name: str) -> list[str]:
    """The components of a dotted name; dots inside `«»` do not separate."""
    parts, quoted, start = [], False, 0
    for at, character in enumerate(name):
        if character in "«»":
            quoted = character == "«"
        elif character == "." and not quoted:
            parts.append(name[start:at])
            start = at + 1
    if name:
        parts.append(name[start:])
    return parts
