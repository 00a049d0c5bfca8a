"""Published data sets as problems, in the shapes that they have; the rows here are our own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from unsorry import Problem, UnsorryError
from unsorry.cli import run as unsorry
from unsorry.problems import hub, jsonl, load, rows, selection

HEAD = "import Init\n\nset_option maxRecDepth 500\n\nopen Nat\n"

# miniF2F as Goedel-Prover-V2 ships it: everything in one text, a comment with the words before the theorem
GOEDEL = {
    "name": "mathd_1",
    "split": "test",
    "informal_prefix": "/-- One and one. -/\n",
    "lean4_code": f"{HEAD}\n/-- One and one. -/\ntheorem mathd_1 (a : Nat) (h : a = 1) : a + 1 = 2 := by sorry",
}
# DeepSeek-Prover's: a header of its own, the statement cut off after `by`
DEEPSEEK = {
    "name": "mathd_2",
    "split": "valid",
    "header": HEAD,
    "formal_statement": "theorem mathd_2 (a : Nat) :\n    a + 0 = a := by\n",
    "goal": "a : Nat\n⊢ a + 0 = a",
}
# Lean Workbook: no header at all
WORKBOOK = {"id": "lean_workbook_3", "formal_statement": "theorem lean_workbook_3 (a b : Nat) : a + b = b + a := sorry"}
# Lean-workbook-proofs: a whole proof
PROVED = {
    "problem_id": "lean_workbook_4",
    "full_proof": f"{HEAD}\ntheorem aux : 1 = 1 := by\n  rfl\n\ntheorem lean_workbook_4 : 2 = 1 + 1 := by\n  decide\n",
}
# PutnamBench: the answer is a definition that is left open
PUTNAM = {
    "name": "putnam_5",
    "lean4_statement": "abbrev putnam_5_solution : Nat := sorry\n-- 2\n"
    "theorem putnam_5 : 1 + 1 = putnam_5_solution := sorry",
}
# miniCTX: what comes before the theorem in a column of its own
MINICTX = {
    "theoremName": "ctx_6",
    "srcContext": "def two : Nat := 2\n",
    "theoremStatement": "theorem ctx_6 : two = 2",
}

OPEN_AROUND = "theorem a : 1 = 1 := sorry\ntheorem b : 1 = 1 := rfl\ntheorem c : 1 = 1 := sorry"


def write(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
    return path


def one(record: dict[str, Any], tmp_path: Path, **options: Any) -> Problem:
    made = hub.read(write(tmp_path / "set.jsonl", record), **options)
    assert made.refused == {}
    (problem,) = made.problems
    return problem


@pytest.mark.parametrize(
    ("record", "name", "statement", "header"),
    [
        (GOEDEL, "mathd_1", "theorem mathd_1 (a : Nat) (h : a = 1) : a + 1 = 2 := by sorry", "import Init"),
        (DEEPSEEK, "mathd_2", "theorem mathd_2 (a : Nat) :\n    a + 0 = a := by sorry", "import Init"),
        (WORKBOOK, "lean_workbook_3", "theorem lean_workbook_3 (a b : Nat) : a + b = b + a := by sorry", ""),
        (PROVED, "lean_workbook_4", "theorem lean_workbook_4 : 2 = 1 + 1 := by sorry", "import Init"),
    ],
)
def test_shapes_of_published_sets(
    tmp_path: Path, record: dict[str, Any], name: str, statement: str, header: str
) -> None:
    found = one(record, tmp_path)
    assert (found.id, found.targets, found.header) == (name, (name,), header)
    assert found.statement.removeprefix("/-- One and one. -/\n") == statement
    assert found.split == record.get("split", "")
    assert found.source.count("sorry") == 1
    if record is PROVED:
        assert "theorem aux : 1 = 1 := by\n  rfl" in found.preamble and "decide" not in found.source


def test_what_is_imported_can_be_proved(tmp_path: Path, tiered: Any) -> None:
    """The statements are whole: the judge takes them and a proof of each."""
    for record, proof in ((GOEDEL, "omega"), (DEEPSEEK, "rfl"), (WORKBOOK, "omega"), (PROVED, "decide")):
        problem = one(record, tmp_path)
        verdict = tiered.judge(problem, problem.source.replace("sorry", proof))
        assert verdict.accepted, verdict.message


def test_a_header_for_statements_without_imports(tmp_path: Path) -> None:
    found = one(WORKBOOK, tmp_path, header=rows.MATHLIB)
    assert found.header == "import Mathlib\nimport Aesop"
    assert found.preamble.startswith("set_option maxHeartbeats 400000\n\nopen BigOperators")
    assert one(GOEDEL, tmp_path, header=rows.MATHLIB) == one(GOEDEL, tmp_path)  # it has its own


def test_several_theorems_in_one_row_are_one_problem(tmp_path: Path) -> None:
    """The first `:= by` is not the end of the statement: five rows of MathOlympiadBench have several theorems."""
    text = "theorem a : 1 = 1 := by sorry\n\ntheorem b : 2 = 2 := by sorry"
    found = one({"name": "two", "formal_statement": text}, tmp_path)
    assert found.targets == ("a", "b")
    assert found.statement == text
    naive = text.partition(":= by")[0]
    assert "theorem b" not in naive


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (PUTNAM, "putnam_5_solution (abbrev) is left open"),
        (MINICTX, "not written with `:=`"),
        ({"name": "x", "formal_statement": "def f := 1"}, "states no theorem"),
        ({"name": "x", "formal_statement": "theorem t : (sorry : Prop) := by sorry"}, "a statement has a hole"),
        ({"name": "x", "formal_statement": "/- open"}, "the text is no Lean"),
        ({"name": "x", "formal_statement": None}, "holds no text"),
        ({"name": ["x"], "formal_statement": "theorem t : True := sorry"}, "holds no name"),
        ({"name": "x", "formal_statement": "example : True := sorry"}, "states no theorem"),
        (
            {"name": "x", "formal_statement": OPEN_AROUND},
            "a proved theorem stands between open ones",
        ),
    ],
)  # fmt: skip
def test_rows_that_are_no_problem_are_refused_with_the_reason(tmp_path: Path, record: Any, reason: str) -> None:
    made = hub.read(write(tmp_path / "set.jsonl", record, record))
    assert made.problems == [] and made.rows == 2
    assert set(made.refused) == {"set.jsonl:1", "set.jsonl:2"}
    assert all(reason in text for text in made.refused.values()), made.refused


def test_names_are_unique(tmp_path: Path) -> None:
    made = hub.read(write(tmp_path / "set.jsonl", GOEDEL, GOEDEL))
    assert len(made.problems) == 1
    assert made.refused == {"set.jsonl:2": "another row has the same name"}


def test_splits_by_column_or_by_file(tmp_path: Path) -> None:
    together = write(tmp_path / "all.jsonl", GOEDEL, {**DEEPSEEK, "lean4_code": DEEPSEEK["formal_statement"]})
    assert [p.id for p in hub.read(together, split="valid").problems] == ["mathd_2"]
    with pytest.raises(UnsorryError, match="no rows of the split 'train'"):
        hub.read(together, split="train")
    for name, record in (("train-00000-of-00001.jsonl", WORKBOOK), ("test.jsonl", PROVED)):
        write(tmp_path / "apart" / "data" / name, record)
    found = hub.read(tmp_path / "apart", split="train").problems
    assert [(p.id, p.split) for p in found] == [("lean_workbook_3", "train")]


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "set.jsonl", {"key": "a", "lean": "theorem a : True := sorry"})
    with pytest.raises(UnsorryError, match="--column statement=COLUMN; it has key, lean"):
        hub.read(path)
    assert hub.read(path, given={"statement": "lean", "name": "key"}).problems[0].targets == ("a",)
    for given, wanted in (
        ({"statement": "x"}, "no column 'x'; it has key, lean"),
        ({"proof": "lean"}, "the parts are"),
    ):
        with pytest.raises(UnsorryError, match=wanted):
            hub.read(path, given=given)


def test_json_files(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    for value in (
        [WORKBOOK],
        {"data": [WORKBOOK]},
        {"lean_workbook_3": {"formal_statement": WORKBOOK["formal_statement"]}},
    ):
        path.write_text(json.dumps(value))
        assert [p.id for p in hub.read(path).problems] == ["lean_workbook_3"]
    for text, wanted in (
        ("{", "is not JSON"),
        ("3", "holds no list of rows"),
        ("[3]", "expected an object"),
        ("[]", "holds no rows"),
    ):
        path.write_text(text)
        with pytest.raises(UnsorryError, match=wanted):
            hub.read(path)
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(WORKBOOK) + "\n{\n")
    with pytest.raises(UnsorryError, match=r"bad\.jsonl:2: is not JSON"):
        hub.read(bad)


def test_parquet_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "set.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UnsorryError, match="pip install pyarrow"):
        hub.read(path)


def test_parquet_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "set.parquet"
    parquet.write_table(arrow.Table.from_pylist([GOEDEL]), path)
    assert [p.id for p in hub.read(path).problems] == ["mathd_1"]
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(UnsorryError, match="is no parquet file that can be read"):
        hub.read(path)


def test_the_cache_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(UnsorryError, match="unsorry import hub Owner/set --download` fetches it"):
        hub.locate("Owner/set")
    folder = tmp_path / "datasets--Owner--set"
    for commit in ("aaa", "bbb"):
        write(folder / "snapshots" / commit / "test.jsonl", WORKBOOK)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("aaa")
    assert hub.locate("Owner/set").name == "aaa"
    assert hub.locate("Owner/set", revision="bbb").name == "bbb"
    with pytest.raises(UnsorryError, match="--download --revision ccc"):
        hub.locate("Owner/set", revision="ccc")
    for name in ("no such", "a/b/c", ""):
        with pytest.raises(UnsorryError):
            hub.read(hub.locate(name))
    assert hub.locate(str(tmp_path)) == tmp_path


def test_a_download_that_fails_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsorryError, match="needs a hub id"):
        hub.download("set.jsonl")
    fake = ModuleType("huggingface_hub")

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("401 Client Error\nmore")

    fake.snapshot_download = refuse  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "huggingface_hub", fake)
    with pytest.raises(UnsorryError) as caught:
        hub.download("Owner/set")
    assert str(caught.value) == "cannot download Owner/set: 401 Client Error"
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UnsorryError, match="pip install"):
        hub.download("Owner/set")


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "a.lean").write_text("theorem a : True := sorry")
    with pytest.raises(UnsorryError, match="Lean files are problems as they are"):
        hub.read(tmp_path / "a.lean")
    with pytest.raises(UnsorryError, match="holds no"):
        hub.read(tmp_path)


def problem(name: str, text: str) -> Problem:
    return Problem(name, f"theorem {name} {text} := by sorry", (name,))


def test_copies_and_held_out_statements_are_left_out() -> None:
    problems = [
        problem("a", "(x y z : Nat) (h : x < y) : x + z < y + z"),
        problem("b", "(u v w : Nat) (k : u < v) : u + w < v + w"),  # a, renamed
        problem("c", "(x : Nat) : x * 1 = x"),
    ]
    made = selection.select(problems, None)
    assert [p.id for p in made.problems] == ["a", "c"]
    assert made.refused == {"b": "states the same as a"}
    made = selection.select(problems, None, without=[problem("t", "(p q r : Nat) (h : p < q) : p + r < q + r")])
    assert [p.id for p in made.problems] == ["c"]
    assert set(made.refused.values()) == {"shares a run of tokens with t"}


def test_what_lean_rejects_and_copies_that_only_lean_sees(tmp_path: Path) -> None:
    problems = [
        problem("a", "(x : Nat) : x + 0 = x"),
        problem("b", "(x : Nat) : Eq (α := Nat) (x + 0) x"),  # other text, the same statement
        problem("c", "(x : Nat) : Nat.nowhere x = x"),
    ]
    with selection.elaborator(None, "none") as digests:
        made = selection.select(problems, digests)
        assert [p.id for p in made.problems] == ["a"]
        assert made.refused == {"b": "states the same as a", "c": "Lean does not elaborate the statement"}
        held = selection.select(problems[:1], digests, without=problems[1:2])
        assert held.problems == []
    assert [p.id for p in selection.select(problems, None).problems] == ["a", "b", "c"]  # the text alone shows neither


def test_a_draw_is_repeatable() -> None:
    problems = [problem(f"p{i}", f": {i} = {i}") for i in range(100)]
    first, again, other = (selection.select(problems, None, sample=10, seed=s) for s in (1, 1, 2))
    assert first == again and len(first.problems) == 10
    assert first.problems != other.problems
    assert [p.id for p in first.problems] == sorted((p.id for p in first.problems), key=lambda i: int(i[1:]))


def test_the_command(tmp_path: Path, capfd: Any) -> None:
    source = write(tmp_path / "set.jsonl", GOEDEL, PUTNAM | {"lean4_code": PUTNAM["lean4_statement"]})
    out = tmp_path / "out.jsonl"
    command = ["import", "hub", str(source), "-o", str(out), "--sandbox", "none"]
    assert unsorry(command) == 0
    said = capfd.readouterr()
    assert "out.jsonl: 1 problems (elaborated) of 2 rows, 1 refused" in said.err
    assert json.loads(said.out.splitlines()[-1])["columns"]["set.jsonl"]["statement"] == "lean4_code"
    assert [p.id for p in load(out)] == ["mathd_1"]
    assert unsorry([*command[:-2], "--no-check", "--without", str(out)]) == 1
    assert jsonl.read(out) == []
    for arguments, wanted in (
        ([str(tmp_path / "none.jsonl")], "is no file, no folder and no hub id"),
        ([str(source), "--column", "statement"], "write PART=COLUMN"),
        ([str(source), "--header", str(tmp_path / "none")], "--header"),
    ):
        assert unsorry(["import", "hub", *arguments]) == 2
        assert wanted in capfd.readouterr().err


def test_the_commands_that_the_8b_recipe_names_are_commands() -> None:
    """With the variables put in, each has the options that there are, and writes a file that the recipe reads."""
    import re
    import shlex
    import tomllib

    from typer.main import get_command

    from unsorry.cli.app import app

    unsorry(["--version"])  # makes all commands known
    path = Path(__file__).parents[2] / "recipes" / "goedel-8b-4xa10g.toml"
    text = path.read_text(encoding="utf-8")
    values = dict(re.findall(r'(?<=[# ])([LDW])=("[^"]*"|\S+)', text))

    def put_in(line: str) -> str:
        return re.sub(r"\$([LDW])", lambda found: values[found[1]].strip('"'), line)

    lines = [line[1:].split("(unconf")[0].strip() for line in text.splitlines() if "unsorry import hub" in line]
    assert len(lines) == 4
    command = get_command(app).commands["import"].commands["hub"]  # type: ignore[attr-defined]
    made = []
    for line in lines:
        written = put_in(put_in(line))  # $W holds $D
        context = command.make_context("hub", shlex.split(written)[3:])
        made.append(context.params["out"])
        assert context.params["header"] == "mathlib" and context.params["project"]
        assert set(context.params["without"] or ()) == set(made[:-1])  # what was made before is left out
    (stage,) = [table for table in tomllib.loads(text)["stage"] if table["kind"] == "problems"]
    wanted = {(path.parent / stage[split]).resolve() for split in ("train", "valid", "test", "guard")}
    assert {(path.parents[1] / out).resolve() for out in made} == wanted
