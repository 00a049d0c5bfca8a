"""A judge on the real embedded Lean, shared by the tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unsorry.judge import StrictJudge
from unsorry.lean.process import Confinement, Unconfined
from unsorry.lean.toolchain import Toolchain


@pytest.fixture(scope="session")
def plain() -> Confinement:
    """What the judge's own tests run in; the sandbox has tests of its own."""
    return Unconfined()


@pytest.fixture(scope="session")
def judge(embedded: Toolchain, plain: Confinement) -> Iterator[StrictJudge]:
    with StrictJudge(embedded, plain) as made:
        yield made


@pytest.fixture(scope="session")
def full(embedded: Toolchain, plain: Confinement) -> Iterator[StrictJudge]:
    """The reference: the library's part of each proof is checked too."""
    with StrictJudge(embedded, plain, full_replay=True) as made:
        yield made
