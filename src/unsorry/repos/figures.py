"""Score against cost as an SVG that stands alone: no script, no font, no file loaded from elsewhere.

What was measured here has filled marks, intervals and the frontier; published rows are hollow, grey, and on no
frontier.  The cost axis is logarithmic; what is free has a place of its own left of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 860.0, 460.0
LEFT, RIGHT, TOP, FOOT = 58.0, 230.0, 34.0, 50.0
FREE = 46.0  # width of the place for what costs nothing
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # Okabe and Ito
SHAPES = ("circle", "square", "triangle", "diamond")
_LONGEST = 30  # characters of a name in the legend


@dataclass(frozen=True, slots=True)
class Mark:
    """A point: cost in the axis' unit (0 is free), score and its interval in percent."""

    k: int
    cost: float
    score: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One system, or one published model, by increasing k."""

    name: str
    marks: tuple[Mark, ...]


def plot(
    measured: Sequence[Series],
    published: Sequence[Series] = (),
    *,
    frontier: Sequence[Mark] = (),
    unit: str = "US$",
    note: str = "",
) -> str:
    """The drawing, a complete SVG document; `note` says where the published rows are from."""
    marks = [m for s in (*measured, *published) for m in s.marks]
    axes = _Axes(marks)
    parts = [axes.drawn(unit)]
    if len(frontier) > 1:
        path = f"M {axes.x(frontier[0].cost):.1f} {axes.y(frontier[0].score):.1f}"
        for mark in frontier[1:]:
            path += f" H {axes.x(mark.cost):.1f} V {axes.y(mark.score):.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="#999" stroke-width="5" stroke-opacity="0.35"/>')
    parts += [_series(s, axes, i, hollow=True) for i, s in enumerate(published)]
    parts += [_series(s, axes, i, hollow=False) for i, s in enumerate(measured)]
    parts.append(_legend(measured, published, bool(len(frontier) > 1)))
    if note:
        parts.append(_text(LEFT, HEIGHT - 6, f"hollow: {note}", size=10, colour="#666"))
    label = f"score in percent against cost in {unit}, with 95 % intervals"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" '
        f'aria-label="{escape(label)}" font-family="sans-serif">',
        f"<title>{escape(label)}</title>",
        f'<rect width="{WIDTH:.0f}" height="{HEIGHT:.0f}" fill="#fff"/>',
        *parts,
        "</svg>\n",
    ])  # fmt: skip


class _Axes:
    def __init__(self, marks: Sequence[Mark]) -> None:
        paid = [m.cost for m in marks if m.cost > 0]
        self.free = any(m.cost == 0 for m in marks)
        self.low = math.floor(math.log10(min(paid)) * 2 - 0.1) / 2 if paid else 0.0
        self.high = math.ceil(math.log10(max(paid)) * 2 + 0.1) / 2 if paid else 1.0
        top = max((m.high if m.high is not None else m.score for m in marks), default=10.0)
        self.top = min(100.0, max(10.0, math.ceil(top / 10 + 0.2) * 10))

    @property
    def begin(self) -> float:
        return LEFT + (FREE if self.free else 0.0)

    def x(self, cost: float) -> float:
        if cost <= 0:
            return LEFT + FREE / 2
        share = (math.log10(cost) - self.low) / (self.high - self.low)
        return self.begin + share * (WIDTH - RIGHT - self.begin)

    def y(self, score: float) -> float:
        return HEIGHT - FOOT - score / self.top * (HEIGHT - FOOT - TOP)

    def drawn(self, unit: str) -> str:
        parts = []
        for score in range(0, int(self.top) + 1, 10 if self.top > 20 else 5):
            y = self.y(score)
            parts.append(_line(LEFT, y, WIDTH - RIGHT, y, "#e5e5e5"))
            parts.append(_text(LEFT - 6, y + 4, str(score), anchor="end"))
        for cost in self._ticks():
            x = self.x(cost)
            parts.append(_line(x, TOP, x, HEIGHT - FOOT, "#efefef"))
            parts.append(_text(x, HEIGHT - FOOT + 16, number(cost), anchor="middle"))
        if self.free:
            parts.append(_line(self.begin, TOP, self.begin, HEIGHT - FOOT, "#bbb", dash=True))
            parts.append(_text(LEFT + FREE / 2, HEIGHT - FOOT + 16, "free", anchor="middle"))
        parts.append(_line(LEFT, HEIGHT - FOOT, WIDTH - RIGHT, HEIGHT - FOOT, "#333"))
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(_text(middle, HEIGHT - FOOT + 32, f"cost of the run, {unit}", anchor="middle"))
        parts.append(_text(LEFT - 40, TOP - 14, "score, %"))
        return "\n".join(parts)

    def _ticks(self) -> list[float]:
        found = []
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            steps = (1, 2, 5) if self.high - self.low <= 2.5 else (1, 3) if self.high - self.low <= 4 else (1,)
            found += [step * 10.0**power for step in steps]
        return [cost for cost in found if self.low - 1e-9 <= math.log10(cost) <= self.high + 1e-9]


def number(cost: float) -> str:
    """A figure of an axis or a table: `0.02`, `18`, `1 650`."""
    if cost == 0:
        return "0"
    if cost >= 100:
        return f"{cost:,.0f}".replace(",", " ")
    return f"{cost:.2g}" if cost < 10 else f"{cost:.0f}"


def _series(series: Series, axes: _Axes, index: int, *, hollow: bool) -> str:
    colour = "#777" if hollow else COLOURS[index % len(COLOURS)]
    shape = SHAPES[(index if hollow else index // len(COLOURS)) % len(SHAPES)]
    places = [(axes.x(m.cost), axes.y(m.score), m) for m in series.marks]
    parts = []
    if len(places) > 1:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
        dash = ' stroke-dasharray="3 3"' if hollow else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.3"{dash}/>')
    for x, y, mark in places:
        between = ""
        if mark.low is not None and mark.high is not None:
            parts.append(_line(x, axes.y(mark.low), x, axes.y(mark.high), colour))
            between = f" [{mark.low:.1f}, {mark.high:.1f}]"
        told = f"{series.name}, pass@{mark.k}: {mark.score:.1f} %{between}, {number(mark.cost)}"
        drawn = _shape(shape, x, y, colour, hollow)
        parts.append(f"<g><title>{escape(told)}</title>{drawn}</g>")
        parts.append(_text(x + 6, y - 6, f"k={mark.k}", size=9, colour=colour))
    return "\n".join(parts)


def _shape(shape: str, x: float, y: float, colour: str, hollow: bool) -> str:
    paint = f'fill="{"#fff" if hollow else colour}" stroke="{colour}" stroke-width="1.5"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {paint}/>'
    if shape == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {paint}/>'
    corners = [(0, -5), (5, 4), (-5, 4)] if shape == "triangle" else [(0, -5), (5, 0), (0, 5), (-5, 0)]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {paint}/>'


def _legend(measured: Sequence[Series], published: Sequence[Series], frontier: bool) -> str:
    x, y, parts = WIDTH - RIGHT + 18, TOP + 6, []
    for hollow, group in ((False, measured), (True, published)):
        for index, series in enumerate(group):
            colour = "#777" if hollow else COLOURS[index % len(COLOURS)]
            shape = SHAPES[(index if hollow else index // len(COLOURS)) % len(SHAPES)]
            parts.append(_shape(shape, x, y, colour, hollow))
            parts.append(_text(x + 12, y + 4, short(series.name), colour="#777" if hollow else "#222"))
            y += 19
    if frontier:
        parts.append(f'<path d="M {x - 6:.0f} {y:.0f} H {x + 6:.0f}" stroke="#999" stroke-width="5" '
                     'stroke-opacity="0.35"/>')  # fmt: skip
        parts.append(_text(x + 12, y + 4, "frontier of what was measured"))
    return "\n".join(parts)


def short(name: str) -> str:
    """A name that fits the legend."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, *, dash: bool = False) -> str:
    dashed = ' stroke-dasharray="4 4"' if dash else ""
    return f'<path d="M {x:.1f} {y:.1f} L {to_x:.1f} {to_y:.1f}" stroke="{colour}" fill="none"{dashed}/>'


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 11, colour: str = "#222") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'
    )
