"""The ledger holds every column of the reference table for each stage, whole on disk after each change."""

import json
from pathlib import Path

import pytest

from unsorry import UnsorryError
from unsorry.pipeline import reference
from unsorry.pipeline.ledger import Entry, Ledger, Note, read
from unsorry.pipeline.storage import owned, write_json


def ledger(folder: Path, *entries: Entry, notes: dict[str, Note] | None = None) -> Ledger:
    made = Ledger(folder, "tiny", 0, entries, notes or {})
    made.write()
    return made


def test_each_stage_has_every_column_of_the_reference(tmp_path: Path) -> None:
    ledger(tmp_path, Entry("pool", "pool", "Prompt filter", "Done", ours="n=8", data="train", gate="-", seconds=7200))
    (stage,) = json.loads((tmp_path / "ledger.json").read_text())["stages"]
    row = reference.TABLE["Prompt filter"]
    wanted = {
        "stage": "Prompt filter",
        "reported": row.reported,
        "planned": row.ours,
        "ours": "n=8",
        "data": "train",
        "gate": "-",
        "box_hours": 2.0,
        "source": row.source,
        "confidence": "High",
        "status": "Done",
        "reason": "",
    }
    assert wanted.items() <= stage.items()


def test_a_ledger_reads_back_as_it_was_written(tmp_path: Path) -> None:
    notes = {"Bug finding": Note("Out of scope", "no crates", "nothing")}
    made = ledger(tmp_path, Entry("a", "pool", ""), Entry("b", "sft", "SFT", metrics={"loss": [1.0, 0.5]}), notes=notes)
    made.update("b", status="Failed gate", reason="too small", rolled_back=True)
    found = read(tmp_path)
    assert found.entries == made.entries
    assert found.notes == notes
    assert (found.name, found.seed) == ("tiny", 0)


def test_running_means_that_a_process_lives(tmp_path: Path) -> None:
    ledger(tmp_path, Entry("a", "pool", "RL", "Running", folder="stages/a-0"))
    (tmp_path / "stages" / "a-0").mkdir(parents=True)
    (tmp_path / "stages" / "a-0" / "elapsed.json").write_text('{"seconds": 90.5}')
    assert read(tmp_path)["a"].seconds == 90.5  # measured so far, though nobody lived to write it down
    assert (read(tmp_path)["a"].status, read(tmp_path)["a"].reason[:11]) == ("Queued", "interrupted")
    with owned(tmp_path):
        assert read(tmp_path)["a"].status == "Running"


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"a": 1})
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]  # no draft is left


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{", "cannot read"),
        ("[]", "holds no JSON object"),
        ('{"format": 2}', "has format 2; this unsorry reads 1"),
        ('{"format": 1, "name": "x", "seed": 0, "rows": {}, "stages": [{}]}', "is damaged"),
        ('{"format": 1}', "is damaged"),
    ],
)
def test_a_damaged_ledger_is_one_line(tmp_path: Path, text: str, wanted: str) -> None:
    (tmp_path / "ledger.json").write_text(text)
    with pytest.raises(UnsorryError, match=wanted) as caught:
        read(tmp_path)
    assert "\n" not in str(caught.value)


def test_no_ledger_says_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="name the folder of a run"):
        read(tmp_path)
