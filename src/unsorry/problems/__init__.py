"""Problem sets: JSONL files, Lean files with sorries, importers."""

from unsorry.problems.load import load

__all__ = ["load"]
