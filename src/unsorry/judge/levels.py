"""Normal forms of universe levels, in which parameters count by position.

Lean orders the arguments of `max` by the names of parameters, so that renaming a parameter can reorder them.  A normal
form is a maximum of atoms with offsets: zero, a parameter, or an `imax` that cannot be resolved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from unsorry.lean.names import Name
from unsorry.lean.terms import IMax, Level, Max, Param, Succ
from unsorry.lean.traversal import level_postorder

ZERO_ATOM = b"zero"
FREE = b"free"  # parameters that nobody declared: the kernel refuses all of them
MAX_ATOMS = 64  # a maximum of more is an atom itself, so that a hostile level costs no more than its size
Form = tuple[tuple[bytes, int], ...]  # sorted (atom, offset), one entry for each atom


class LevelForms:
    """Normal forms of the levels in one declaration; `params` are its universe parameters in order."""

    def __init__(self, params: Sequence[Name]) -> None:
        self._position = {name: index for index, name in enumerate(params)}
        self._forms: dict[Level, Form] = {}

    def form(self, level: Level) -> Form:
        """Equal for levels that are equal for all values of the parameters; the converse holds up to `imax`."""
        if level not in self._forms:
            for part in level_postorder(level, done=self._forms):
                self._forms[part] = self._make(part)
        return self._forms[level]

    def digest(self, level: Level) -> bytes:
        """sha256 of the normal form."""
        return _digest(self.form(level))

    def _make(self, level: Level) -> Form:
        if isinstance(level, Succ):
            return tuple((atom, offset + 1) for atom, offset in self._forms[level.level])
        if isinstance(level, Max):
            return _maximum(self._forms[level.left], self._forms[level.right])
        if isinstance(level, IMax):
            return self._imax(self._forms[level.left], self._forms[level.right])
        if isinstance(level, Param):
            index = self._position.get(level.name)
            return ((FREE if index is None else b"param %d" % index, 0),)
        return ((ZERO_ATOM, 0),)

    def _imax(self, left: Form, right: Form) -> Form:
        if right == ((ZERO_ATOM, 0),) or left in (((ZERO_ATOM, 0),), ((ZERO_ATOM, 1),)):
            return right  # imax x 0 = 0, imax 0 x = x, imax 1 x = x
        if any(offset > 0 for _, offset in right):
            return _maximum(left, right)
        return ((b"imax " + _digest(left) + _digest(right), 0),)


def _maximum(left: Form, right: Form) -> Form:
    found = dict(left)
    for atom, offset in right:
        found[atom] = max(offset, found.get(atom, 0))
    constant = found.get(ZERO_ATOM)
    if constant is not None and any(offset >= constant for atom, offset in found.items() if atom != ZERO_ATOM):
        del found[ZERO_ATOM]
    if len(found) > MAX_ATOMS:
        return ((b"max " + _digest(left) + _digest(right), 0),)
    return tuple(sorted(found.items()))


def _digest(form: Form) -> bytes:
    digest = hashlib.sha256()
    for atom, offset in form:
        digest.update(b"%d:%s+%d;" % (len(atom), atom, offset))
    return digest.digest()
