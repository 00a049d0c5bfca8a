"""What the hunter needs on this machine, for `unsorry doctor`."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator

from unsorry import UnsorryError
from unsorry.bughunt import rustc
from unsorry.bughunt.aeneas import pins


def lines() -> Iterator[tuple[str, bool | None, str, str]]:
    """About, whether it is there (None: not, but most of unsorry does without), what is found, how to mend it."""
    try:
        yield "Rust", True, rustc.find().version, ""
    except UnsorryError as error:
        yield "Rust", None, str(error), "only `unsorry hunt` needs it"
    absent = [name for name in ("tree_sitter", "tree_sitter_rust") if importlib.util.find_spec(name) is None]
    if absent:
        yield "Rust parser", None, f"{' and '.join(absent)} not here", "pip install 'unsorry[hunt]'"
    else:
        yield "Rust parser", True, "tree-sitter, tree-sitter-rust", ""
    if not (shutil.which("charon") or shutil.which("aeneas") or os.environ.get(pins.HOME)):
        says = "charon and aeneas are not here: `unsorry hunt` uses its own front end"
        yield "Aeneas", None, says, f"{pins.NIX}; its Lean library wants Lean and Mathlib {pins.LEAN}"
        return
    for check in pins.find().checks:
        yield f"Aeneas: {check.about}", None if check.ok is False else check.ok, check.says, check.fix
