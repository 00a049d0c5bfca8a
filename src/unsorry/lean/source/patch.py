"""Put a proof where a hole was."""

from __future__ import annotations

from unsorry.lean.source.holes import Hole


def replace_hole(text: str, hole: Hole, proof: str) -> str:
    """`text` with the hole replaced; lines of the proof after its first are indented to stand where the hole stood."""
    return text[: hole.start] + indent_after_first(proof, hole.indent) + text[hole.end :]


def indent_after_first(proof: str, columns: int) -> str:
    """The proof with `columns` spaces before each line but the first, and before no empty one."""
    first, *rest = proof.strip("\n").split("\n")
    return "\n".join([first, *(" " * columns + line if line.strip() else line for line in rest)])
