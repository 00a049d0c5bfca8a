"""Certificates against tampering: every byte, sections swapped between genuine ones, forgeries with a new seal."""

from __future__ import annotations

import copy
import json
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from unsorry import Problem, UnsorryError
from unsorry.judge import StrictJudge, certificate
from unsorry.redteam.judges import Bench

A = Problem("a", "theorem a (p q : Prop) (h : p ∧ q) : q := by sorry", ("a",))
PROOF_A = "theorem a (p q : Prop) (h : p ∧ q) : q := h.2"
B = Problem("b", "theorem b (n : Nat) : n = n ∨ False := by sorry", ("b",))
PROOF_B = "theorem b (n : Nat) : n = n ∨ False := by simp"
GENUINE: dict[str, dict[str, Any]] = {}


@pytest.fixture(scope="module")
def judge(bench: Bench) -> StrictJudge:
    return StrictJudge(bench.toolchain, bench.confinement)


@pytest.fixture(scope="module", autouse=True)
def genuine(judge: StrictJudge) -> dict[str, dict[str, Any]]:
    with ExitStack() as stack:
        stack.enter_context(judge)
        for name, problem, proof in (("a", A, PROOF_A), ("b", B, PROOF_B)):
            made = judge.judge(problem, proof).certificate
            assert made is not None
            GENUINE[name] = json.loads(json.dumps(made))
    return GENUINE


def resealed(forged: dict[str, Any]) -> dict[str, Any]:
    """As somebody would write it who knows how digests are made."""
    return {**forged, "digest": certificate._seal(forged)}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))] or [path]
    if isinstance(value, list):
        return [leaf for key, inner in enumerate(value) for leaf in leaves(inner, (*path, key))] or [path]
    return [path]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    made = copy.deepcopy(value)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return made


def test_they_are_genuine() -> None:
    certificate.verify(GENUINE["a"], A, PROOF_A)
    certificate.verify(GENUINE["b"], B, PROOF_B)


def test_a_section_of_another_genuine_certificate_is_found() -> None:
    for key in GENUINE["a"]:
        swapped = {**GENUINE["a"], key: GENUINE["b"][key]}
        if swapped == GENUINE["a"]:
            continue  # the same toolchain, the same kernel
        with pytest.raises(UnsorryError, match="does not fit"):
            certificate.verify(swapped, A, PROOF_A)


def test_the_digests_of_another_problem_or_submission_are_found_under_a_new_seal() -> None:
    for section in ("problem", "submission"):
        forged = resealed({**GENUINE["a"], section: GENUINE["b"][section]})
        with pytest.raises(UnsorryError, match="does not fit"):
            certificate.verify(forged, A, PROOF_A)


def test_an_acceptance_is_not_moved_to_another_statement_or_proof() -> None:
    for problem, proof in ((B, PROOF_B), (A, PROOF_B), (B, PROOF_A)):
        with pytest.raises(UnsorryError):
            certificate.verify(GENUINE["a"], problem, proof)
    false = Problem("a", "theorem a (p q : Prop) (h : p ∨ q) : q := by sorry", ("a",))
    with pytest.raises(UnsorryError, match="problem's source"):
        certificate.verify(GENUINE["a"], false, PROOF_A)
    with pytest.raises(UnsorryError):
        certificate.verify(GENUINE["a"], Problem("a", A.statement, ("a", "c")), PROOF_A)


def test_every_leaf_that_is_changed_removed_or_added_is_found() -> None:
    for path in leaves(GENUINE["a"]):
        for new in ("x", "", 0, -1, None, True, [], {}):
            forged = changed(GENUINE["a"], path, new)
            if json.dumps(forged, sort_keys=True) == json.dumps(GENUINE["a"], sort_keys=True):
                continue
            with pytest.raises(UnsorryError):
                certificate.verify(forged, A, PROOF_A)
    for key in GENUINE["a"]:
        with pytest.raises(UnsorryError):
            certificate.verify({k: v for k, v in GENUINE["a"].items() if k != key}, A, PROOF_A)
    with pytest.raises(UnsorryError):
        certificate.verify({**GENUINE["a"], "note": "checked twice"}, A, PROOF_A)


def test_a_forgery_with_a_new_seal_differs_from_what_judging_again_gives(judge: StrictJudge) -> None:
    """The seal shows integrity, not truth: whoever can write one can write another.  Judging again tells."""
    again = json.loads(json.dumps(judge.judge(A, PROOF_A).certificate))
    assert again == GENUINE["a"]
    for path in leaves(GENUINE["a"]):
        if path != ("digest",):
            assert resealed(changed(GENUINE["a"], path, "forged"))["digest"] != again["digest"]


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(position=st.integers(0, 10**6), byte=st.integers(0, 255), kind=st.sampled_from(["replace", "insert", "delete"]))
@example(position=0, byte=ord(" "), kind="insert")
def test_any_byte(position: int, byte: int, kind: str) -> None:
    """A byte that is changed is found, or the JSON says the same as before."""
    text = json.dumps(GENUINE["a"]).encode()
    position %= len(text)
    new = b"" if kind == "delete" else bytes([byte])
    made = text[:position] + new + text[position + (kind != "insert") :]
    try:
        parsed = json.loads(made)
    except ValueError:
        return
    try:
        certificate.verify(parsed, A, PROOF_A)
    except UnsorryError as error:
        assert "\n" not in str(error)
        return
    assert parsed == GENUINE["a"]


def test_every_byte() -> None:
    """Each byte in turn, under three changes of one bit and without it: found, or no JSON, or the same JSON."""
    text = json.dumps(GENUINE["a"]).encode()
    for position, byte in enumerate(text):
        for new in (bytes([byte ^ 1]), bytes([byte ^ 4]), bytes([byte ^ 32]), b""):
            try:
                parsed = json.loads(text[:position] + new + text[position + 1 :])
            except ValueError:
                continue
            try:
                certificate.verify(parsed, A, PROOF_A)
            except UnsorryError:
                continue
            assert parsed == GENUINE["a"], (position, new)


@pytest.mark.parametrize("opinion", ["disagree", "agreed", ""])
def test_an_opinion_that_no_acceptance_can_have(opinion: str) -> None:
    forged = resealed(changed(GENUINE["a"], ("second", "opinion"), opinion))
    with pytest.raises(UnsorryError, match="certifies nothing"):
        certificate.verify(forged, A, PROOF_A)
