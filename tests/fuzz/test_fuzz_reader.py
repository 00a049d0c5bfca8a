"""The reader on the seeds of the fuzzer, on what once showed a fault, on changed files; a short run of the fuzzer."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from benchmarks import fuzz_check, fuzz_seeds
from benchmarks.fuzz_check import Finding
from benchmarks.fuzz_mutations import CHANGES, Change, mutate
from benchmarks.fuzz_objects import FIRST, parse
from hypothesis import given, settings
from hypothesis import strategies as st

SEEDS = fuzz_seeds.load()
SMALL = sorted(name for name, data in SEEDS.items() if len(data) < 20_000 and not name.startswith("found-"))
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", SEEDS)
def test_every_seed_passes_and_all_but_findings_are_modules(name: str) -> None:
    assert fuzz_check.check(SEEDS[name]) or name.startswith("found-")


def test_the_seeds_are_small_and_as_many_as_their_sources() -> None:
    assert {name for name in SEEDS if not name.startswith("found-")} == set(fuzz_seeds.SOURCES)
    assert sum(path.stat().st_size for path in fuzz_seeds.FOLDER.glob("*.xz")) < 300_000


@pytest.mark.parametrize("name", [name for name in SMALL if name != "parts"])
def test_objects_are_found_without_the_reader(name: str) -> None:
    """They fill the file from the first to the last word, and a layout that nobody changed gives the same bytes."""
    layout = parse(SEEDS[name])
    assert layout.data() == SEEDS[name]
    assert [o.at for o in layout.objects] == [FIRST, *(o.at + o.size for o in layout.objects[:-1])]
    assert layout.objects[-1].at + layout.objects[-1].size == len(layout.words)
    assert 2 <= len(layout.live) <= len(layout.objects)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(SMALL), st.integers(0, 2**32), st.integers(1, 3))
def test_no_change_raises_anything_but_the_readers_error(change: Change, name: str, seed: int, times: int) -> None:
    """Time and memory are bounded by the file's size, one declaration alone is what it is among all."""
    parts = list(fuzz_check.files(SEEDS[name]))
    luck = Random(seed)
    which = luck.randrange(len(parts))
    layout = parse(parts[which])
    for _ in range(times):
        if len(layout.words) > FIRST:
            change(layout, luck)
    parts[which] = layout.data()
    fuzz_check.check(parts[0] if len(parts) == 1 else fuzz_check.pack(*parts))


def test_changes_get_behind_the_first_checks() -> None:
    """Of many changed files a good part can be read: otherwise only the front door would be tried."""
    luck = Random(1)
    read = sum(fuzz_check.check(mutate(SEEDS["proof"], luck)) for _ in range(150))
    assert 30 < read < 140


def test_a_limit_that_is_passed_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_check, "SECONDS", -1.0)
    with pytest.raises(Finding, match="s for 872 bytes"):
        fuzz_check.check(SEEDS["empty"])


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="the fuzzer atheris is not on this platform")
def test_the_fuzzer_runs_grows_its_corpus_and_reports_what_it_finds(tmp_path: Path) -> None:
    corpus, findings = tmp_path / "corpus", tmp_path / "findings"
    corpus.mkdir()
    for name in SMALL[:6]:
        (corpus / name).write_bytes(SEEDS[name])
    folders = [str(findings), str(corpus)]
    command = [sys.executable, "-m", "benchmarks.fuzz_target", *folders, "-runs=400", "-max_len=65536"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert len(list(corpus.iterdir())) > 10 and not list(findings.iterdir())
    broken = "import benchmarks.fuzz_check as c; c.SECONDS = -1.0; from benchmarks import fuzz_target as t; t.main()"
    command = [sys.executable, "-c", broken, *folders, "-runs=40"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "FINDING Finding-fuzz_check" in run.stdout and len(list(findings.iterdir())) == 1
