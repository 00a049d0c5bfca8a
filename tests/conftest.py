"""Fixtures that every part shares."""

from __future__ import annotations

from pathlib import Path

import pytest

from unsorry.lean import toolchain
from unsorry.lean.toolchain import Toolchain

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def embedded() -> Toolchain:
    """The real embedded Lean; its core library is compiled at the first use on a machine."""
    return toolchain.embedded()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Files beside the checkout that the project does not depend on."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there: this test reads problem files that are not part of the project")
    return SHARED
