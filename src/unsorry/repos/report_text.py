"""The report as Markdown and as one HTML page: nothing loaded from elsewhere, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from unsorry.evaluation.costs import Spend
from unsorry.judge.reasons import one_line
from unsorry.repos.figures import number
from unsorry.repos.report import Report, cost_of
from unsorry.repos.scores import outcome
from unsorry.scaffolds.prove_or_disprove import proves

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}.note{color:#555}svg{max-width:100%;height:auto}
.solved{color:#007a4d}.tampered{color:#b00020}"""
Table = tuple[tuple[str, ...], Sequence[tuple[str, ...]]]


def markdown(made: Report, *, figure: str = "frontier.svg") -> str:
    """GitHub-flavoured; the drawing is linked."""
    parts = ["# Benchmark", _lead(made), _pipes(main_table(made))]
    if figure:
        parts.append(f"![score against cost]({figure})")
    parts += ["## What k to buy", _pipes(buying(made))] if made.purchases else []
    parts += ["## Side by side", _pipes(side_by_side(made))] if made.differences else []
    parts += ["## How attempts ended", _pipes(ends(made))]
    if made.published is not None:
        parts += ["## Published by others", _apart(made), _pipes(published(made))]
    if made.notes:
        parts += ["## Notes", "\n".join(f"- {_plain(note)}" for note in made.notes)]
    parts += ["## By task", _pipes(tasks(made))]
    return "\n\n".join(parts) + "\n"


def page(made: Report) -> str:
    """A complete document with the drawing in it."""
    parts = ["<h1>Benchmark</h1>", f"<p>{escape(_lead(made))}</p>", _html(main_table(made)), made.svg()]
    parts += ["<h2>What k to buy</h2>", _html(buying(made))] if made.purchases else []
    parts += ["<h2>Side by side</h2>", _html(side_by_side(made))] if made.differences else []
    parts += ["<h2>How attempts ended</h2>", _html(ends(made))]
    if made.published is not None:
        parts += ["<h2>Published by others</h2>", f"<p>{escape(_apart(made))}</p>", _html(published(made))]
    if made.notes:
        parts.append("<h2>Notes</h2><ul>" + "".join(f"<li>{escape(one_line(n))}</li>" for n in made.notes) + "</ul>")
    parts += ["<h2>By task</h2>", _html(tasks(made))]
    return "\n".join([
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>Benchmark</title><style>{_STYLE}</style></head><body><main>", *parts, "</main></body></html>\n",
    ])  # fmt: skip


def main_table(made: Report) -> Table:
    """The announcement's: model, cost, score; a row for each k."""
    head = ("model", "pass@", "cost, US$", "score, %", "95 % interval", "obligations met, %", "stopping early, US$",
            "hours", "tokens out")  # fmt: skip
    rows = []
    for line in made.lines:
        between = "–" if line.low is None or line.high is None else f"{100 * line.low:.1f} – {100 * line.high:.1f}"
        rows.append((line.system, str(line.k), _money(line.spend), f"{100 * line.score:.1f}", between,
                     f"{100 * line.fraction:.1f}", _money(line.stopping), f"{line.spend.seconds / 3600:.2f}",
                     f"{line.spend.tokens_out:.0f}"))  # fmt: skip
    return head, rows


def buying(made: Report) -> Table:
    """Each point of the frontier: from what budget on it is the best, and what the last points of it cost."""
    head = (f"from {made.unit}", "buy", "score, %", f"{made.unit} for one point more")
    rows = [
        (number(p.cost), f"{p.system}, k = {p.k}", f"{100 * p.score:.1f}", "–" if p.each is None else number(p.each))
        for p in made.purchases
    ]
    return head, rows


def side_by_side(made: Report) -> Table:
    """Paired differences to the first system."""
    head = ("model", "minus", "pass@", "points", "95 % interval", "tasks")
    rows = [
        (d.system, d.first, str(d.k), f"{100 * d.value:+.1f}", f"{100 * d.low:+.1f} – {100 * d.high:+.1f}",
         str(d.tasks))
        for d in made.differences
    ]  # fmt: skip
    return head, rows


def ends(made: Report) -> Table:
    """Outcomes of all attempts by system."""
    kinds = list(dict.fromkeys(k for s in made.systems for k in s.ends))
    return ("model", *kinds), [(s.name, *(str(s.ends.get(kind, 0)) for kind in kinds)) for s in made.systems]


def published(made: Report) -> Table:
    """Rows of others, as they published them."""
    assert made.published is not None
    rows = [(r.model, str(r.k), number(r.cost), f"{r.score:.1f}") for r in made.published.rows]
    rows += [(name, "–", "–", f"{score:.1f}") for name, score in made.published.without_cost.items()]
    return ("model", "pass@", "cost, US$", "score, %"), rows


def tasks(made: Report) -> Table:
    """Solved of tried for each task and system, with the first reason where none was."""
    rows = []
    ids = dict.fromkeys(item.id for s in made.systems for item in s.items)
    for id in ids:
        cells = []
        for s in made.systems:
            some = s.by_task.get(id, [])
            solved = sum(map(proves, some))
            why = "" if solved or not some else f" ({outcome(some[0])}: {some[0].verdict.reason})"
            cells.append(f"{solved}/{len(some)}{why}")
        rows.append((id, *cells))
    return ("task", *(s.name for s in made.systems)), rows


def _lead(made: Report) -> str:
    counts = sorted({len(s.outcomes.counts) for s in made.systems})
    families = sorted({int(s.outcomes.clusters.max()) + 1 for s in made.systems})
    many = " or ".join(map(str, counts))
    return (
        f"{many} tasks of {' or '.join(map(str, families))} pull requests. pass@k is the unbiased estimate over tasks; "
        "intervals are a bootstrap over pull requests; cost is that of k whole passes."
    )


def _apart(made: Report) -> str:
    assert made.published is not None
    return f"Reference points, on {made.published.benchmark} and not on these tasks. Source: {made.published.source}."


def _money(spend: Spend) -> str:
    cost = cost_of(spend, "money")
    return "unknown" if cost is None else number(cost)


def _plain(text: str) -> str:
    for mark in ("\\", "`", "*", "_", "[", "]", "<", ">", "|"):
        text = text.replace(mark, f"\\{mark}")
    return one_line(text)


def _pipes(table: Table) -> str:
    head, rows = table
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *([_plain(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _html(table: Table) -> str:
    head, rows = table

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(one_line(cell))}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def terminal(made: Report) -> str:
    """The main table and what to buy, in columns."""
    text = _columns(main_table(made))
    if made.purchases:
        text += "\nwhat k to buy\n" + _columns(buying(made))
    return text + "".join(f"note: {one_line(note)}\n" for note in made.notes)


def _columns(table: Table) -> str:
    lines = [table[0], *table[1]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table[0]))]
    made = []
    for line in lines:
        cells = [one_line(c).ljust(w) if i == 0 else one_line(c).rjust(w) for i, (c, w) in enumerate(zip(line, widths,
                 strict=True))]  # fmt: skip
        made.append("  ".join(cells).rstrip() + "\n")
    return "".join(made)
