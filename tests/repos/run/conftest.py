"""One benchmark for all tests of its scorer: it is only read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench_world import World, world

from unsorry.lean.toolchain import Toolchain


@pytest.fixture(scope="session")
def made(embedded: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    one = world(tmp_path_factory.mktemp("bench"), embedded)
    with one.scorer:
        yield one
