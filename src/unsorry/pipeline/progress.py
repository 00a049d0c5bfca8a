"""What a long stage says while it works: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

EVERY = 20.0  # seconds between two plain lines about the same thing


class Progress(Protocol):
    """`say` one line that stays; `step` what is done so far, `total` 0 where the end is not known."""

    def say(self, text: str) -> None: ...

    def step(self, done: int, total: int = 0, text: str = "") -> None: ...


class Quiet:
    """Says nothing."""

    def say(self, text: str) -> None: ...

    def step(self, done: int, total: int = 0, text: str = "") -> None: ...


class Lines:
    """Progress of the stage `name` on `console`; a context manager, because a live bar must be taken away."""

    def __init__(self, name: str, console: Console) -> None:
        self.name = name
        self.console = console
        self._said = 0.0
        self._bars: Bars | None = None
        self._task: object = None
        if console.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bars = Bars(*columns, console=console, transient=True)

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def say(self, text: str) -> None:
        self.console.print(f"{self.name}: {text}", highlight=False, markup=False, soft_wrap=True)

    def step(self, done: int, total: int = 0, text: str = "") -> None:
        if self._bars is not None:
            label = f"{self.name}: {text}" if text else self.name
            if not self._bars.task_ids:
                self._bars.add_task(label)
            self._bars.update(self._bars.task_ids[0], completed=done, total=total or None, description=label)
            return
        now = time.monotonic()
        if now - self._said >= EVERY or (total and done >= total):
            self._said = now
            self.say(" ".join(part for part in (f"{done}/{total}" if total else str(done), text) if part))
