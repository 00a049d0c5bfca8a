"""Before/after tables."""

from __future__ import annotations

import pytest
from rich.console import Console

from unsorry import UnsorryError
from unsorry.evaluation import paired
from unsorry.evaluation.compare import NOT_MEASURED, Measurement, before_after
from unsorry.evaluation.costs import Spend
from unsorry.evaluation.outcomes import Count, Outcomes


def measured(correct: list[int], n: int) -> Outcomes:
    return Outcomes({f"p{i}": Count(n, c, f"f{i // 2}") for i, c in enumerate(correct)})


BEFORE = measured([0, 1, 2, 8, 0, 3, 1, 0, 5, 2, 0, 0], 8)
AFTER = measured([2, 3, 2, 8, 1, 5, 1, 1, 7, 4, 0, 2], 8)


def test_cells_hold_the_figures_of_the_paired_bootstrap() -> None:
    table = before_after([Measurement("base", BEFORE), Measurement("sft", AFTER, Spend(96, 48.0, 0, 0, 9600, 0.0))])
    assert [row[0] for row in table.rows] == ["base", "sft", "  minus base"]
    d = paired.compare(BEFORE, AFTER, 8).difference
    at = table.columns.index("pass@8 %")
    assert table.rows[2][at] == f"{100 * d.value:+.1f} [{100 * d.low:+.1f}, {100 * d.high:+.1f}]"
    assert table.rows[1][at].startswith(f"{100 * AFTER.mean(8):.1f} [")
    assert table.rows[1][table.columns.index("pass@32 %")] == NOT_MEASURED
    assert table.rows[0][-1] == "unknown"
    assert table.rows[1][-3:] == ("100", "0.50", "0.0000")
    assert "12 problems in 6 families" in table.note
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_single_draws_get_mcnemar() -> None:
    one, two = measured([0, 0, 0, 1, 0, 0], 1), measured([1, 1, 1, 1, 1, 0], 1)
    table = before_after([Measurement("a", one), Measurement("b", two)])
    assert table.columns[-1] == "McNemar p"
    assert table.rows[2][-1] == "0.125"
    assert "McNemar p" not in before_after([Measurement("a", BEFORE), Measurement("b", AFTER)]).columns


def test_both_prints_hold_every_cell() -> None:
    table = before_after([Measurement("a|b", BEFORE), Measurement("sft", AFTER)], ks=(1, 8))
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(table.rich("valid"))
    text, markdown = console.export_text(), table.markdown()
    for row in table.rows:
        for cell in row:
            assert cell.strip() in text
            assert cell.replace("|", "\\|").strip() in markdown
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(table.columns) + 1}


def test_different_problems_are_refused() -> None:
    with pytest.raises(UnsorryError, match="same problems"):
        before_after([Measurement("a", BEFORE), Measurement("b", measured([1, 1, 2, 3], 8))])
    with pytest.raises(UnsorryError, match="nothing to compare"):
        before_after([])
