"""Prover + judge -> attempts."""
