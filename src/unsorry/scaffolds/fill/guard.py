"""What an answer may do to the file beyond the hole: add lemmas under fresh names, nothing else.

The judge decides whether the target is proved.  This guard keeps an answer from changing what other declarations of the
file mean: by a command hidden in a proof, a notation, an instance, or a name that captures another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from unsorry import UnsorryError
from unsorry.lean.source import TRIVIA, Kind, Source, Text, Token, parse, split_name
from unsorry.lean.source.commands import AT_LINE_START, RESERVED
from unsorry.scaffolds.fill.document import Document, Edit, apply
from unsorry.scaffolds.fill.problems import Answer

_ADDED = frozenset({"theorem", "lemma", "def", "abbrev"})
_MODIFIERS = frozenset({"private", "protected", "noncomputable"})


def components(source: Text) -> Counter[str]:
    """Every component of every identifier in a text, and how often it occurs."""
    found: Counter[str] = Counter()
    for token in source:
        if token.kind in (Kind.IDENT, Kind.NAME):
            found.update(split_name(token.text.lstrip("`")))
    return found


def harmless(answer: Answer, taken: AbstractSet[str]) -> Answer | None:
    """The answer with fresh names for what it adds; None if it adds anything but plain theorems and definitions."""
    try:
        added = parse(answer.before)
        if hides_a_command(answer.proof):
            return None
    except UnsorryError:
        return None
    if not answer.before.strip():
        return replace(answer, before="")
    renamed: dict[str, str] = {}
    for command in added.commands:
        prefix = {t.text for t in Text(added.text[command.start : command.keyword]) if t.kind is Kind.IDENT}
        if command.kind not in _ADDED or command.attributes or not prefix <= _MODIFIERS:
            return None
        if not command.name or "." in command.name or "«" in command.name:
            return None
        if hides_a_command(added.text[command.name_at : command.end]):
            return None
        if command.name in taken:
            renamed[command.name] = _fresh(command.name, taken | set(renamed.values()))
    return replace(answer, proof=_rename(answer.proof, renamed), before=_rename(answer.before, renamed))


def hides_a_command(text: str) -> bool:
    """Whether a proof holds a word that begins a command for Lean, wherever it stands on its line.

    `open ... in` and `set_option ... in` belong to terms and tactics; without `in` they would last to the file's end.
    """
    tokens = [token for token in Text(text) if token.kind not in TRIVIA]
    for at, token in enumerate(tokens):
        first = at == 0 or "\n" in text[tokens[at - 1].end : token.start]
        if token.kind is Kind.DOC:
            return True
        if token.text == "#" and first:
            return True
        if token.kind is not Kind.IDENT:
            continue
        if token.text in ("open", "set_option"):
            if not _ends_with_in(tokens[at + 1 :]):
                return True
        elif token.text in RESERVED or (first and token.text in AT_LINE_START):
            return True
    return False


def _ends_with_in(tokens: list[Token]) -> bool:
    for token in tokens:
        if token.text == "in":
            return True
        argument = token.kind in (Kind.IDENT, Kind.NUMBER, Kind.STRING) or token.text in ("(", ")", "→", "->", ",")
        if not argument or token.text in RESERVED:
            return False
    return False


def _fresh(name: str, taken: AbstractSet[str]) -> str:
    number = 1
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _rename(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    return "".join(names.get(t.text, t.text) if t.kind is Kind.IDENT else t.text for t in Text(text))


def keeps_structure(document: Document, edits: Iterable[Edit], added: int) -> bool:
    """The edited file has the commands it had, by kind and name and in order, and `added` more before one of them."""
    try:
        edited = parse(apply(document.text, edits))
    except UnsorryError:
        return False
    before, after = _shape(document.source), _shape(edited)
    if len(after) != len(before) + added:
        return False
    same = 0
    while same < len(before) and before[same] == after[same]:
        same += 1
    return before[same:] == after[same + added :]


def _shape(source: Source) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(c.kind, c.name, c.modifiers) for c in source.commands]
