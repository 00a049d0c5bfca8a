"""Provers: they propose complete Lean sources for problems; the judge decides."""

from unsorry.provers.search import SearchProver, SearchResult

__all__ = ["SearchProver", "SearchResult"]
