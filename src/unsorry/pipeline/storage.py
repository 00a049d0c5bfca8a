"""What must survive a kill: files written whole or not at all, elapsed time, and a folder that one run owns."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from unsorry import UnsorryError

EVERY = 5.0  # seconds between two notes of the elapsed time
PATIENCE = 0.5  # seconds: somebody who only looks whether a folder is in use has its lock for an instant


def write_json(path: Path, value: object, *, sync: bool = True) -> None:
    """Replace a file at once: a reader sees the old text or the new one; on disk before it returns if `sync`."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with draft.open("w", encoding="utf-8") as stream:
            json.dump(value, stream, ensure_ascii=False, indent=1)
            stream.write("\n")
            if sync:
                stream.flush()
                os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a file, None where there is no file; UnsorryError where it holds something else."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UnsorryError(f"cannot read {path}: {error}; move it away and run again") from None
    if not isinstance(value, dict):
        raise UnsorryError(f"{path} holds no JSON object; move it away and run again")
    return value


class Stopwatch:
    """Seconds of work in a folder, across interruptions; at most `EVERY` seconds are lost to a kill."""

    def __init__(self, path: Path) -> None:
        self.path = path
        before = read_json(path) or {}
        self._before = float(before.get("seconds", 0.0))
        self._start = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._note, name="elapsed", daemon=True)

    @property
    def seconds(self) -> float:
        return self._before + time.monotonic() - self._start

    def __enter__(self) -> Stopwatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        with contextlib.suppress(OSError):  # a full disk must not hide what happened
            self._write()

    def _note(self) -> None:
        while not self._ended.wait(EVERY):
            with contextlib.suppress(OSError):
                self._write()

    def _write(self) -> None:
        write_json(self.path, {"seconds": round(self.seconds, 3)}, sync=False)


_HELD: set[Path] = set()  # POSIX locks do not hold against the own process


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Hold a run's folder; UnsorryError when a living process has it.  The kernel frees it when its owner dies."""
    path = (folder / "lock").resolve()
    if path in _HELD:
        raise UnsorryError(f"{folder} is in use by this very process; give the other run its own --out")
    try:
        stream = path.open("a+", encoding="utf-8")  # POSIX lock: not inherited by children, so no orphan keeps it
    except OSError as error:
        raise UnsorryError(f"cannot write {folder}: {error.strerror}; give another --out") from None
    try:
        _lock(stream, folder)
        _HELD.add(path)
        stream.truncate(0)
        stream.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        stream.flush()
        yield
    finally:
        _HELD.discard(path)
        stream.close()


def _lock(stream: TextIO, folder: Path) -> None:
    limit = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise UnsorryError(f"cannot lock {folder}: {error.strerror}; give an --out on a local disk") from None
        if time.monotonic() > limit:
            owner = _owner(stream)
            raise UnsorryError(f"{folder} is in use by {owner}; wait for it, or give this run another --out")
        time.sleep(0.02)


def in_use(folder: Path) -> bool:
    """Whether a living process works in the folder."""
    path = (folder / "lock").resolve()
    if path in _HELD:
        return True
    try:
        stream = path.open("r+", encoding="utf-8")
    except OSError:
        return False
    with stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        return False


def _owner(stream: TextIO) -> str:
    stream.seek(0)
    return stream.readline().strip() or "another process"
