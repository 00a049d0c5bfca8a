"""Long-running programs of ours (a server, a training job) that never outlive us, and what their log says of an end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from unsorry import UnsorryError

TAIL = 64 << 10  # bytes of a log that are looked at
_GUARD = Path(__file__).with_name("guard.py")
_FAULT = re.compile(r"(?:^|[\s(])((?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b: ?\S.*)")
_SECONDARY = ("root cause above", "ChildFailedError", "Broken pipe")  # a program about the end of its own children


class Guarded:
    """A program with its output in `log`; a context manager that stops it and everything it started.

    The same happens when this process dies, however it does (see guard.py).  With `read`, its standard output is not
    logged but given by `lines`.  `grace` is seconds between the request to end and the kill.
    """

    def __init__(
        self, command: Sequence[str], *, log: Path, env: Mapping[str, str], grace: float = 10.0, read: bool = False
    ) -> None:
        self.log, self.grace = log, grace
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("wb") as file:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_GUARD), str(os.getpid()), str(grace), *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE if read else file,
                    stderr=file,
                    env=dict(env),
                    start_new_session=True,  # Ctrl-C in the terminal is ours to pass on
                )
        except OSError as error:
            raise UnsorryError(f"cannot start {command[0]} with its log in {log}: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Of the guard, whose descendants the program and its processes are."""
        return self._process.pid

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.poll()

    def wait(self) -> int:
        return self._process.wait()

    def lines(self) -> Iterator[bytes]:
        """Its standard output, until the end."""
        assert self._process.stdout is not None
        yield from self._process.stdout

    def stop(self) -> None:
        """Have it end; returns when nothing of it runs any more."""
        process = self._process
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        try:
            process.wait(self.grace + 40)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.stdout is not None:
            process.stdout.close()

    def reason(self) -> str:
        """One line of the log that says why it ended: the last exception that is a cause, or the last line."""
        return reason(self.log)


def reason(log: Path) -> str:
    """See Guarded.reason; "nothing" for an empty log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        text = ""
    lines = [line for line in text.splitlines() if line.strip()]
    faults = [found[1] for line in lines if (found := _FAULT.search(line)) and not any(s in line for s in _SECONDARY)]
    said = faults[-1] if faults else lines[-1] if lines else "nothing"
    one = " ".join("".join(c if c.isprintable() else " " for c in said).split())
    return one if len(one) <= 300 else one[:300] + "..."
