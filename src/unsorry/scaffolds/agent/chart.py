"""How the context of a run grew, as an SVG: one bar a reply, a line where it was compacted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from unsorry.scaffolds.agent.story import Entry, count

_WIDTH, _HEIGHT, _FOOT = 900.0, 90.0, 14.0


def chart(entries: Sequence[Entry]) -> str:
    """The drawing, "" where no reply says how long its prompt was.  Bars link to their steps."""
    shown = [e for e in entries if e.kind in ("reply", "compaction")]
    most = max((e.prompt for e in shown), default=0)
    if not most:
        return ""
    slot = min(_WIDTH / len(shown), 28.0)
    parts: list[str] = []
    for place, entry in enumerate(shown):
        x = place * slot
        if entry.kind == "compaction":
            middle = x + slot / 2
            parts.append(
                f'<g><title>compaction: {escape(entry.title)}</title><line class="cut" x1="{middle:.1f}" '
                f'x2="{middle:.1f}" y1="0" y2="{_HEIGHT:.0f}"/></g>'
            )
            continue
        height = max(entry.prompt / most * _HEIGHT, 1.0)
        cached = min(max(entry.cached, 0) / most * _HEIGHT, height)
        wide = max(slot - 2.0, 0.5)
        tone = _tone(entry)
        title = f"step {entry.step}: {count(entry.prompt)} tokens, {count(entry.cached)} cached"
        parts.append(
            f'<a href="#step-{entry.step}"><title>{escape(title)}</title>'
            f'<rect class="fresh" x="{x:.1f}" y="{_HEIGHT - height:.1f}" width="{wide:.1f}" height="{height:.1f}"/>'
            f'<rect class="cached" x="{x:.1f}" y="{_HEIGHT - cached:.1f}" width="{wide:.1f}" height="{cached:.1f}"/>'
            f'<rect class="{tone}" x="{x:.1f}" y="{_HEIGHT + 4:.1f}" width="{wide:.1f}" height="5"/></a>'
        )
    wide = slot * len(shown)
    label = f"tokens of each prompt, at most {count(most)}; below, what the calls gave; a line is a compaction"
    drawing = (
        f'<svg viewBox="0 0 {wide:.0f} {_HEIGHT + _FOOT:.0f}" style="max-width:{wide:.0f}px" role="img" '
        f'aria-label="{label}">'
    )
    return f'<figure>{drawing}{"".join(parts)}</svg><figcaption class="dim">{label}</figcaption></figure>'


def _tone(entry: Entry) -> str:
    """The worst that a reply's calls gave."""
    given = {call.status for call in entry.calls}
    if not given:
        return "silent"
    return next((tone for tone in ("error", "unknown") if tone in given), "ok" if given == {"ok"} else "open")
