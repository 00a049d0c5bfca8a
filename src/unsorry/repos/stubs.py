"""Files without their answers: the bodies of what an attempt has to give become sorries."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from unsorry.repos.declarations import Declared, Outline, text_of
from unsorry.repos.diff import Change, is_value
from unsorry.repos.tasks import Hole, Obligation

OWED = ("new", "filled", "restated")  # of a theorem
SAID = {"new": "new", "filled": "filled", "restated": "restated", "redefined": "redefined"}


def obligations(changes: Iterable[Change], mode: str) -> list[tuple[Obligation, Change]]:
    """What an attempt in this mode must give, each with the change that it comes from.

    Not asked for is what the pull request itself left to a sorry or an axiom, and in mode `open` what is private.
    """
    found = []
    for change in changes:
        after, fact = change.after, change.fact
        if after is None or after.holes or (fact is not None and fact.axioms) or not after.fillable:
            continue
        proof = after.proof or (after.kind == "instance" and fact is not None and fact.theorem)
        owed = change.what in OWED or (change.what == "redefined" and not proof)
        if not owed or (mode == "prove" and not proof) or (mode == "open" and after.private):
            continue
        if proof or is_value(change):
            obligation = Obligation(
                after.name, after.kind, change.path, "prove" if proof else "define", SAID[change.what], after.text,
                fact.type_digest if fact else "", after.private,
            )  # fmt: skip
            found.append((obligation, change))
    return found


def kept(changes: Iterable[Change]) -> list[tuple[Obligation, Change]]:
    """What a migration must keep: the theorems and definitions that have the same statement before and after."""
    return [
        (Obligation(c.after.name, c.after.kind, c.path, "keep", "kept", c.after.text, "", c.after.private), c)
        for c in changes
        if c.after is not None and c.before is not None and c.after.name and c.before.stated == c.after.stated
        and (c.after.proof or is_value(c)) and not c.after.holes
    ]  # fmt: skip


def stub(data: bytes, owed: Iterable[Declared]) -> bytes:
    """A file with a sorry for the body of each of these declarations of it; everything else stays, byte for byte."""
    text = text_of(data)
    mark = data[: len(data) - len(text.encode())]  # a byte order mark
    pieces, at = [], 0
    for declared in sorted(owed, key=lambda d: d.body_at):
        pieces.append(text[at : declared.body_at])
        at = declared.end
    return mark + ":= sorry".join([*pieces, text[at:]]).encode()


def holes(files: Mapping[str, Outline], owed: Container[tuple[str, int]] = ()) -> tuple[Hole, ...]:
    """The sorries of files, by declaration, where those that are owed (path, index of the command) have one each."""
    found = []
    for path, outline in sorted(files.items()):
        rest = outline.holes - sum(d.holes for d in outline.declarations)
        for d in outline.declarations:
            count = 1 if (path, d.index) in owed else d.holes
            if count:
                found.append(Hole(path, d.name or d.text, count))
        if rest:
            found.append(Hole(path, "", rest))
    return tuple(found)
