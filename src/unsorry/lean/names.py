"""Names of Lean: structured values, equal across arenas and never flattened to text."""

from __future__ import annotations

from collections.abc import Iterable

MAX_NAME_COMPONENTS = 128
MAX_SHOWN = 1000  # characters of a component that are printed; a hostile one may be as long as its file
MAX_NAME_NUMBERS = 16  # of them; Lean makes names with three or four, and hashes of long rows of numbers can be chosen


class Name(tuple[str | int, ...]):
    """A hierarchical name: its components, outermost first; a number is not the string that prints like it."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> Name:
        """The name written as `text`, with `«»` around odd components; raises ValueError."""
        parts: list[str | int] = []
        rest = text
        while True:
            if rest.startswith("«"):
                end = rest.find("»")
                if end < 0:
                    raise ValueError(f"unclosed « in the name {text!r}")
                part, rest = rest[1:end], rest[end + 1 :]
                parts.append(part)
            else:
                end = rest.find(".")
                part, rest = (rest, "") if end < 0 else (rest[:end], rest[end:])
                if not part:
                    raise ValueError(f"empty component in the name {text!r}")
                parts.append(int(part) if part.isascii() and part.isdigit() and len(part) < 10 else part)
            if not rest:
                return Name(parts)
            if not rest.startswith("."):
                raise ValueError(f"a dot is missing after » in the name {text!r}")
            rest = rest[1:]

    def __str__(self) -> str:
        """As Lean prints it, odd components in «», long ones cut; not injective, for people only."""
        return ".".join(_component(part) for part in self) or "[anonymous]"

    def __repr__(self) -> str:
        return f"Name({tuple(self)!r})"


def _component(part: str | int) -> str:
    if isinstance(part, int):
        return str(part)
    if len(part) > MAX_SHOWN:
        part = part[:MAX_SHOWN] + "…"
    plain = bool(part) and all(c.isalnum() or c in "_'!?✝" or ord(c) > 0x2070 for c in part) and not part[0].isdigit()
    if plain and "«" not in part and "»" not in part and part.isprintable():
        return part
    return "«" + part.encode("unicode_escape").decode() + "»" if not part.isprintable() else f"«{part}»"


ANONYMOUS = Name()


def in_order(names: Iterable[Name]) -> list[Name]:
    """Names sorted by components, numbers first.  No text is made of them: a long component may be in many names."""
    return sorted(names, key=lambda name: [(isinstance(part, str), part) for part in name])
