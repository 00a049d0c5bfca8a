"""Formats: how a problem is put to a model, and how a submission is taken from its answer.

    format = formats.make("goedel")
    messages = format.messages(problem)
    extracted = format.extract(problem, answer)

`plain` is for small models without a chat template, `goedel` for Goedel-Prover-V2 and other models that chat.
"""

from __future__ import annotations

from unsorry import UnsorryError
from unsorry.provers.formats.base import DEFECTS, Extracted, Feedback, Format, Messages, Tokenizer, Unsupported

__all__ = ["DEFECTS", "NAMES", "Extracted", "Feedback", "Format", "Messages", "Tokenizer", "Unsupported", "make"]

NAMES = ("plain", "goedel")


def make(name: str) -> Format:
    """The format called `name`; raises UnsorryError for a name that is not known."""
    if name == "plain":
        from unsorry.provers.formats.plain import Plain

        return Plain()
    if name == "goedel":
        from unsorry.provers.formats.goedel import Goedel

        return Goedel()
    raise UnsorryError(f"unknown format {name!r}: use one of {', '.join(NAMES)}")
