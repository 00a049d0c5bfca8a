"""The smallest text that still fails in the same way, by delta debugging with Lean as the oracle."""

from __future__ import annotations

from collections.abc import Callable

from unsorry.lean.source import Kind, Source, parse

Keeps = Callable[[str], bool]  # whether a smaller text still shows the failure


class Reducer:
    """Takes out commands, proofs and lines as long as `keeps` says yes; at most `checks` questions.

    The result is one from which no single command and no single line can be taken, unless the questions ran out
    (`exhausted`).
    """

    def __init__(self, keeps: Keeps, checks: int = 400) -> None:
        self._keeps, self._left = keeps, checks
        self._known: dict[str, bool] = {}
        self.asked = 0

    @property
    def exhausted(self) -> bool:
        return self._left <= 0

    def reduce(self, text: str) -> str:
        """The reduced text; `text` itself must show the failure."""
        text = self._try(text, without_comments(text))
        while not self.exhausted:
            smaller = self._lines(self._proofs(self._commands(text)))
            if smaller == text:
                break
            text = smaller
        return text.strip("\n") + "\n"

    def keeps(self, text: str) -> bool:
        if text not in self._known:
            if self.exhausted:
                return False
            self._left -= 1
            self.asked += 1
            self._known[text] = self._keeps(text)
        return self._known[text]

    def _try(self, text: str, candidate: str) -> str:
        return candidate if candidate != text and self.keeps(candidate) else text

    def _commands(self, text: str) -> str:
        source = parse(text)
        pieces = [text[c.start : e] for c, e in zip(source.commands, _ends(source), strict=True)]
        head = text[: source.commands[0].start] if source.commands else text
        return head + "".join(self._list(pieces, lambda kept: head + "".join(kept)))

    def _lines(self, text: str) -> str:
        return "".join(self._list(text.splitlines(keepends=True), "".join))

    def _list(self, pieces: list[str], whole: Callable[[list[str]], str]) -> list[str]:
        """Pieces of which no run of any tried size can be taken out; the last are tried first."""
        size = max(1, len(pieces) // 2)
        while True:
            at = len(pieces)
            while at > 0:
                first = max(0, at - size)
                rest = pieces[:first] + pieces[at:]
                if rest and self.keeps(whole(rest)):
                    pieces = rest
                at = first
            if size == 1:
                return pieces
            size //= 2

    def _proofs(self, text: str) -> str:
        """Theorems that must stay lose their proofs where these do not matter."""
        for index in reversed(range(len(parse(text).commands))):
            command = parse(text).commands[index]
            if command.kind in ("theorem", "lemma", "example") and text.startswith(":=", command.body):
                text = self._try(text, text[: command.body] + ":= sorry" + text[command.end :])
        return text


def _ends(source: Source) -> list[int]:
    return [command.start for command in source.commands[1:]] + [len(source.text)]


def without_comments(text: str) -> str:
    """The text without comments and doc comments, and without the empty lines that they leave."""
    lines = parse(text).lines
    parts, start = [], 0
    for index, end in enumerate(lines.ends):
        kind = lines.kinds[index]
        if kind not in (Kind.COMMENT, Kind.DOC):
            parts.append(text[start:end])
        start = end
    return "\n".join(line.rstrip() for line in "".join(parts).splitlines() if line.strip()) + "\n"


def proof_lines(text: str) -> int:
    """How many lines carry something."""
    return sum(1 for line in text.splitlines() if line.strip())
