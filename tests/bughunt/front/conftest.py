"""Crates made of text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from unsorry.bughunt import ir
from unsorry.bughunt.rust import read_crate

MANIFEST = '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n'
Make = Callable[..., ir.Crate]


@pytest.fixture
def crate_of(tmp_path: Path) -> Make:
    """Reads a crate whose src/lib.rs is the text; more files by keyword-like mapping from path to text or bytes."""

    def make(text: str | bytes, files: dict[str, str | bytes] | None = None) -> ir.Crate:
        for name, content in {"Cargo.toml": MANIFEST, "src/lib.rs": text, **(files or {})}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_crate(tmp_path)

    return make
