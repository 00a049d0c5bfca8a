"""Before/after tables: pass@k with intervals, paired differences to the first measurement, cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from unsorry import UnsorryError
from unsorry.evaluation import paired
from unsorry.evaluation.costs import Spend
from unsorry.evaluation.mcnemar import mcnemar
from unsorry.evaluation.outcomes import Outcomes

KS = (1, 8, 32)
NOT_MEASURED = "–"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One model on the problem set; `spend` of all its attempts, None if it was not recorded."""

    name: str
    outcomes: Outcomes
    spend: Spend | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table as text: percentages with 95 % intervals over families; `note` says what they are over."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str

    def rich(self, title: str = "") -> Table:
        table = Table(title=title or None, caption=self.note, caption_justify="left")
        table.add_column(self.columns[0], overflow="fold")
        for column in self.columns[1:]:
            table.add_column(column, justify="right")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """GitHub-flavoured; ends with the note as a paragraph."""
        lines = [self.columns, ("---", *["---:"] * (len(self.columns) - 1)), *self.rows]
        cells = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        return "\n".join([*cells, "", self.note, ""])


def before_after(measurements: Sequence[Measurement], *, ks: Sequence[int] = KS, seed: int = 0) -> Comparison:
    """One row a measurement; under each but the first its paired difference to the first.

    A k above the number of samples is shown as not measured.  Where every side has one sample a problem, the
    difference row ends in McNemar's exact p.  Raises UnsorryError if two sides hold different problems.
    """
    if not measurements:
        raise UnsorryError("nothing to compare: no measurement")
    first = measurements[0]
    single = all(int(m.outcomes.samples.min()) == int(m.outcomes.samples.max()) == 1 for m in measurements)
    rows: list[tuple[str, ...]] = []
    for m in measurements:
        rows.append(_values(m, ks, seed, single))
        if m is not first:
            rows.append(_differences(first, m, ks, seed, single))
    columns = ("model", "n", *(f"pass@{k} %" for k in ks), "undecided %", "tokens out", "seconds", "US$")
    clusters = int(first.outcomes.clusters.max()) + 1
    note = (
        f"{len(first.outcomes.counts)} problems in {clusters} families; [95 % interval, bootstrap over families]; "
        "tokens, seconds and money per attempt."
    )
    return Comparison((*columns, "McNemar p") if single else columns, tuple(rows), note)


def _values(m: Measurement, ks: Sequence[int], seed: int, single: bool) -> tuple[str, ...]:
    least, most = int(m.outcomes.samples.min()), int(m.outcomes.samples.max())
    cells = [m.name, str(least) if least == most else f"{least}-{most}"]
    for k in ks:
        if k > least:
            cells.append(NOT_MEASURED)
            continue
        i = paired.pass_interval(m.outcomes, k, seed=seed)
        cells.append(f"{100 * i.value:.1f} [{100 * i.low:.1f}, {100 * i.high:.1f}]")
    cells.append(f"{100 * m.outcomes.undecided_share:.1f}")
    return (*cells, *_costs(m.spend), *([""] if single else []))


def _differences(first: Measurement, m: Measurement, ks: Sequence[int], seed: int, single: bool) -> tuple[str, ...]:
    cells = [f"  minus {first.name}", ""]
    for k in ks:
        if k > min(int(first.outcomes.samples.min()), int(m.outcomes.samples.min())):
            cells.append(NOT_MEASURED)
            continue
        d = paired.compare(first.outcomes, m.outcomes, k, seed=seed).difference
        cells.append(f"{100 * d.value:+.1f} [{100 * d.low:+.1f}, {100 * d.high:+.1f}]")
    last = [f"{mcnemar(first.outcomes, m.outcomes).p_two_sided:.3f}"] if single else []
    return (*cells, "", "", "", "", *last)


def _costs(spend: Spend | None) -> tuple[str, str, str]:
    if spend is None or not spend.attempts:
        return NOT_MEASURED, NOT_MEASURED, "unknown"
    each = spend.times(1 / spend.attempts)
    return f"{each.tokens_out:.0f}", f"{each.seconds:.2f}", "unknown" if each.money is None else f"{each.money:.4f}"
