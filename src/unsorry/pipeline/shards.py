"""Attempts on disk in shards: whole or absent, never half; each says what it is and whether it is intact.

A shard is JSON lines: a header with what the attempts were made from, one line for each attempt, and a last line with
their number and the sha256 of all bytes before it.  It is written beside its place, synced and renamed, so that a
killed run leaves at most a temporary file, which is ignored.  Numbers are read back as they were: floats are written
with the digits that give the same float again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from unsorry import Attempt, UnsorryError
from unsorry.canonical import json_line
from unsorry.durable import sync
from unsorry.evaluation.attempts import from_json, to_json

FORMAT = "unsorry.rollouts/1"
TEMPORARY = ".tmp"  # suffix


def write(path: Path, header: Mapping[str, Any], attempts: Iterable[Attempt]) -> None:
    """Puts a complete shard at `path`; raises UnsorryError, with nothing left behind, if it cannot be written."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            digest, count = hashlib.sha256(), 0
            for line in _lines(path, header, attempts):
                digest.update(line)
                file.write(line)
                count += 1
            file.write(_encode({"end": True, "attempts": count - 1, "sha256": digest.hexdigest()}))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync(path.parent)
    except OSError as error:
        raise UnsorryError(
            f"cannot write {path}: {error.strerror or error}; make room and run again, the shards before it are kept"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def read_header(path: Path) -> dict[str, Any]:
    """The header alone, unchecked beyond its format; raises UnsorryError if there is none."""
    try:
        with open(path, "rb") as file:
            return _header(path, file.readline())
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None


def read(path: Path) -> Iterator[Attempt]:
    """The attempts of a shard in order; raises UnsorryError, before the first one, if it is damaged."""
    _check(path)
    number = 0
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                raw = json.loads(line)
                if number == 1 or "end" in raw:
                    continue
                yield from_json(raw)
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnsorryError(
            f"{path}:{number}: not an attempt ({error!r}); delete the shard to have it made again"
        ) from None


def sweep(folder: Path) -> None:
    """Removes the temporary files of killed runs; the caller holds the folder's lock."""
    for path in folder.glob(f".*{TEMPORARY}"):
        with contextlib.suppress(OSError):
            path.unlink()


def fingerprint(attempts: Iterable[Attempt]) -> str:
    """Hex sha256 of what attempts say, without what differs from run to run: seconds, timings, certificates."""
    digest = hashlib.sha256()
    for attempt in attempts:
        raw = to_json(attempt)
        del raw["cost"]["seconds"], raw["verdict"]["timings"], raw["verdict"]["certificate"]
        digest.update(_encode(raw))
    return digest.hexdigest()


def _lines(path: Path, header: Mapping[str, Any], attempts: Iterable[Attempt]) -> Iterator[bytes]:
    yield _encode({"format": FORMAT, **header})
    for attempt in attempts:
        try:
            yield _encode(to_json(attempt))
        except (TypeError, ValueError) as error:  # notes that JSON does not hold, or:
            if any(not math.isfinite(value) for turn in attempt.turns for value in turn.logprobs):
                raise UnsorryError(
                    f"an attempt at {attempt.problem} cannot be kept: the model {attempt.turns[-1].model} gives "
                    "log-probabilities that are not finite, so its weights are damaged; lower the learning rate"
                ) from None
            raise UnsorryError(f"an attempt at {attempt.problem} cannot be kept in {path}: {error}") from None


def _encode(value: Any) -> bytes:
    """One line.  What a model wrote may hold lone surrogates, which are read back as they were."""
    return json_line(value, allow_nan=False, separators=(",", ":"))


def _header(path: Path, line: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        raw = json.loads(line)
        if raw["format"] == FORMAT:
            return dict(raw)
        raise UnsorryError(f"{path} has the format {raw['format']!r}; this version reads {FORMAT}")
    raise UnsorryError(f"{path} is not a shard of attempts, or is damaged; delete it to have it made again")


def _check(path: Path) -> None:
    """Reads the whole file once: header, last line, digest."""
    digest, last, count = hashlib.sha256(), b"", 0
    try:
        with open(path, "rb") as file:
            for line in file:
                digest.update(last)
                last, count = line, count + 1
                if count == 1:
                    _header(path, line)
    except OSError as error:
        raise UnsorryError(f"cannot read {path}: {error.strerror or error}") from None
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        end = json.loads(last)
        if last.endswith(b"\n") and end["sha256"] == digest.hexdigest() and end["attempts"] == count - 2:
            return
    raise UnsorryError(f"{path} is damaged (its digest does not fit); delete it to have it made again")
