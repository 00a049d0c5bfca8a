"""Fill the sorries of a Lean file with proofs that the strict judge accepts."""

from unsorry.scaffolds.fill.document import Document, open_document, parse_target, select
from unsorry.scaffolds.fill.fill import Filler, Outcome, Settings
from unsorry.scaffolds.fill.output import Output

__all__ = ["Document", "Filler", "Outcome", "Output", "Settings", "open_document", "parse_target", "select"]
