"""A hunt through one crate: properties, Rust tests, Lean, proofs, claims, in the order of what they cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unsorry.bughunt.findings import CrateReport
from unsorry.bughunt.options import Options

Progress = Callable[[str], None]  # one line for a person: what is being done


def hunt(crate: Path, options: Options | None = None, progress: Progress | None = None) -> CrateReport:
    """Everything that was found in the crate in the folder `crate` (the one with Cargo.toml).

    Raises UnsorryError for a folder that is no crate, a crate that does not compile, dependencies that are not
    vendored, and a host without cargo or a sandbox.  A function that cannot be hunted is told in the report.
    """
    raise NotImplementedError
