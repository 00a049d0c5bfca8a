"""The table has the reference's exact shape; its third column is what the run did and measured."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from unsorry.pipeline import reference, table
from unsorry.pipeline.ledger import Entry, Ledger, Note

SHARED = Path(__file__).parents[3] / "shared" / "reference-table.json"


def of(*entries: Entry, notes: dict[str, Note] | None = None) -> dict[str, list[str]]:
    made = table.rows(Ledger(Path(), "tiny", 3, entries, notes or {}))
    return {row[0]: row for row in made}


@pytest.mark.skipif(not SHARED.is_file(), reason="the reference table is not beside the checkout")
def test_the_reference_in_the_package_is_the_one_that_was_given() -> None:
    given = json.loads(SHARED.read_text(encoding="utf-8"))
    assert given["columns"] == list(reference.COLUMNS)
    assert given["widths"] == list(reference.WIDTHS)
    assert given["rows"] == [[getattr(row, f) for f in row.__dataclass_fields__] for row in reference.TABLE.values()]


def test_the_shape_is_that_of_the_reference() -> None:
    made = table.as_json(Ledger(Path(), "tiny", 3, [Entry("base", "base", "Base", "Done", ours="x")], {}))
    assert list(made) == ["columns", "widths", "rows"]
    assert made["widths"] == list(reference.WIDTHS)
    assert [c for i, c in enumerate(made["columns"]) if i != 2] == [
        c for i, c in enumerate(reference.COLUMNS) if i != 2
    ]
    assert made["columns"][2] == "This run: tiny, seed 3"
    assert [row[0] for row in made["rows"]] == list(reference.ROWS)
    assert all(len(row) == 9 and all(isinstance(cell, str) and cell for cell in row) for row in made["rows"])


def test_what_is_reported_and_its_source_do_not_change() -> None:
    rows = of(Entry("rl", "rl", "RL", "Done", ours="20 steps", data="band", gate="+3 pp", seconds=5400))
    given = reference.TABLE["RL"]
    assert rows["RL"] == [
        "RL",
        given.reported,
        "20 steps",
        "band",
        "+3 pp",
        "1.5",
        given.source,
        given.confidence,
        "Done",
    ]


def test_several_stages_of_one_row_are_joined_in_order() -> None:
    rows = of(
        Entry("pool", "pool", "Prompt filter", "Done", ours="n=8", data="train", gate="-", seconds=3600),
        Entry("band", "filter", "Prompt filter", "Done", ours="11 %", data="train", gate="-", seconds=1800),
    )
    assert rows["Prompt filter"][2:6] == ["pool: n=8; band: 11 %", "train", "-", "1.5"]
    assert rows["Prompt filter"][8] == "Done"


def test_a_row_that_is_not_done_yet_says_how_far_it_is() -> None:
    rounds = [Entry("r1", "sft", "SFT", "Done", ours="+2 pp"), Entry("r2", "sft", "SFT", "Queued")]
    assert of(*rounds)["SFT"][2] == "+2 pp"
    assert of(*rounds)["SFT"][8] == "Queued (1 of 2 stages done)"
    running = [rounds[0], Entry("r2", "sft", "SFT", "Running")]
    assert of(*running)["SFT"][8] == "Running (r2)"
    assert of(Entry("base", "base", "Base", "Queued", reason="could not run: no disk"))["Base"][8] == (
        "Queued (could not run: no disk)"
    )


def test_one_failed_gate_is_seen_whatever_follows() -> None:
    rows = of(
        Entry(
            "r1", "sft", "SFT", "Failed gate", reason="+0.1 pp; rolled back to its input", ours="a", rolled_back=True
        ),
        Entry("r2", "sft", "SFT", "Done", ours="b"),
    )
    assert rows["SFT"][8] == "Failed gate (r1: +0.1 pp; rolled back to its input)"


def test_rows_without_a_stage_say_why() -> None:
    rows = of(notes={"Bug finding": Note("Out of scope", "no crates here", "")})
    assert rows["Bug finding"][8] == "Out of scope (no crates here)"
    assert rows["Bug finding"][2] == f"planned: {reference.TABLE['Bug finding'].ours}"
    assert rows["RL"][8] == "Planned (no stage of this recipe feeds the row)"
    assert rows["RL"][5] == "-"  # nothing was measured: the reference's figure is not ours


def test_a_skipped_stage_is_out_of_scope_with_its_reason() -> None:
    rows = of(Entry("midtrain", "midtrain", "Mid-training", "Out of scope", reason="24 days"))
    assert rows["Mid-training"][2] == "skipped: 24 days"
    assert rows["Mid-training"][8] == "Out of scope"
    rows = of(
        Entry("corpus", "corpus", "Mid-training", "Done", ours="100 documents", seconds=36),
        Entry("midtrain", "midtrain", "Mid-training", "Out of scope", reason="24 days"),
    )
    assert (rows["Mid-training"][2], rows["Mid-training"][8]) == ("100 documents", "Done")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "-"), (0.1, "<0.0001"), (3.6, "0.001"), (90, "0.025"), (3600, "1.0"), (44_640, "12.4"), (720_000, "200")],
)
def test_box_hours_keep_two_or_three_figures(seconds: float, shown: str) -> None:
    assert of(Entry("b", "base", "Base", "Done", ours="x", seconds=seconds))["Base"][5] == shown


def test_what_a_model_wrote_cannot_break_the_table() -> None:
    entry = Entry("b", "base", "Base", "Done", ours="a\x1b[31m | b\nc [red]d[/red] \\| e")
    assert of(entry)["Base"][2] == "a�[31m | b c [red]d[/red] \\| e"
    made = Ledger(Path(), "tiny", 0, [entry], {})
    lines = table.markdown(made).splitlines()
    assert len(lines) == 12
    assert all(line.replace("\\\\", "").replace("\\|", "").count("|") == 10 for line in lines)
    stream = io.StringIO()
    Console(file=stream, width=100).print(table.terminal(made))
    assert "[red]d[/red]" in stream.getvalue().replace("\n", "") and "\x1b" not in stream.getvalue()


def test_a_terminal_shows_what_fits() -> None:
    made = Ledger(Path(), "tiny", 0, [Entry("b", "base", "Base", "Done", ours="x")], {})

    def shown(width: int) -> str:
        stream = io.StringIO()
        Console(file=stream, width=width).print(table.terminal(made))
        return stream.getvalue()

    assert "Confidence" in shown(240) and "all columns" not in shown(240)
    assert "Confidence" not in shown(100) and "all columns: --format markdown" in shown(100)
    assert max(map(len, shown(80).splitlines())) <= 80
