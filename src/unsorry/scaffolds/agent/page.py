"""A trajectory as one HTML page: no script, nothing loaded from elsewhere, every text escaped."""

from __future__ import annotations

from html import escape

from unsorry.scaffolds.agent.chart import chart
from unsorry.scaffolds.agent.page_style import STYLE
from unsorry.scaffolds.agent.story import Called, Entry, duration, story, totals, visible
from unsorry.scaffolds.agent.trajectory import Trajectory

# Even if an escape were missing, nothing of a page would run or be sent anywhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_LONG = 30  # lines: what is longer is folded
_SHORT = 80  # characters: such an argument stands beside its name
_NAMES = {"loop": "told by the loop", "compaction": "compaction", "start": "started"}


def page(trajectory: Trajectory) -> str:
    """The page, a complete document."""
    entries = story(trajectory)
    header = trajectory.header
    task = next((e.text for e in entries if e.kind == "user"), "")
    title = visible(task.strip().split("\n")[0][:90] or "trajectory")
    end = trajectory.end
    badge = visible(" ".join(str(end[k]) for k in ("kind", "which") if end.get(k))) if end else "not ended"
    kind = str(end["kind"]) if end else ""
    tone = (
        "ok" if kind == "submitted" else "" if not end else "error" if kind.endswith(("failed", "lost")) else "unknown"
    )
    profile = visible(str(header.get("profile") or ""))
    facts = [totals(trajectory.spent), profile and f"profile {profile}", visible(str(header.get("created", "")))]
    written = visible(f"{header.get('id', '')} · unsorry {header.get('unsorry', '')}")
    return "\n".join([
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f"<header><h1>{escape(title)}</h1>",
        f'<p><span class="badge {tone}">{escape(badge)}</span> {escape(" · ".join(filter(None, facts)))}</p>',
        _message(visible(str(end.get("message", "")))) if end else "",
        chart(entries),
        "</header>",
        *map(_entry, entries),
        f"<footer>{escape(written)}</footer></main></body></html>\n",
    ])  # fmt: skip


def _entry(entry: Entry) -> str:
    if entry.kind == "reply":
        return _reply(entry)
    name = _NAMES.get(entry.kind, entry.kind)
    extra = " · ".join(filter(None, (entry.title, entry.figures, duration(entry.at) if entry.at else "")))
    head = f'<span class="who">{escape(name)}</span> <span class="dim">{escape(extra)}</span>'
    if entry.kind in ("system", "compaction"):
        return f'<details class="note {entry.kind}"><summary>{head}</summary>{_text(entry.text)}</details>'
    return f'<section class="note {escape(entry.kind)}"><p>{head}</p>{_text(entry.text)}</section>'


def _reply(entry: Entry) -> str:
    number = entry.step
    out = [
        f'<section class="step" id="step-{number}"><h2><a href="#step-{number}">{number}</a> '
        f'<span class="who">{escape(entry.title)}</span> <span class="dim">{escape(entry.figures)}</span></h2>'
    ]
    if entry.reasoning:
        out.append(f'<details class="reasoning"><summary>reasoning</summary>{_text(entry.reasoning)}</details>')
    if entry.text:
        out.append(_text(entry.text))
    out += map(_call, entry.calls)
    return "\n".join([*out, "</section>"])


def _call(call: Called) -> str:
    tone = call.status if call.status in ("ok", "error", "unknown") else "open"
    note = " · ".join(filter(None, (call.fault, duration(call.seconds))))
    arguments = "".join(
        f'<div class="argument"><span class="dim">{escape(name)}</span> {_code(value, inline=True)}</div>'
        for name, value in call.arguments
    )
    status = f'<p><span class="badge {tone}">{escape(call.status)}</span> <span class="dim">{escape(note)}</span></p>'
    answer = _code(call.text) if call.text else ""
    return f'<div class="call {tone}"><p class="name">{escape(call.name)}</p>{arguments}{status}{answer}</div>'


def _message(text: str) -> str:
    return f'<p class="message">{escape(text)}</p>' if text else ""


def _text(text: str) -> str:
    return f'<div class="text">{escape(text)}</div>'


def _code(text: str, *, inline: bool = False) -> str:
    lines = text.split("\n")
    if inline and len(lines) == 1 and len(text) <= _SHORT:
        return f"<code>{escape(text)}</code>"
    block = f"<pre>{_lines(lines)}</pre>"
    if len(lines) <= _LONG:
        return block
    return f"<details><summary>{len(lines)} lines<pre>{_lines(lines[:3])}</pre></summary>{block}</details>"


def _lines(lines: list[str]) -> str:
    """The lines; where they are a diff, what it adds and removes is marked."""
    if not any(line.startswith("@@ ") for line in lines):
        return escape("\n".join(lines))
    kinds = {"+": "add", "-": "del"}
    return "\n".join(
        f'<span class="{kinds[line[0]]}">{escape(line)}</span>' if line[:1] in kinds else escape(line) for line in lines
    )
