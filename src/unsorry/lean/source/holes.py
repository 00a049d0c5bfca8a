"""The sorries of a command: which tokens are holes, and whether each stands for a term or for a tactic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from unsorry import UnsorryError
from unsorry.lean.source.commands import CLOSING, OPENING, Command, Splitter, words
from unsorry.lean.source.tokens import Kind, Text

# Tactics after which, on the same level, another tactic follows at once.
_COMBINATORS = words("try repeat repeat' repeat1 all_goals any_goals focus iterate first solve stop")
# Tactics whose alternatives `| pattern => ...` hold tactics.
_BARRED = words("match cases induction rcases fun_induction fun_cases nomatch first solve")
MAX_DEPTH = 5000  # brackets and blocks inside one another; a limit keeps the cost of hostile text linear


@dataclass(frozen=True, slots=True)
class Hole:
    """One `sorry` or `admit`; offsets and `indent` in codepoints, lines from 1, columns from 0."""

    start: int
    end: int
    line: int
    column: int
    token: str  # "sorry" | "admit"
    position: str  # "term" | "tactic"
    command: int  # index of the enclosing command
    indent: int  # column that more lines must be right of (a term), or stand at (a tactic)
    in_signature: bool = False  # inside a statement rather than inside a proof


@dataclass(slots=True)
class _Frame:
    """A region of the text: a bracket, or a block of tactics and where it began."""

    tactic: bool
    bracket: str = ""  # the opening bracket, "" for a block held together by its column
    opener: str = ""  # "by" | "=>" | "then" | "else" | "·" | "" for brackets
    column: int = -1  # of a tactic block, from its first token
    head: str = ""  # first word of the current tactic
    functions: int = 0  # `fun`s that wait for their arrow
    matches: int = 0  # `match`es that are terms, in the current tactic
    conditionals: int = 0  # `if`s that are terms, in the current tactic

    def next_tactic(self, head: str) -> None:
        self.head, self.functions, self.matches, self.conditionals = head, 0, 0, 0


@dataclass(slots=True)
class _Walk:
    splitter: Splitter
    frames: list[_Frame] = field(default_factory=lambda: [_Frame(tactic=False)])
    ready: bool = False  # a tactic begins at the next token
    brackets: int = 0  # how many frames are brackets
    thens: int = 0  # how many are blocks after `then`

    @property
    def top(self) -> _Frame:
        return self.frames[-1]

    def block_column(self) -> int:
        """The column of the innermost block of tactics, -1 outside of any."""
        return next((frame.column for frame in reversed(self.frames) if frame.column >= 0), -1)

    def push(self, frame: _Frame) -> None:
        self.frames.append(frame)
        self.brackets += bool(frame.bracket)
        self.thens += frame.opener == "then"

    def pop(self) -> None:
        if len(self.frames) > 1:
            frame = self.frames.pop()
            self.brackets -= bool(frame.bracket)
            self.thens -= frame.opener == "then"

    def push_block(self, opener: str) -> None:
        self.push(_Frame(tactic=True, opener=opener))
        self.ready = True

    def pop_blocks(self) -> None:
        while not self.top.bracket and len(self.frames) > 1:
            self.pop()

    def step(self, at: int) -> bool:
        """Take in token `at`; says whether a tactic begins there."""
        splitter = self.splitter
        word, column = splitter.word(at), splitter.column(at)
        if splitter.line_starts[at]:
            self._new_line(column, word)
        starts = self.ready and self.top.tactic
        self.ready = False
        if starts and self.top.column < 0:
            self.top.column = column
        if splitter.kind(at) == Kind.SYMBOL:
            self._symbol(word, starts)
        elif splitter.kind(at) == Kind.INTERPOLATED:
            self._interpolated(word)
        elif splitter.kind(at) == Kind.IDENT:
            self._word(word, starts)
        elif starts:
            self.top.next_tactic("")
        return starts

    def _new_line(self, column: int, word: str) -> None:
        """Layout: a block ends at a line that begins left of it; a line at its column begins its next tactic."""
        while self.top.opener and self.top.column > column:
            self.pop()
        if self.top.tactic and self.top.column == column and word not in ("|", "else", "<;>", ")", "}", "]", "⟩"):
            self.ready = True

    def _symbol(self, word: str, starts: bool) -> None:
        top = self.top
        if word in OPENING:
            inner = starts and word in ("(", "{")
            if starts:
                top.next_tactic(word)
            self.push(_Frame(tactic=inner, bracket=word))
            self.ready = inner
        elif word in CLOSING:
            self.pop_blocks()
            self.pop()
        elif word in ("·", ".") and starts:
            top.next_tactic(word)
            self.push_block("·")
        elif word in (";", "<;>"):
            self.ready = top.tactic
        elif word == "|":
            self._bar()
        elif word in ("=>", "↦"):
            self._arrow()
        elif word == ",":
            if self.brackets:
                self.pop_blocks()
        elif word == "λ":
            top.functions += 1
        elif starts:
            top.next_tactic(word)

    def _bar(self) -> None:
        if self.top.functions:  # `fun | a => b | c => d`
            self.top.functions, self.top.matches = 0, self.top.matches + 1
        while self.top.opener in ("=>", "then", "else", "·", "|") and self.top.head not in _BARRED:
            if self.top.matches:
                return
            self.pop()
        if self.top.tactic and self.top.head in ("first", "solve"):
            self.push_block("|")

    def _arrow(self) -> None:
        top = self.top
        if top.functions:
            top.functions -= 1
        elif top.tactic and not top.matches:
            self.push_block("=>")

    def _interpolated(self, word: str) -> None:
        if word.startswith("}"):
            self.pop_blocks()
            self.pop()
        if word.endswith("{"):
            self.push(_Frame(tactic=False, bracket="{"))

    def _word(self, word: str, starts: bool) -> None:
        top = self.top
        if word in ("by", "decreasing_by"):
            if word == "decreasing_by":
                self.pop_blocks()
            self.push_block("by")
        elif word in ("where", "termination_by", "deriving"):
            self.pop_blocks()
        elif word in ("fun",):
            top.functions += 1
        elif word in ("then", "else"):
            self._branch(word)
        elif starts:
            top.next_tactic(word)
            self.ready = word in _COMBINATORS and word not in ("first", "solve")
        elif word == "match":
            top.matches += 1
        elif word == "if":
            top.conditionals += 1
        elif top.tactic and top.head == "iterate":
            self.ready = True

    def _branch(self, word: str) -> None:
        if word == "else" and self.thens and not self.top.conditionals:
            for depth in range(len(self.frames) - 1, 0, -1):
                if self.frames[depth].bracket:
                    break
                if self.frames[depth].opener == "then":
                    while len(self.frames) > depth:
                        self.pop()
                    break
        top = self.top
        if top.conditionals:
            top.conditionals -= word == "else"
        elif top.tactic and top.head == "if":
            self.push_block(word)


def find_holes(source: Text, commands: Sequence[Command], splitter: Splitter) -> list[Hole]:
    """All holes, in the order of the text.  Quoted syntax holds none: `` `(tactic| sorry) `` is data."""
    holes: list[Hole] = []
    for index, command in enumerate(commands):
        text = source.text
        if text.find("sorry", command.start, command.end) >= 0 or text.find("admit", command.start, command.end) >= 0:
            holes += _holes_of(source, index, command, splitter)
    return holes


def _holes_of(source: Text, index: int, command: Command, splitter: Splitter) -> list[Hole]:
    walk, quotes, found = _Walk(splitter), _Quotes(), []
    first_of_line = splitter.column(command.first)
    for at in range(command.first, command.last + 1):
        if splitter.line_starts[at]:
            first_of_line = splitter.column(at)
        quotes.step(splitter.word(at), splitter.kind(at))
        starts = walk.step(at)
        if len(walk.frames) > MAX_DEPTH:
            where = source.where(splitter.offset(at))
            raise UnsorryError(f"more than {MAX_DEPTH} brackets and blocks are open at {where}")
        word = splitter.word(at)
        if splitter.kind(at) != Kind.IDENT or word not in ("sorry", "admit") or quotes.inside:
            continue
        if word == "admit" and not starts:
            continue
        offset = splitter.offset(at)
        found.append(Hole(
            offset, offset + len(word), source.line(offset), source.column(offset), word,
            "tactic" if starts else "term", index,
            max(walk.top.column, 0) if starts else max(first_of_line, walk.block_column()),
            in_signature=command.is_declaration and command.keyword < offset < command.body,
        ))  # fmt: skip
    return found


class _Quotes:
    """Follows the brackets to tell quoted syntax from text; an antiquotation `$( )` is text again."""

    def __init__(self) -> None:
        self.stack: list[bool] = []

    @property
    def inside(self) -> bool:
        return bool(self.stack) and self.stack[-1]

    def step(self, word: str, kind: int) -> None:
        if kind != Kind.SYMBOL:
            return
        if word in OPENING:
            # `$[...]` repeats quoted syntax; only `$(...)` leaves it.
            self.stack.append(word.startswith("`") or (self.inside and word != "$("))
        elif word in CLOSING and self.stack:
            self.stack.pop()
