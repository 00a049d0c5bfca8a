"""A journal of answers that were paid for: one JSON line each, on disk before it is used."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unsorry import UnsorryError
from unsorry.canonical import json_digest, json_line
from unsorry.durable import append, claim, sync

FORMAT = "unsorry-journal-1"
_HEADER = json.dumps({"format": FORMAT}).encode() + b"\n"


class Journal:
    """Answers by key, in a file that survives `kill -9` at any moment.

    A line that was cut off by a crash is dropped when the file is opened again.  One process writes at a time, from any
    of its threads.  Raises UnsorryError for a file that is something else, in use, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._where: dict[str, tuple[int, int]] = {}  # key -> offset and length of its line
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = claim(path, os.O_CREAT)
        except BlockingIOError:
            raise UnsorryError(f"{path} is in use by another process: wait for it or use another journal") from None
        except OSError as error:
            raise self._fault(error) from None
        try:
            self._end = self._read()
            if self._end == 0:
                self._append(_HEADER)
                sync(path.parent)
        except OSError as error:
            os.close(self._file)
            raise self._fault(error) from None
        except UnsorryError:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def __len__(self) -> int:
        return len(self._where)

    def __bool__(self) -> bool:
        return True  # an empty journal is a journal

    def __contains__(self, key: str) -> bool:
        return key in self._where

    def get(self, key: str) -> Any | None:
        """The value put under `key`, None if there is none."""
        with self._lock:
            where = self._where.get(key)
            if where is None:
                return None
            offset, length = where
            return json.loads(os.pread(self._file, length, offset))["value"]

    def put(self, key: str, value: Any) -> None:
        """Keep a JSON value; it is on disk when this returns.  A key that is there already is replaced."""
        line = json_line({"key": key, "value": value}, separators=(",", ":"))
        with self._lock:
            try:
                offset = self._append(line)
            except OSError as error:
                raise self._fault(error) from None
            self._where[key] = (offset, len(line))

    def _append(self, line: bytes) -> int:
        offset = self._end
        self._end = append(self._file, line, offset)
        return offset

    def _read(self) -> int:
        """Index the lines; where the whole ones end, the rest is cut off."""
        offset = 0
        with open(self._file, "rb", closefd=False) as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n") and (number > 1 or _HEADER.startswith(line)):
                    break
                try:
                    entry = json.loads(line)
                    key = entry["format"] if number == 1 else entry["key"]
                    good = isinstance(key, str) and (number == 1 or "value" in entry)
                except (ValueError, KeyError, TypeError):
                    good = False
                if not good:
                    raise UnsorryError(f"{self.path} is no journal, or was damaged, at line {number}: use another file")
                if number == 1 and key != FORMAT:
                    raise UnsorryError(f"{self.path} has format {key}, not {FORMAT}: use another journal file")
                if number > 1:
                    self._where[key] = (offset, len(line))
                offset += len(line)
        os.ftruncate(self._file, offset)
        return offset

    def _fault(self, error: OSError) -> UnsorryError:
        return UnsorryError(f"cannot keep answers in {self.path}: {error.strerror or error}")


def key_of(*parts: Any) -> str:
    """A key for JSON values: equal for equal values, in any process."""
    return json_digest(parts)
