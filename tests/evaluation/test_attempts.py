"""Attempts on disk survive everything a run can suffer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.evaluation import attempts as store

text = st.text(max_size=40)
verdicts = st.builds(
    Verdict,
    st.sampled_from(Status),
    text,
    text,
    text,
    st.sampled_from(["strict", "fast"]),
    st.lists(text, max_size=3).map(tuple),
    st.dictionaries(text, st.floats(0, 10), max_size=2),
    st.none() | st.dictionaries(text, text, max_size=2),
)
made = st.builds(
    Attempt,
    text,
    text,
    text,
    text,
    verdicts,
    st.builds(
        Cost, st.floats(0, 10), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.none() | st.floats(0, 9)
    ),
    st.integers(0, 9),
    st.dictionaries(text, text, max_size=2),
)


def attempt(number: int) -> Attempt:
    return Attempt(f"p{number}", "search", "whole", "theorem t\n", Verdict(Status.ACCEPTED, "accepted", "fine"))


@given(made)
def test_reading_what_was_written_gives_the_same(value: Attempt) -> None:
    assert store.from_json(json.loads(json.dumps(store.to_json(value)))) == value


@pytest.mark.parametrize("cut", range(1, 200, 13))
def test_a_torn_last_line_is_passed_over_and_repaired(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.jsonl"
    for number in range(3):
        store.append(path, attempt(number))
    path.write_bytes(path.read_bytes()[:-cut])
    assert list(store.read(path)) == [attempt(0), attempt(1)]
    store.append(path, attempt(3))
    assert list(store.read(path)) == [attempt(0), attempt(1), attempt(3)]


def test_a_torn_only_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"format": 1, "prob')
    store.append(path, attempt(0))
    assert list(store.read(path)) == [attempt(0)]


@pytest.mark.parametrize("line", ["{}", "[]", "nonsense", '{"format": 99}'])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    store.append(path, attempt(0))
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(UnsorryError, match=r"a\.jsonl:2"):
        list(store.read(path))


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match="cannot write"):
        store.append(tmp_path / "file" / "a.jsonl", attempt(0))


def test_no_file_is_no_attempt(tmp_path: Path) -> None:
    assert list(store.read(tmp_path / "none.jsonl")) == []
