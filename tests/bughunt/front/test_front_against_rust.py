"""The whole way on odd programs: what the front end read, run by Lean, does what rustc's program does."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from unsorry.bughunt.differential import compare
from unsorry.bughunt.lean.evaluate import Call
from unsorry.bughunt.lean.translate import translate
from unsorry.bughunt.rust import read_crate
from unsorry.bughunt.samples import sample

FOLDER = Path(__file__).parent


def test_odd_programs_come_through() -> None:
    for name in ("odd", "odder"):
        crate = read_crate(FOLDER / name)
        assert [f.refusal for f in crate.functions if f.body is None] == []
        assert not crate.refused


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["debug", "release"])
@pytest.mark.parametrize("name", ["odd", "odder"])
def test_odd_programs_run_as_in_rust(name: str, mode) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not on this machine")
    crate = read_crate(FOLDER / name)
    translation = translate(crate, mode=mode, bound=2000)
    chance = random.Random(20)
    calls = []
    for path in translation.functions:
        function = crate.function(path)
        assert function is not None
        if function.public and not function.generics and function.owner is None:
            for _ in range(60):
                calls.append(Call(path, tuple(sample(p.ty, translation.shapes, chance) for p in function.params)))
    found = compare(translation, FOLDER / name / "src" / "lib.rs", calls)
    assert found.differences == []
    assert found.calls > 1000 and 0 < found.panics < found.calls
