"""Fixtures that every part shares."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import StrictJudge
from unsorry.judge.tiered import TieredJudge
from unsorry.lean import toolchain
from unsorry.lean.process import Unconfined
from unsorry.lean.toolchain import Toolchain

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch is loaded: several test processes share the cores
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job that a shell started in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

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


@pytest.fixture(scope="session")
def tiered(embedded: Toolchain) -> Iterator[TieredJudge]:
    """Both tiers over the embedded Lean, unconfined: for texts that the tests themselves wrote."""
    with TieredJudge(StrictJudge(embedded, Unconfined()), FastJudge(embedded, Unconfined())) as judge:
        yield judge
