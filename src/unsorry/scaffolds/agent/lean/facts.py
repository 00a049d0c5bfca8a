"""What the declarations of a compiled module rest on: sorries and axioms, read from its bytes.

Messages do not tell it: an option silences Lean's warning, a cached file prints none, and `apply?` leaves a sorry that
nobody wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unsorry.judge.axioms import ALLOWED, NATIVE
from unsorry.judge.axioms import SORRY as SORRY_NAME
from unsorry.lean.declarations import Kind
from unsorry.lean.names import Name
from unsorry.lean.olean import Reader

SORRY = str(SORRY_NAME)


@dataclass(frozen=True, slots=True)
class Facts:
    """`tainted`: declaration -> axioms that it rests on, beyond the standard three; only those that rest on any."""

    tainted: Mapping[str, tuple[str, ...]]

    def resting_on_sorry(self) -> tuple[str, ...]:
        return tuple(name for name, axioms in self.tainted.items() if SORRY in axioms and shown(name))

    def axioms(self) -> tuple[str, ...]:
        """Every axiom but the standard ones and sorry."""
        return tuple(sorted({a for axioms in self.tainted.values() for a in axioms} - {SORRY}))


def read_facts(parts: tuple[bytes, ...], version: str, imported: Mapping[str, tuple[str, ...]]) -> Facts:
    """Facts of the module in `parts`; `imported` are the tainted declarations of the project's modules below it.

    Raises OleanError for bytes that Lean does not write.
    """
    reader = Reader(*parts, version=version)
    rests: dict[Name, set[str]] = {}
    users: dict[Name, list[Name]] = {}
    for name in reader.names:
        declaration, uses = reader.outline(name)
        own = {str(name)} if declaration.kind is Kind.AXIOM and name not in ALLOWED else set()
        for used in uses:
            if used in reader:
                users.setdefault(used, []).append(name)
            elif used == SORRY_NAME or used in NATIVE:
                own.add(str(used))
            elif imported:
                own.update(imported.get(str(used), ()))
        rests[name] = own
    todo = [name for name, axioms in rests.items() if axioms]
    while todo:  # what a declaration rests on, those that use it rest on as well
        name = todo.pop()
        for user in users.get(name, ()):
            if not rests[name] <= rests[user]:
                rests[user] |= rests[name]
                todo.append(user)
    return Facts({str(name): tuple(sorted(axioms)) for name, axioms in rests.items() if axioms})


def shown(name: str) -> bool:
    """Whether a name is one that somebody wrote, not one that Lean made (`_proof_1`, `match_1`, `rec`, ...)."""
    last = name.rpartition(".")[2]
    return not (last.startswith(("_", "match_", "proof_", "eq_")) or "._" in name.removeprefix("_private."))


def readable(name: str) -> str:
    """A name as the file writes it: a private one without what Lean puts before it."""
    head, mark, tail = name.partition(".0.")
    return tail if mark and head.startswith("_private") else name
