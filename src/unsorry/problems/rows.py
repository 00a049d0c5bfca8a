"""Rows of published data sets as problems: which column says what, and where a statement ends and a proof begins.

Data sets write the same thing in many ways: the header in a column of its own or in the text, the statement ending in
`:= by sorry`, `:= sorry`, `:= by` or with a whole proof.  All become a Problem whose proof is one sorry.  What would
not be the same statement afterwards is refused with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from unsorry import Problem, UnsorryError
from unsorry.lean.source import Command, Source, parse

# What a column may be called, the likeliest first.  `problem_id`, `full_proof`: Lean-workbook-proofs; `lean4_code`:
# Goedel-Prover-V2's miniF2F; `lean4_statement`: PutnamBench; `theoremStatement`, `srcContext`: miniCTX;
# `full_name`, `prop_defn`, `deps`: miniCodeProps.
COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "name": ("name", "problem_id", "problem_name", "theorem_name", "theoremName", "full_name", "id"),
        "statement": (
            "lean4_code", "formal_statement", "lean4_statement", "theorem_statement", "theoremStatement",
            "statement", "full_proof", "prop_defn",
        ),
        "header": ("header", "lean4_header", "srcContext", "deps"),
        "split": ("split",),
        "family": ("family", "source", "tag"),
    }
)  # fmt: skip

# The header that data sets without one mean: that of DeepSeek-Prover and Goedel-Prover.
MATHLIB = "import Mathlib\nimport Aesop\n\nset_option maxHeartbeats 400000\n\nopen BigOperators Real Nat Topology Rat\n"

_PROVABLE = ("theorem", "lemma")
_UNFINISHED = re.compile(r":=(\s*by)?\s*\Z")


class Refused(Exception):
    """Why a row is no problem; one line."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The column of each part; "" where the data set has none."""

    name: str
    statement: str
    header: str = ""
    split: str = ""
    family: str = ""


def columns(keys: Sequence[str], given: Mapping[str, str], where: str) -> Columns:
    """The columns by their names, `given` ones first; UnsorryError where the statement's is not to be found."""
    for part, column in given.items():
        if part not in COLUMNS:
            raise UnsorryError(f"--column {part}={column}: the parts are {', '.join(COLUMNS)}")
        if column not in keys:
            raise UnsorryError(f"{where} has no column {column!r}; it has {', '.join(keys)}")
    found = {part: given.get(part) or next((c for c in names if c in keys), "") for part, names in COLUMNS.items()}
    if not found["statement"]:
        raise UnsorryError(
            f"{where} has no column that is known to hold a statement: name it with --column statement=COLUMN; "
            f"it has {', '.join(keys)}"
        )
    if not found["name"]:
        raise UnsorryError(
            f"{where} has no column that is known to hold a name: name it with --column name=COLUMN; "
            f"it has {', '.join(keys)}"
        )
    return Columns(**found)


def problem(row: Mapping[str, Any], places: Columns, *, origin: str, header: str = "", split: str = "") -> Problem:
    """The problem in a row; `header` is what a text without imports gets.  Raises Refused."""
    name, text = row.get(places.name), row.get(places.statement)
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise Refused(f"the column {places.name} holds no name")
    if not isinstance(text, str) or not text.strip():
        raise Refused(f"the column {places.statement} holds no text")
    own = row.get(places.header) if places.header else None
    if isinstance(own, str) and own.strip() and own.strip() not in text:
        text = f"{own.rstrip()}\n\n{text}"
    source = _parse(_finished(text))
    if not source.header.imports and header:
        source = _parse(f"{header.rstrip()}\n\n{source.text.lstrip()}")
    targets = _targets(source)
    body, last = source.text, targets[-1]
    start = targets[0].start
    end = body.rstrip()[: targets[0].body] if len(targets) == 1 else body[: last.body]
    return Problem(
        id=str(name).strip(),
        statement=f"{end[start:].rstrip()} := by sorry",
        targets=tuple(target.name for target in targets),
        header=body[: source.header.end].strip(),
        preamble=body[source.header.end : start].strip("\n"),
        origin=origin,
        family=_text(row, places.family),
        split=split or _text(row, places.split),
    )


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column) if column else None
    return value.strip() if isinstance(value, str) else ""


def _finished(text: str) -> str:
    """Statements that end in `:=` or `:= by` get their sorry."""
    text = text.replace("\r\n", "\n").rstrip()
    return f"{text} sorry" if _UNFINISHED.search(text) else text


def _parse(text: str) -> Source:
    try:
        return parse(text)
    except UnsorryError as error:
        raise Refused(f"the text is no Lean: {error}") from None


def _targets(source: Source) -> list[Command]:
    """The theorems to prove: those with a hole, or the last one where all are proved."""
    theorems = [c for c in source.commands if c.kind in _PROVABLE]
    if not theorems:
        raise Refused("the text states no theorem")
    holes = {hole.command for hole in source.holes}
    other = [source.commands[i] for i in sorted(holes) if source.commands[i].kind not in _PROVABLE]
    if other:
        raise Refused(f"{source.label(other[0])} ({other[0].kind}) is left open: put the answer in its place first")
    if any(hole.in_signature for hole in source.holes):
        raise Refused("a statement has a hole in it")
    targets = [source.commands[i] for i in sorted(holes)] or theorems[-1:]
    if any(c is not targets[-1] and c.start > targets[0].start for c in theorems if c not in targets):
        raise Refused("a proved theorem stands between open ones")
    for target in targets:
        if not target.name:
            raise Refused("the theorem has no name")
        if target.in_mutual:
            raise Refused(f"{target.name} stands in a mutual block")
        if target.body < 0 or not source.text.startswith(":=", target.body):
            raise Refused(f"the proof of {target.name} is not written with `:=`")
    return targets
