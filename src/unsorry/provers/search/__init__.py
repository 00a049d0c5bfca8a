"""Proof search without a model: see docs/search.md."""

from unsorry.provers.search.prover import SearchProver, SearchResult

__all__ = ["SearchProver", "SearchResult"]
