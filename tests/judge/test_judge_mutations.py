"""Compiled files with changed bytes through the whole judge: no exception, no acceptance of what is not proved."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unsorry import Problem, Status
from unsorry.judge import Reason, StrictJudge
from unsorry.lean.process import run_lean
from unsorry.lean.toolchain import Toolchain

FALSE = Problem("false", "inductive T | a | b\ntheorem t (x : T) : x = .a ∧ 1 = 2 := by sorry", ("t",))
CHEATS = {
    "sorry": FALSE.statement,
    "axiom": "axiom c : False\n" + FALSE.statement.replace("by sorry", "c.elim"),
    "kernel off": "inductive T | a | b\nset_option debug.skipKernelTC true in\n"
    "theorem w : (1 : Nat) = 2 := by decide +kernel\n"
    "theorem t (x : T) : x = .a ∧ 1 = 2 := absurd w (by decide)",
    "weaker": "inductive T | a | b\ntheorem t (x : T) : x = x ∧ 1 = 1 := ⟨rfl, rfl⟩",
    "fewer constructors": "inductive T | a\ntheorem t (x : T) : x = .a ∧ 1 = 1 := by cases x; exact ⟨rfl, rfl⟩",
}
REASONS = {
    "sorry": Reason.AXIOMS_SORRY, "axiom": Reason.AXIOMS_ILLEGAL, "kernel off": Reason.REPLAY_REFUSED,
    "weaker": Reason.TYPE_DIFFERS, "fewer constructors": Reason.TYPE_DIFFERS,
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled(embedded: Toolchain) -> dict[str, bytes]:
    found = {}
    for name, text in CHEATS.items():
        run = run_lean(embedded, text, olean=True)
        assert run.olean is not None, run.messages
        found[name] = run.olean
    return found


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda c: c.replace(" ", "-"))
def test_the_unchanged_file_is_rejected_for_its_reason(
    judge: StrictJudge, compiled: dict[str, bytes], cheat: str
) -> None:
    assert judge.judge_olean(FALSE, compiled[cheat]).reason == REASONS[cheat]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_change_makes_a_cheat_acceptable(
    judge: StrictJudge, compiled: dict[str, bytes], draw: st.DataObject
) -> None:
    data = bytearray(compiled[draw.draw(st.sampled_from(sorted(CHEATS)))])
    base, words = struct.unpack_from("<Q", data, 80)[0], len(data) // 8
    for _ in range(draw.draw(st.integers(1, 5))):
        place, kind = (
            draw.draw(st.integers(10, words - 1)),
            draw.draw(st.sampled_from(("pointer", "copy", "bit", "byte"))),
        )
        if kind == "pointer":  # to some object further down, which is what a forger would do
            struct.pack_into("<Q", data, 8 * place, base + 8 * draw.draw(st.integers(12, words - 1)))
        elif kind == "copy":
            source = draw.draw(st.integers(12, words - 1))
            data[8 * place : 8 * place + 8] = data[8 * source : 8 * source + 8]
        elif kind == "bit":
            data[8 * place + draw.draw(st.integers(0, 7))] ^= 1 << draw.draw(st.integers(0, 7))
        else:
            data[8 * place + draw.draw(st.integers(0, 7))] = draw.draw(st.integers(0, 255))
    verdict = judge.judge_olean(FALSE, bytes(data))
    assert verdict.status is not Status.ACCEPTED, verdict
    assert verdict.reason != Reason.INTERNAL, verdict
    assert verdict.message and "\n" not in verdict.message


@pytest.mark.parametrize("data", [b"", b"olean", b"olean\x02" + bytes(200), b"\x7fELF" + bytes(500)])
def test_what_is_no_compiled_file_is_malformed(judge: StrictJudge, data: bytes) -> None:
    assert judge.judge_olean(FALSE, data).reason == Reason.OLEAN_MALFORMED


def test_a_valid_file_from_elsewhere_is_accepted(judge: StrictJudge, embedded: Toolchain) -> None:
    problem = Problem("true", "theorem t : 1 + 1 = 2 := by sorry", ("t",))
    run = run_lean(embedded, "theorem t : 1 + 1 = 2 := rfl", olean=True)
    assert run.olean is not None
    verdict = judge.judge_olean(problem, run.olean)
    assert verdict.accepted and verdict.certificate is not None
    assert verdict.certificate["submission"]["source"] is None
