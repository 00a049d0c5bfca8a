"""Where a server's standard error and the SDK's own log go: a file, up to a size, and never the terminal."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from pathlib import Path
from typing import IO, TextIO

from unsorry.judge.reasons import one_line

MAX_BYTES = 16 << 20  # of one server's file; the rest is read and dropped
SDK = ("mcp", "httpx2", "httpcore2")  # loggers


class ErrorLog:
    """A pipe for a server's standard error, read by a thread into a file; `last` remembers the end of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last: deque[str] = deque(maxlen=3)
        reading, writing = os.pipe()
        os.set_inheritable(writing, False)
        self.stream: TextIO = os.fdopen(writing, "w", encoding="utf-8")
        self._thread = threading.Thread(target=self._copy, args=(reading,), name=f"log {path.name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Gives up our end; the thread ends when the server's processes have closed theirs."""
        self.stream.close()

    def last(self, wait: float = 1.0) -> str:
        """The last line that the server wrote, "" if none.  Waits up to `wait` seconds for what is on its way."""
        self._thread.join(wait)
        return self._last[-1] if self._last else ""

    def _copy(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as source:
            try:
                with self.path.open("ab", buffering=0) as target:
                    self._lines(source, target)
            except OSError:  # the disk is full, the folder gone: the server must not stop because of that
                self._lines(source, None)

    def _lines(self, source: IO[bytes], target: IO[bytes] | None) -> None:
        room = MAX_BYTES - (target.tell() if target else 0)
        rest = b""
        while data := source.read(1 << 16):
            if target and room > 0:
                target.write(data[:room])
                room -= len(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in (*lines, rest):
                if text := one_line(line[-400:].decode("utf-8", "replace")).strip():
                    self._last.append(text)
            rest = rest[-400:]


class SdkLog:
    """Sends what the SDK logs to a file; without it, Python prints warnings on the terminal."""

    def __init__(self, path: Path) -> None:
        self._handler = logging.FileHandler(path, encoding="utf-8", delay=True)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._handler.handleError = lambda record: None  # type: ignore[method-assign]  # a full disk is no reason to stop
        self._before: dict[str, bool] = {}

    def open(self) -> None:
        for name in SDK:
            logger = logging.getLogger(name)
            self._before[name] = logger.propagate
            logger.addHandler(self._handler)
            logger.propagate = False

    def close(self) -> None:
        for name, propagate in self._before.items():
            logger = logging.getLogger(name)
            logger.removeHandler(self._handler)
            logger.propagate = propagate
        self._handler.close()
