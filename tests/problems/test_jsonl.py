from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unsorry import Problem, UnsorryError
from unsorry.problems import jsonl

text = st.text(st.characters(exclude_categories=["Cs"]))
problems = st.builds(
    Problem, id=text.filter(bool), statement=text.filter(bool), header=text, preamble=text, origin=text, family=text,
    split=text, targets=st.lists(text.filter(bool), min_size=1, unique=True).map(tuple),
)  # fmt: skip


@given(problems)
def test_what_is_written_is_read_back(problem: Problem) -> None:
    line = jsonl.encode(problem)
    assert "\n" not in line
    assert jsonl.decode(line, "x:1") == problem


def test_a_file_keeps_the_order(tmp_path: Path) -> None:
    made = [Problem(id=f"p{i}", statement="theorem t : True := by sorry", targets=("t",)) for i in (2, 1, 3)]
    assert jsonl.write(tmp_path / "deep" / "set.jsonl", made) == 3
    assert jsonl.read(tmp_path / "deep" / "set.jsonl") == made
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["set.jsonl"]


GOOD = {"format": 1, "id": "a", "statement": "theorem t : True := by sorry", "targets": ["t"]}


@pytest.mark.parametrize(("record", "said"), [
    ({**GOOD, "format": 2}, "has format 2"),
    ({**GOOD, "format": True}, "has format True"),
    ({k: v for k, v in GOOD.items() if k != "format"}, "has no `format`"),
    ({**GOOD, "target": ["t"]}, "did you mean `targets`?"),
    ({**GOOD, "zzz": 1}, "unknown key `zzz`"),
    ({k: v for k, v in GOOD.items() if k != "id"}, "`id` is missing"),
    ({**GOOD, "targets": []}, "`targets` is missing or empty"),
    ({**GOOD, "targets": "t"}, "must be a list of names"),
    ({**GOOD, "targets": ["t", "t"]}, "twice"),
    ({**GOOD, "header": 3}, "`header` must be a string"),
    ([1], "expected a JSON object"),
])  # fmt: skip
def test_faults_name_file_and_line(record: object, said: str, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(GOOD) + "\n\n" + json.dumps(record) + "\n")
    with pytest.raises(UnsorryError) as caught:
        jsonl.read(path)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[" * 100_000, b'{"format": 1', b"nul"])
def test_junk_is_one_clear_line(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(UnsorryError, match=r"set\.jsonl:1: .*") as caught:
        jsonl.read(path)
    assert "\n" not in str(caught.value)


def test_an_id_is_used_once(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD) + "\n")
    with pytest.raises(UnsorryError, match="already used in line 1"):
        jsonl.read(path)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsorryError, match="cannot be written"):
        jsonl.write(tmp_path / "file" / "set.jsonl", [])
