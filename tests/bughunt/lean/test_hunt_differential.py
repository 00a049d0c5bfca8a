"""Translated functions against compiled Rust."""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.hunt_differential import run, write_crate
from benchmarks.rust_programs import Programs

from unsorry.bughunt.differential import Comparison, compare, run_rust
from unsorry.bughunt.lean import Call, translate
from unsorry.bughunt.rust import read_crate
from unsorry.bughunt.samples import sample

CONSTRUCTS = Path(__file__).parent / "constructs"
needs_rust = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")


def told(total: Comparison) -> str:
    return "\n".join(f"{d.mode} {d.call}: Lean {d.lean}, Rust {d.rust}" for d in total.differences)


@needs_rust
def test_a_random_crate_does_the_same_in_lean_and_in_rust(tmp_path: Path) -> None:
    write_crate(tmp_path, Programs(11).crate(12))
    total, refused = Comparison(), Counter[str]()
    assert run(tmp_path, 600, 0, total, refused) >= 10, refused
    assert total.panics > 0 and not total.differences, told(total)


@needs_rust
def test_overflow_of_the_other_mode_is_a_difference(tmp_path: Path) -> None:
    write_crate(tmp_path, "pub fn next(a: u8) -> u8 { a + 1 }\n")
    crate = read_crate(tmp_path)
    debug, release = translate(crate), translate(crate, mode="release")
    calls = [Call("next", (255,)), Call("next", (7,))]
    found = compare(debug, tmp_path / "src" / "lib.rs", calls)
    assert (found.calls, found.panics, found.differences) == (2, 1, [])
    wrapped, same = run_rust(release, tmp_path / "src" / "lib.rs", calls)
    lean = compare(release, tmp_path / "src" / "lib.rs", calls)
    assert not lean.differences and wrapped != same
    assert run_rust(debug, tmp_path / "src" / "lib.rs", calls)[0] != wrapped


@needs_rust
@pytest.mark.slow
def test_every_construct_does_the_same_in_lean_and_in_rust() -> None:
    crate = read_crate(CONSTRUCTS)
    translation = translate(crate)
    assert not translation.refused and not crate.refused
    total = Comparison()
    run(CONSTRUCTS, 10_000, random.randrange(sys.maxsize), total, Counter())
    assert not total.differences, told(total)


def test_samples_reach_the_ends_of_types(tmp_path: Path) -> None:
    write_crate(tmp_path, "pub fn f(a: i8) -> i8 { a }\n")
    translation = translate(read_crate(tmp_path))
    chance = random.Random(0)
    (param,) = translation.functions["f"].params
    seen = {sample(param.ty, translation.shapes, chance) for _ in range(2000)}
    assert {-128, 127, 0, -1} <= seen
