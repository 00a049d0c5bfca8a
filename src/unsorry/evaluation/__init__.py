"""Attempts on disk, pass@k, tables: what was tried and what it says."""
