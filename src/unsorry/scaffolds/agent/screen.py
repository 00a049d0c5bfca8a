"""What a person sees of a run: a line for each step, pieces of answers as they come, questions."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape
from rich.prompt import Prompt

from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent.permissions import Answer
from unsorry.scaffolds.agent.story import visible

WIDTH = 160  # characters of what is told of a call
MARKS = {"ok": "ok", "error": "error", "unknown": "unknown"}


class Screen:
    """Tells on `out` what happens; with `interactive` it asks too, and shows answers while they are written."""

    def __init__(self, *, interactive: bool, quiet: bool = False, out: TextIO | None = None) -> None:
        self.interactive, self.quiet = interactive, quiet
        self.console = Console(file=out or sys.stdout, highlight=False, soft_wrap=True)
        self.streaming = ""
        self.calls: dict[str, str] = {}

    def tell(self, line: str) -> None:
        if not self.quiet:
            self._end_stream()
            self.console.print(f"[dim]·[/dim] {escape(one_line(line))}")

    def stream(self, kind: str, piece: str) -> None:
        """A piece of an answer; reasoning is dimmed."""
        if self.quiet or not piece:
            return
        if kind != self.streaming:
            self._end_stream()
            self.streaming = kind
        style = "" if kind in ("content", "text") else "dim"
        self.console.print(escape(visible(piece)), style=style, end="")

    def record(self, record: Mapping[str, Any]) -> None:
        """One record of the trajectory."""
        if self.quiet:
            return
        show = getattr(self, f"_show_{record['type']}", None)
        if show is not None:
            show(record)

    def _show_reply(self, record: Mapping[str, Any]) -> None:
        message, extra = record["message"], record["message"].get("extra", {})
        streamed = bool(self.streaming)
        self._end_stream()
        text = one_line(str(message.get("content") or ""))
        if text and not streamed:
            self.console.print(f"[bold]{record['step']}[/bold] {escape(text[: 4 * WIDTH])}")
        for call in extra.get("calls", ()):
            self.calls[call["id"]] = (
                f"{one_line(str(call['name']))} {_brief(call.get('arguments'), call.get('raw', ''))}"
            )

    def _show_observation(self, record: Mapping[str, Any]) -> None:
        message = record["message"]
        extra = message.get("extra", {})
        lines = str(message["content"]).strip().splitlines()
        what = self.calls.pop(message["tool_call_id"], one_line(str(message.get("name", ""))))
        status = MARKS.get(str(extra.get("status")), "")
        style = {"ok": "green", "error": "red", "unknown": "yellow"}.get(status, "")
        first = one_line(lines[0])[:WIDTH] if lines else ""
        seconds = extra.get("seconds", 0.0)
        self.console.print(f"  [{style or 'none'}]{status:<7}[/] {escape(what)}  {seconds:.1f} s")
        self.console.print(f"          {escape(first)}", style="dim")

    def _show_compaction(self, record: Mapping[str, Any]) -> None:
        self.tell(f"the history was shortened from {record['before']} to {record['after']} tokens")

    def _end_stream(self) -> None:
        if self.streaming:
            self.console.print()
            self.streaming = ""

    # Questions.

    def permission(self, tool: str, subject: str) -> Answer:
        """Whether a call may be made."""
        self._end_stream()
        self.console.print(f"[bold]{escape(one_line(tool))}[/bold] {escape(one_line(subject)[:1000])}")
        try:
            said = Prompt.ask("run it?", choices=["y", "n", "a"], default="n", console=self.console)
        except EOFError:
            return "no"
        return {"y": "yes", "a": "always"}.get(said, "no")  # type: ignore[return-value]

    def answer(self, text: str) -> str | None:
        """What the user says to a text without a call; None to leave."""
        self._end_stream()
        try:
            said = Prompt.ask("you (empty: leave)", console=self.console, default="", show_default=False)
        except EOFError:
            return None
        return said.strip() or None


def _brief(arguments: Any, raw: str) -> str:
    """Arguments of a call on one line."""
    if not isinstance(arguments, Mapping):
        return one_line(raw)[:WIDTH]
    main = next((arguments[key] for key in ("file", "path", "command", "name") if arguments.get(key)), None)
    if main is not None:
        more = arguments.get("declaration") or ""
        return one_line(f"{main}{':' + str(more) if more else ''}")[:WIDTH]
    return one_line(json.dumps(dict(arguments), ensure_ascii=False))[:WIDTH]
