"""Rejections in a file, a line each; what it holds can only ever say no."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from pathlib import Path
from typing import Any

from unsorry import Status, UnsorryError, Verdict
from unsorry.canonical import json_digest, json_line
from unsorry.judge.reasons import one_line
from unsorry.lean.process import Message

FORMAT = 1


class Memo:
    """A file of rejections, with Lean's errors, by key.

    It is a cache: a torn or damaged line is passed over, its pair is judged again.

    Several threads and processes may write; a line is one `write`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._lines: dict[str, bytes] = {}
        torn = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                data = path.read_bytes()
                torn = bool(data) and not data.endswith(b"\n")
                for line in data.splitlines():
                    self._index(line)
            if torn:
                self._append(b"\n")
        except OSError as error:
            raise self._unusable(error) from None

    def get(self, key: str) -> tuple[Verdict, tuple[Message, ...]] | None:
        """The rejection stored under `key`; None for anything else that stands there."""
        line = self._lines.get(key)
        return None if line is None else _rejection(key, line)

    def put(self, key: str, verdict: Verdict, errors: tuple[Message, ...]) -> None:
        """Stores a rejection; raises ValueError for any other verdict, UnsorryError if the file cannot be written."""
        if verdict.status is not Status.REJECTED:
            raise ValueError("only rejections are kept in a file")
        body = {
            "format": FORMAT,
            "key": key,
            "reason": verdict.reason,
            "message": verdict.message,
            "target": verdict.target,
            "tier": verdict.tier,
            "axioms": list(verdict.axioms),
            "errors": [dataclasses.astuple(m) for m in errors],
        }
        line = json_line({**body, "check": _check(body)})
        with self._lock:
            self._lines[key] = line
            try:
                self._append(line)
            except OSError as error:
                raise self._unusable(error) from None

    def _append(self, data: bytes) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            if os.write(handle, data) != len(data):
                raise OSError(28, "No space left on device")
        finally:
            os.close(handle)

    def _index(self, line: bytes) -> None:
        key = line.partition(b'"key": "')[2][:64].decode("ascii", "replace")
        if len(key) == 64:
            self._lines[key] = line

    def _unusable(self, error: OSError) -> UnsorryError:
        return UnsorryError(f"cannot keep the judge's memo {self.path}: {error.strerror or error}; free or move it")


def _check(body: dict[str, Any]) -> str:
    return json_digest(body)[:16]


def _rejection(key: str, line: bytes) -> tuple[Verdict, tuple[Message, ...]] | None:
    """What a line says, if it is whole.  The status is never read: whatever the file holds, this is a rejection."""
    try:
        raw = json.loads(line)
        check = raw.pop("check")
        if raw["format"] != FORMAT or raw["key"] != key or check != _check(raw):
            return None
        verdict = Verdict(
            Status.REJECTED,
            str(raw["reason"]),
            one_line(str(raw["message"])),
            str(raw["target"]),
            str(raw["tier"]),
            tuple(map(str, raw["axioms"])),
        )
        errors = tuple(
            Message(str(a), str(b), int(c), int(d), int(e), int(f), str(g)) for a, b, c, d, e, f, g in raw["errors"]
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        return None
    return verdict, errors
