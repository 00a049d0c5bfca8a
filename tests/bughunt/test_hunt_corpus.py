"""The corpus of 30 crates: what it says of itself is true, and the hunter finds what is planted and nothing else.

Of the strangers' crates some bugs are missed; no test asks for them, only for no false claim.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from benchmarks import hunt_corpus
from benchmarks.hunt_expectations import STRANGERS, Comparison, Expectation, compare, corpus

from unsorry import Problem
from unsorry.bughunt.engine import hunt
from unsorry.bughunt.findings import Build, Claim, CrateReport, Fault, Finding, Kind, Lines, Reason, Status
from unsorry.bughunt.options import Options
from unsorry.judge import StrictJudge
from unsorry.judge.sandbox import choose
from unsorry.lean.toolchain import Toolchain

ALL = corpus()
DIRTY = [e for e in ALL if not e.clean]
STRANGE = corpus(crates=STRANGERS)
QUICK = Options(prove=False, inputs=5_000, budget=None)

needs_cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed: see https://rustup.rs")


def test_the_corpus_is_whole() -> None:
    assert len(ALL) == 30 and len(DIRTY) == 18
    for e in ALL:
        text = "\n".join(path.read_text() for path in sorted((e.folder / "src").rglob("*.rs")))
        assert e.refused, f"{e.crate}: every crate has something outside of the subset"
        for path in [*(bug.function for bug in e.bugs), *(path for path, _ in e.refused)]:
            assert re.search(rf"\bfn {path.rpartition('::')[2]}\b", text), f"{e.crate}: there is no {path}"
        assert not re.search(r"(?i)\bbug\b|planted|fixme", text), f"{e.crate}: the source tells"
        manifest = (e.folder / "Cargo.toml").read_text()
        assert "dependencies" not in manifest and f'name = "{e.crate}"' in manifest


def test_the_strangers_crates_are_whole() -> None:
    assert len(STRANGE) == 20 and sum(len(e.bugs) for e in STRANGE) == 20 and sum(e.clean for e in STRANGE) == 10
    assert not {e.crate for e in STRANGE} & {e.crate for e in ALL}
    for e in STRANGE:
        text = (e.folder / "src/lib.rs").read_text()
        for path in [*(bug.function for bug in e.bugs), *(path for path, _ in e.arguable)]:
            assert re.search(rf"\bfn {path.rpartition('::')[2]}\b", text), f"{e.crate}: there is no {path}"
        manifest = (e.folder / "Cargo.toml").read_text()
        assert "dependencies" not in manifest and f'name = "{e.crate}"' in manifest


def claimed(function: str, fault: Fault) -> Finding:
    """A confirmed claim."""
    return Finding(function, Claim.CONFIRMED, Reason.NONE, "", fault, function, "", Kind.PANIC_FREE, Lines())


def test_what_is_arguable_is_counted_apart() -> None:
    """Neither planted nor an alarm, but only with its own fault; and what is missed stays missed."""
    [backoff] = corpus(("backoff",), STRANGERS)
    claims = (claimed("jitter", Fault.WRONG), claimed("join_ms", Fault.OVERFLOW), claimed("join_ms", Fault.WRONG))
    found = compare(backoff, CrateReport("backoff", "", "", findings=claims))
    assert [bug.function for bug in found.found] == ["jitter"]
    assert [bug.function for bug in found.missed] == ["Backoff::delay"]
    assert found.arguable == claims[1:2] and found.alarms == claims[2:]
    told = hunt_corpus.summary([found], "strangers' crates")
    assert "planted bugs confirmed: 1 of 2\n" in told
    assert "confirmed and planted: 1 of 3, precision of what is confirmed 33 %; 1 false, 1 arguable" in told


@needs_cargo
@pytest.mark.slow
@pytest.mark.parametrize("expectation", [*ALL, *STRANGE], ids=lambda e: e.crate)
def test_the_expectations_are_true(expectation: Expectation, tmp_path: Path) -> None:
    """Without the hunter: what should hold does not, for every planted bug; the examples of clean crates do."""
    crate = tmp_path / expectation.crate
    shutil.copytree(expectation.folder, crate)
    (crate / "tests").mkdir()
    tests = "".join(
        f"#[test]\nfn planted_{number}() {{ assert!({bug.should_hold}) }}\n"
        for number, bug in enumerate(expectation.bugs)
    )
    (crate / "tests/planted.rs").write_text(tests)
    words = ["--doc"] if expectation.clean else ["--test", "planted"]
    done = subprocess.run(
        ["cargo", "test", "--offline", "-q", *words],
        cwd=crate,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    results = re.findall(r"(\d+) passed; (\d+) failed", done.stdout)
    assert results, done.stderr
    if expectation.clean:
        assert done.returncode == 0, done.stdout
    else:
        assert results[-1] == ("0", str(len(expectation.bugs))), done.stdout


def all_fail(found: Comparison, tmp_path: Path) -> bool:
    """Whether plain `cargo test` fails each confirmed claim's test, pasted into a copy of the crate as it is."""
    crate = tmp_path / found.expectation.crate
    shutil.copytree(found.expectation.folder, crate)
    tests = "\n".join(finding.test for finding in found.report.confirmed)
    with (crate / "src/lib.rs").open("a") as file:
        file.write(f"\n#[cfg(test)]\nmod hunted {{\n{tests}\n}}\n")
    words = ["cargo", "test", "--offline", "-q", "--lib", "hunted"]
    done = subprocess.run(words, cwd=crate, capture_output=True, text=True, check=False, timeout=600)
    return re.findall(r"(\d+) passed; (\d+) failed", done.stdout) == [("0", str(len(found.report.confirmed)))]


@needs_cargo
@pytest.mark.parametrize("name", ["bisect", "interval"])
def test_a_crate_with_bugs_and_a_clean_one(name: str, tmp_path: Path) -> None:
    """Rust alone: the planted bugs are confirmed by tests that failed, nothing else is."""
    [expectation] = corpus((name,))
    found = compare(expectation, hunt(expectation.folder, QUICK))
    assert not found.missed and not found.alarms and not found.hunted
    for finding in found.report.confirmed:
        assert finding.test.startswith("#[test]") and finding.builds
        run = finding.debug if Build.DEBUG in finding.builds else finding.release
        assert run is not None and run.failed and run.message
    assert expectation.clean or all_fail(found, tmp_path)


@needs_cargo
@pytest.mark.slow
def test_the_whole_corpus(embedded: Toolchain, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything: 40 planted bugs confirmed, no false alarm on clean crates, proofs accepted by the strict judge."""
    comparisons, broken = hunt_corpus.run(ALL, Options(budget=300.0), workers=2)
    assert not broken
    with capsys.disabled():
        print(f"\n{hunt_corpus.summary(comparisons)}")
    for c in comparisons:
        assert not c.missed, f"{c.expectation.crate}: {c.missed}"
        assert not c.alarms, f"{c.expectation.crate}: {c.alarms}"
        assert not c.hunted, f"{c.expectation.crate}: {c.hunted}"
        assert c.expectation.clean or all_fail(c, tmp_path)
    with StrictJudge(embedded, choose("strict")) as judge:
        for c in comparisons:
            proofs = [o for o in c.report.outcomes if o.status is Status.PROVED and o.proof]
            for outcome in proofs[:2]:  # each was judged when it was found: by a fresh judge again
                prop = outcome.property
                before = outcome.proof[: outcome.proof.index(f"theorem {prop.target}")]
                problem = Problem(prop.id, prop.lean, (prop.target,), preamble=before)
                assert judge.judge(problem, outcome.proof).accepted, f"{c.expectation.crate}: {prop.title}"
    assert sum(c.report.count(Status.PROVED) for c in comparisons) >= 20


@needs_cargo
@pytest.mark.slow
def test_no_false_claim_on_the_strangers_crates(capsys: pytest.CaptureFixture[str]) -> None:
    """Rust alone: what is confirmed there is planted or arguable."""
    comparisons, broken = hunt_corpus.run(STRANGE, Options(prove=False, budget=None), workers=2)
    assert not broken
    with capsys.disabled():
        print("\n" + hunt_corpus.summary(comparisons, "strangers' crates"))
    for c in comparisons:
        assert not c.alarms, f"{c.expectation.crate}: {c.alarms}"
