"""The format of small models without a chat template: special tokens around Lean text."""

from __future__ import annotations

STATEMENT = "<|statement|>"
PROOF = "<|proof|>"
DISPROOF = "<|disproof|>"
ERROR = "<|error|>"
LEMMA = "<|lemma|>"
END = "<|end|>"
SPECIAL_TOKENS = (STATEMENT, PROOF, DISPROOF, LEMMA, ERROR, END)  # a tokenizer for this format holds each as one token
