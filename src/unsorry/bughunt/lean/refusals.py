"""Why a function is not translated."""

from __future__ import annotations

from unsorry.bughunt import ir


class Untranslatable(Exception):
    """Something that the translation to Lean does not know; it becomes a `Refused` of its function."""

    def __init__(self, code: str, message: str, span: ir.Span = ir.NOWHERE) -> None:
        super().__init__(message)
        self.code, self.message, self.span = code, message, span
