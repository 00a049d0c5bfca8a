"""Writes a trajectory: each record is on disk, whole, before anything follows from it.

A kill at any moment leaves the records before the one that was being written.  Before a model is asked, and paid, the
space for its answer is set aside: a disk that fills up meanwhile cannot lose it.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from unsorry import UnsorryError, __version__, durable
from unsorry.canonical import json_line
from unsorry.scaffolds.agent.trajectory import FORMAT, Record, parse, read, until_step

RESERVE = 4 << 20  # bytes set aside for one answer
_FULL = frozenset((errno.ENOSPC, errno.EDQUOT))


def header(**values: Any) -> dict[str, Any]:
    """The first line of a new trajectory: `values` beside what names it."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return {"format": FORMAT, "id": uuid.uuid4().hex, "created": created, "unsorry": __version__, **values}


class Recorder:
    """A trajectory and its open file; one process at a time.  `watch` is told each record once it is on disk."""

    def __init__(
        self,
        path: Path,
        start: Mapping[str, Any] | None = None,
        *,
        reserve: int = RESERVE,
        watch: Callable[[Record], None] | None = None,
    ) -> None:
        """A new file with the header `start`, or without one a file that is there.  Raises UnsorryError."""
        self.path, self._size, self._watch = path, reserve, watch
        self._spare = path.with_name(f".{path.name}.reserve")
        self._dirty = False  # an interrupt came between the disk and the trajectory
        try:
            if start is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._file = durable.claim(path, os.O_CREAT if start is not None else 0)
        except BlockingIOError:
            raise UnsorryError(f"{path} is in use by another process: wait for it, or fork it") from None
        except OSError as error:
            raise self._fault(error) from None
        try:
            if start is not None:
                if b"\n" in path.read_bytes():
                    raise UnsorryError(f"{path} is there already: resume it, or give another file")
                self._end = 0
                self._append(json_line(dict(start), default=str))
                durable.sync(path.parent)
            self._load()
        except OSError as error:
            os.close(self._file)
            raise self._fault(error) from None
        except UnsorryError:
            os.close(self._file)
            raise

    def append(self, record: Record, *, sync: bool = True) -> None:
        """Keep a record and take it into the trajectory.  With `sync` it is on the disk when this returns; without, it
        outlives this process and not a power cut.

        Raises UnsorryError where it cannot be written: then neither the file nor the trajectory holds any of it.
        """
        if self._dirty:
            self._load()
        line, count = json_line(record, separators=(",", ":"), default=str), len(self.trajectory.records)
        try:
            kept = self._take(line, sync)
        except KeyboardInterrupt:  # has to wait until the record is whole: it may have been paid for
            self._load()
            if len(self.trajectory.records) == count:
                self._take(line, sync)
            raise
        if self._watch is not None:
            self._watch(kept)

    def reserve(self) -> None:
        """Set aside the space for an answer; UnsorryError where there is none, before anything is paid."""
        if not self._size or self._spare.exists():
            return
        try:
            spare = os.open(self._spare, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(spare, 0, self._size)
            finally:
                os.close(spare)
        except OSError as error:
            self._spare.unlink(missing_ok=True)
            if error.errno in _FULL:
                raise self._fault(error) from None  # a file system that cannot reserve is no fault

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._spare.unlink(missing_ok=True)
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, line: bytes, sync: bool) -> Record:
        self._dirty = True
        try:
            try:
                self._append(line, sync)
            except OSError as error:
                if error.errno not in _FULL or not self._spare.exists():
                    raise
                self._spare.unlink()
                self._append(line, sync)
        except OSError as error:
            self._dirty = False
            raise self._fault(error) from None
        kept: Record = json.loads(line)  # as it will be read back
        self.trajectory.apply(kept)
        self._dirty = False
        return kept

    def _load(self) -> None:
        self.trajectory, self._end = parse(self.path.read_bytes(), str(self.path))
        os.ftruncate(self._file, self._end)  # what a crash or an interrupt cut off
        self._dirty = False

    def _append(self, line: bytes, synced: bool = True) -> None:
        self._end = durable.append(self._file, line, self._end, synced=synced)

    def _fault(self, error: OSError) -> UnsorryError:
        advice = "free some space" if error.errno in _FULL else "make it writable"
        return UnsorryError(
            f"cannot save the trajectory {self.path}: {error.strerror or error}; {advice} and resume, "
            "all steps until now are kept"
        )


def fork(source: Path, step: int, target: Path) -> None:
    """A new trajectory that holds the first `step` whole steps of another, which stays as it is.

    Raises UnsorryError if `target` is there already, or there is no such step.
    """
    found = read(source)
    first = {**found.header, **header(parent={"id": found.header.get("id", ""), "step": step})}
    lines = [json_line(first)]
    lines += [json_line(record, separators=(",", ":")) for record in until_step(found, step)]
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, target)  # unlike a rename it never replaces a run
        durable.sync(target.parent)
    except FileExistsError:
        raise UnsorryError(f"{target} is there already: resume it, or give another file") from None
    except OSError as error:
        raise UnsorryError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        draft.unlink(missing_ok=True)
