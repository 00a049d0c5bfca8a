"""Cases that are compiled files: what Lean makes of the submission, then changed as the case says.

A corpus may come from anywhere, so a case brings no program for it but a list of changes:

    text OLD NEW        every occurrence of one string by another of the same length in bytes
    truncate SHARE      only the first part of the file
    append HEX          bytes after its end
    fill SHARE HEX      bytes written over others, from the multiple of 8 at or before that share of the file
"""

from __future__ import annotations

from collections.abc import Iterable

from unsorry import UnsorryError

LONGEST = 1 << 20  # bytes that a change may bring


def check(changes: Iterable[str]) -> None:
    """Raises UnsorryError for a change that is none."""
    for change in changes:
        _parse(change)


def build(olean: bytes, changes: Iterable[str]) -> bytes:
    """The file with the changes, in their order; raises UnsorryError where a text to be changed is not in it."""
    for change in changes:
        word, first, second = _parse(change)
        if word == "text":
            old, new = first.encode(), second.encode()
            if old not in olean:
                raise UnsorryError(f"the compiled file does not contain {first!r}")
            olean = olean.replace(old, new)
        elif word == "truncate":
            olean = olean[: int(len(olean) * float(first))]
        elif word == "append":
            olean += bytes.fromhex(first)
        else:
            start, data = int(len(olean) * float(first)) & ~7, bytes.fromhex(second)
            olean = olean[:start] + data + olean[start + len(data) :]
    return olean


def _parse(change: str) -> tuple[str, str, str]:
    word, *rest = change.split(" ")
    wanted = {"text": 2, "truncate": 1, "append": 1, "fill": 2}.get(word)
    try:
        if wanted != len(rest) or len(change) > LONGEST:
            raise ValueError
        first, second = (*rest, "")[:2]
        if word == "text" and len(first.encode()) != len(second.encode()):
            raise ValueError
        if word in ("truncate", "fill") and not 0 <= float(first) < 1:
            raise ValueError
        bytes.fromhex(second if word == "fill" else first if word == "append" else "")
    except ValueError:
        raise UnsorryError(f"build has {change[:60]!r}, which is no change of a compiled file") from None
    return word, first, second
