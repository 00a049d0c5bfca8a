"""What a hunt may do and spend."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """`engine.hunt` takes it.

    `budget` is seconds for the whole crate, None for no limit but those of each step.  `function` is a path of the
    crate, or the last part of one; "" is all.  `provers` are names as for `unsorry prove --prover`; they are asked in
    order, the first that proves wins.  `attempts` is the number of tries at a proof, and again at its negation.
    `propose` names a model as `unsorry agent --model` does; it is asked for properties, "" asks none.
    """

    function: str = ""
    budget: float | None = 600.0
    provers: tuple[str, ...] = ("search",)
    attempts: int = 4
    turns: int = 30  # of a model, a try; errors go back to it
    prove: bool = True  # False: Rust testing and Lean evaluation only
    prove_seconds: float = 20.0  # of a prover, a property
    inputs: int = 20_000  # random inputs, a property
    test_seconds: float = 10.0  # of Rust testing, a property
    seed: int = 0
    sandbox: str = "strict"
    propose: str = ""
    proposals: int = 4  # of a function, at most
    prices: Path | None = None  # the file with prices of models
    answers: Path | None = None  # a journal: what the model answered once is not asked and paid again
    kinds: frozenset[str] = field(default_factory=frozenset)  # findings.Kind values; empty: all
