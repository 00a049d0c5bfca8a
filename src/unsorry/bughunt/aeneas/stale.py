"""Generated Lean says which Rust it is of, so that nothing is proved of a program that is no more."""

from __future__ import annotations

import re
from pathlib import Path

from unsorry import UnsorryError

_MARK = re.compile(r"-- unsorry hunt: of Rust sources (\w+)\n")


def mark(folder: Path, source_hash: str) -> None:
    """Write the hash of the Rust sources into the first line of every Lean file below `folder`."""
    for path in sorted(folder.rglob("*.lean")):
        if path.is_symlink():
            continue
        text = _MARK.sub("", path.read_text(encoding="utf-8"), count=1)
        path.write_text(f"-- unsorry hunt: of Rust sources {source_hash}\n{text}", encoding="utf-8")


def check(folder: Path, source_hash: str) -> None:
    """Raises UnsorryError if a Lean file below `folder` is of other sources, or does not say of which."""
    files = sorted(path for path in folder.rglob("*.lean") if not path.is_symlink())
    if not files:
        raise UnsorryError(f"{folder} holds no Lean: extract the crate first")
    for path in files:
        found = _MARK.match(path.read_text(encoding="utf-8", errors="replace"))
        if found is None:
            raise UnsorryError(f"{path} does not say of which Rust it is: extract the crate again")
        if found[1] != source_hash:
            raise UnsorryError(f"{path} is of other Rust sources ({found[1][:12]}, now {source_hash[:12]}): "
                               "extract the crate again")  # fmt: skip
