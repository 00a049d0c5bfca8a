"""Fenced code in free text: which block is the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unsorry import Problem, UnsorryError
from unsorry.lean.source import parse
from unsorry.provers.extraction import extract_code, extract_proof
from unsorry.provers.formats.base import Extracted

MAX_BLOCKS = 64  # looked at, from the last; a limit keeps the cost of hostile text linear
MAX_CLOSINGS = 8  # fences tried as the end of one block
_FENCE = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*?)[ \t]*\r?$", re.MULTILINE)
_LEAN = frozenset({"", "lean", "lean4", "lean 4"})
_HOLDS_NOTHING = frozenset({"no_proof", "unparsable"})


@dataclass(frozen=True, slots=True)
class Block:
    code: str
    complete: bool  # whether its closing fence is there
    info: str


def blocks(output: str) -> list[Block]:
    """The fenced blocks: a fence in a Lean comment or string ends none, an opening one ends the block before it."""
    fences = list(_FENCE.finditer(output))
    found: list[Block] = []
    at = 0
    while at < len(fences):
        opening = fences[at]
        info = opening["info"].lower()
        end, at, complete = _closing(output, fences, at, info in _LEAN)
        found.append(Block(output[opening.end() + 1 : end], complete, info))
    return found


def _closing(output: str, fences: list[re.Match[str]], at: int, lean: bool) -> tuple[int, int, bool]:
    """Where the block that opens at a fence ends, the fence to go on from, and whether it was closed."""
    opening = fences[at]
    candidates = [
        (index, fence)
        for index, fence in enumerate(fences[at + 1 : at + 1 + 4 * MAX_CLOSINGS], at + 1)
        if fence["fence"].startswith(opening["fence"])
    ][:MAX_CLOSINGS]
    for index, fence in candidates:
        if lean and not _whole(output[opening.end() + 1 : fence.start()]):
            continue
        if not fence["info"]:
            return fence.start(), index + 1, True
        if fence["info"].lower() in _LEAN:
            return fence.start(), index, False
    closing = next(((index, fence) for index, fence in candidates if not fence["info"]), None)
    if closing is None:
        return len(output), len(fences), False
    return closing[1].start(), closing[0] + 1, True


def _whole(code: str) -> bool:
    """Whether no comment and no string is open at its end."""
    try:
        parse(code)
    except UnsorryError:
        return False
    return True


def extract_answer(problem: Problem, output: str, negated: Problem | None) -> Extracted:
    """The proof, or disproof, in the last complete block that holds the target."""
    every = [block for block in blocks(output) if block.info in _LEAN]
    for block in reversed([block for block in every if block.complete][-MAX_BLOCKS:]):
        found = _either(problem, block.code, negated)
        if found.defect not in _HOLDS_NOTHING:
            return found
    for block in reversed([block for block in every if block.complete][-MAX_BLOCKS:]):
        if block.code.lstrip().startswith((":=", "by")) and block.code.split(None, 1)[0] in (":=", "by"):
            return extract_proof(problem, block.code.strip().removeprefix(":="))
    if any(not block.complete for block in every):
        return Extracted("", defect="unterminated")
    if not every:
        return _either(problem, output, negated)
    return Extracted("", defect="no_proof")


def _either(problem: Problem, code: str, negated: Problem | None) -> Extracted:
    """The proof in the code, else the disproof; the other statement, which a model may repeat, is left out."""
    found = extract_code(problem, code, without=frozenset(negated.targets if negated else ()))
    if negated is None or not (found.defect == "copied_statement" or found.defect in _HOLDS_NOTHING):
        return found
    other = extract_code(negated, code, without=frozenset(problem.targets))
    if other.source:
        return Extracted(other.source, True, other.defect)
    return found
