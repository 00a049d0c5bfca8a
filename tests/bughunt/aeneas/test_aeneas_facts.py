"""Aeneas' facts: read strictly, joined by name or place, and Lean that says which Rust it is of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.bughunt import ir
from unsorry.bughunt.aeneas import facts, stale
from unsorry.bughunt.aeneas.commands import charon_name, lean_name, our_path

FIXTURE = Path(__file__).parent / "fixtures/translation.json"


def function(path: str, line: int) -> ir.Function:
    return ir.Function(path, (), (), ir.UNIT, None, span=ir.Span("src/lib.rs", line, line + 2, 0, 0))


@pytest.fixture
def crate() -> ir.Crate:
    places = {"compare_deadlines": 14, "<Job as Ord>::cmp": 30, "before": 45, "first": 51, "run_all": 62, "lost": 90}
    return ir.Crate("scheduler", functions=tuple(function(path, line) for path, line in places.items()))


def test_facts_are_joined(crate: ir.Crate) -> None:
    joined = facts.join(crate, facts.read(FIXTURE))
    by_path = {f.path: f for f in joined.crate.functions}
    assert not by_path["compare_deadlines"].can_fail
    assert by_path["first"].can_diverge and by_path["<Job as Ord>::cmp"].can_fail
    assert by_path["run_all"].opaque and not by_path["first"].opaque
    assert joined.entries["before"].rust_name == "scheduler::renamed_by_a_macro"  # by its place
    assert [entry.rust_name for entry in joined.strangers] == ["core::cmp::Ord::max"]


def test_facts_are_told(crate: ir.Crate) -> None:
    joined = facts.join(crate, facts.read(FIXTURE))
    told = {f.path: f for f in facts.function_facts(joined, {"lost": "charon: error: no"})}
    assert (told["first"].state, told["first"].lean_name) == ("translated by Aeneas", "Scheduler.first")
    assert told["run_all"].state == "opaque" and "axiom" in told["run_all"].reason
    assert (told["lost"].state, told["lost"].reason) == ("refused", "by Aeneas: charon: error: no")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"lean_name": None}, "has no lean_name"),
        ({"rust_name": 3}, "has no rust_name"),
        ({"can_fail": "yes"}, "does not say can_fail"),
        ({"is_opaque": None}, "does not say is_opaque"),
        ({"lines": [1]}, "lines must be"),
        ({"lines": [True, 2]}, "lines must be"),
        ({"file": 1}, "lines must be"),
    ],
)
def test_another_format_is_refused_by_name(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    data = json.loads(FIXTURE.read_text())
    data["functions"][2].update(change)
    (path := tmp_path / "translation.json").write_text(json.dumps(data))
    with pytest.raises(UnsorryError, match=complaint):
        facts.read(path)


@pytest.mark.parametrize("text", ["", "{}", '{"functions": {}}', "3", "[3]", "[" * 100_000])
def test_what_is_no_translation_is_one_line(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "translation.json").write_text(text)
    with pytest.raises(UnsorryError, match=r"translation\.json"):
        facts.read(path)


@pytest.mark.parametrize(
    "path",
    ["f", "m::f", "Job::run", "m::n::Job::run", "<Job as Ord>::cmp", "<m::Job as Display>::fmt"],
)
def test_names_come_back(path: str) -> None:
    assert our_path("my-crate", charon_name("my-crate", path)) == path


def test_names_of_charon() -> None:
    assert charon_name("c", "m::Job::run") == "c::m::{c::m::Job}::run"
    assert our_path("c", "c::m::{impl c::m::Job}::run") == "m::Job::run"
    assert our_path("c", "c::m::{impl core::cmp::PartialOrd<c::Job> for c::Job}::lt").startswith("<Job as ")
    assert our_path("c", "c::{c::Ring<T>}::push") == "Ring::push"
    assert our_path("c", "core::mem::swap") == "core::mem::swap"
    assert (lean_name("ring-log_2"), lean_name("7z")) == ("RingLog2", "C7z")


def test_stale_lean_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Funs.lean").write_text("import Aeneas\n")
    with pytest.raises(UnsorryError, match="does not say"):
        stale.check(tmp_path, "aa")
    stale.mark(tmp_path, "aa")
    stale.check(tmp_path, "aa")
    with pytest.raises(UnsorryError, match="other Rust sources"):
        stale.check(tmp_path, "bb")
    stale.mark(tmp_path, "bb")  # again: the mark is replaced, not added to
    assert (tmp_path / "Funs.lean").read_text() == "-- unsorry hunt: of Rust sources bb\nimport Aeneas\n"
    with pytest.raises(UnsorryError, match="holds no Lean"):
        stale.check(tmp_path / "none", "bb")
