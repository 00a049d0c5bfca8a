"""Two certificates side by side: one that was given, one that judging again made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unsorry.judge.reasons import one_line

# What tells how and where it was judged, not what was proved: no other machine can check it.  Whole paths, since the
# names in a certificate are anybody's: a target may be called `library_checked`.
CIRCUMSTANCES = re.compile(r"judge|confinement\..*|kernels\[\d+\]\.library_checked", re.DOTALL)
WHO_AGREED = ("second.checker", "second.steps")  # an agreement must be found again; by whom and at what cost may differ


@dataclass(frozen=True, slots=True)
class Difference:
    """`field` as `problem.statement`; the values as text; `counts` where it is about what was proved."""

    field: str
    stated: str
    found: str
    counts: bool

    def __str__(self) -> str:
        return one_line(f"{self.field}: the certificate says {self.stated}, here it is {self.found}")


def differences(stated: Mapping[str, Any], found: Mapping[str, Any], *, texts: bool = True) -> list[Difference]:
    """Every field that differs, but for the seal; without `texts`, digests of texts and of the file are left out.

    Two certificates of one proof agree in all that counts when statement, constants, kernel, toolchain and axioms do.
    """
    skipped = {"digest"} | (
        set() if texts else {"problem.id", "problem.source", "submission.source", "submission.olean"}
    )
    pairs = dict(_leaves(stated))
    others = dict(_leaves(found))
    paths = [path for path in {**pairs, **others} if path not in skipped]
    return [
        Difference(path, _shown(pairs, path), _shown(others, path), not _circumstance(path, pairs))
        for path in paths
        if path not in pairs
        or path not in others
        or (type(pairs[path]), pairs[path]) != (type(others[path]), others[path])
    ]


def _circumstance(path: str, stated: Mapping[str, Any]) -> bool:
    if path.startswith("second."):
        return path in WHO_AGREED or stated.get("second.opinion") != "agree"
    return CIRCUMSTANCES.fullmatch(path) is not None


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, list(value) if isinstance(value, tuple) else value


def _shown(leaves: Mapping[str, Any], path: str) -> str:
    if path not in leaves:
        return "nothing"
    value = leaves[path]
    text = ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
