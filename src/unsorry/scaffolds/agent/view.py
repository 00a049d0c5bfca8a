"""A trajectory in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from unsorry.scaffolds.agent.story import Called, Entry, duration, story, totals, visible
from unsorry.scaffolds.agent.trajectory import Trajectory

_STATUS = {"ok": "green", "error": "red", "unknown": "yellow"}
_TITLE = {
    "system": ("system", "dim"),
    "user": ("user", "bold cyan"),
    "loop": ("told by the loop", "yellow"),
    "compaction": ("compaction", "magenta"),
    "start": ("start", "dim"),
    "end": ("end", "bold"),
}


def show(trajectory: Trajectory, console: Console, *, lines: int = 12, step: int | None = None) -> None:
    """Print the run, or one step of it; texts longer than `lines` are cut there, 0 shows all."""
    entries = story(trajectory)
    if step is None:
        console.print(Text(visible(str(trajectory.header.get("id", ""))), "dim"))
    for entry in entries:
        if step is None or entry.step == step:
            _entry(entry, console, lines)
    if step is None:
        console.print(Rule(style="dim"))
        ended = trajectory.end["kind"] if trajectory.end else "not ended"
        console.print(Text.assemble((visible(str(ended)), "bold"), "  ", totals(trajectory.spent)))


def _entry(entry: Entry, console: Console, lines: int) -> None:
    if entry.kind == "reply":
        title = Text.assemble((f"{entry.step}", "bold blue"), "  ", (entry.title, "blue"), "  ", (entry.figures, "dim"))
        console.print(Rule(title, align="left", style="dim"))
        if entry.reasoning:
            console.print(_indented(Text(cut(entry.reasoning, lines), "dim italic")))
        if entry.text:
            console.print(_indented(Text(cut(entry.text, lines))))
        for call in entry.calls:
            _call(call, console, lines)
        return
    name, style = _TITLE.get(entry.kind, (entry.kind, ""))
    head = Text.assemble((name, style), *((("  " + part), "dim") for part in (entry.title, entry.figures) if part))
    console.print(head)
    if entry.text:
        console.print(_indented(Text(cut(entry.text, lines), "dim" if entry.kind in ("system", "start") else "")))


def _call(call: Called, console: Console, lines: int) -> None:
    console.print(_indented(Text.assemble(("→ ", "dim"), (call.name, "bold"))))
    for name, value in call.arguments:
        space = "\n" if "\n" in value else " "
        console.print(_indented(Text.assemble((f"{name}:", "dim"), space, cut(value, lines)), 4))
    note = " · ".join(part for part in (call.fault, duration(call.seconds)) if part)
    style = _STATUS.get(call.status, "magenta")
    console.print(_indented(Text.assemble((f"← {call.status}", style), (f"  {note}", "dim"))))
    if call.text:
        console.print(_indented(Text(cut(call.text, lines)), 4))


def _indented(text: Text, by: int = 2) -> Padding:
    return Padding(text, (0, 0, 0, by), expand=False)


def cut(text: str, lines: int) -> str:
    """The first lines of a text, and how many more there are; 0 is all."""
    found: Sequence[str] = text.rstrip("\n").split("\n")
    if not lines or len(found) <= lines:
        return "\n".join(found)
    return "\n".join([*found[:lines], f"[{len(found) - lines} more lines]"])
