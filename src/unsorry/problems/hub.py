"""Problem sets as they are published: files of rows, in a folder or in the local cache of the Hugging Face hub.

Nothing is downloaded but by `download`, and no code of a data set is run: JSON lines, JSON and parquet are read.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from unsorry import Problem, UnsorryError
from unsorry.problems.rows import Columns, Refused, columns, problem

READ = (".jsonl", ".json", ".parquet")
MAX_BYTES = 1 << 30  # of one JSON file, which is read whole
_ID = re.compile(r"[\w.-]+/[\w.-]+")
_SHARD = re.compile(r"[-_.]\d{5}-of-\d{5}.*")


@dataclass
class Imported:
    """The problems of a data set, and what was left out: row -> reason."""

    problems: list[Problem] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    rows: int = 0
    columns: dict[str, Columns] = field(default_factory=dict)  # file -> how its columns were read

    @property
    def reasons(self) -> Mapping[str, int]:
        return Counter(self.refused.values())


def locate(source: str, *, revision: str = "") -> Path:
    """The file or folder of that name, or the newest snapshot of a hub id in the local cache; UnsorryError if neither.

    The cache is looked at as the hub's client lays it out ($HF_HUB_CACHE, $HF_HOME/hub): the client is not needed.
    """
    path = Path(source).expanduser()
    if path.exists():
        return path
    if not _ID.fullmatch(source):
        raise UnsorryError(f"{source} is no file, no folder and no hub id (OWNER/NAME)")
    kept = _cache() / f"datasets--{source.replace('/', '--')}"
    wanted = revision or "main"
    commit = _first_line(kept / "refs" / wanted) or revision
    snapshots = sorted((kept / "snapshots").glob("*"), key=lambda p: p.stat().st_mtime)
    if not commit and snapshots:
        return snapshots[-1]
    for snapshot in snapshots:
        if snapshot.name == commit:
            return snapshot
    flag = f" --revision {revision}" if revision else ""
    raise UnsorryError(
        f"{source} is neither here nor in the hub's local cache ({kept}): "
        f"`unsorry import hub {source} --download{flag}` fetches it"
    )


def download(source: str, *, revision: str = "") -> Path:
    """Fetch a data set into the hub's local cache; UnsorryError for whatever goes wrong with that."""
    if not _ID.fullmatch(source):
        raise UnsorryError(f"--download needs a hub id (OWNER/NAME), not {source!r}")
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        raise UnsorryError("--download needs huggingface_hub: pip install 'unsorry[train]'") from None
    try:
        return Path(
            snapshot_download(
                source, repo_type="dataset", revision=revision or None, allow_patterns=[f"*{s}" for s in READ]
            )
        )
    except Exception as error:  # the client has some twenty kinds, of several libraries
        text = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UnsorryError(f"cannot download {source}: {text[:300]}") from None


def read(
    path: Path,
    *,
    given: Mapping[str, str] | None = None,
    split: str = "",
    header: str = "",
    origin: str = "",
    files: str = "*",
) -> Imported:
    """The problems of a file, or of all files below a folder whose name matches `files`.

    `split` keeps the rows whose split column says so; in a data set without that column, the files of that name.
    `header` is what statements without imports get.  A row that is no problem is refused with the reason.
    """
    made = Imported()
    names: dict[str, str] = {}
    for file in _files(path, files):
        of_file = _split_of(file)
        if split and of_file in SPLITS and of_file != split and len(_files(path, files)) > 1:
            continue
        for number, row in enumerate(_rows(file), 1):
            label = f"{file.name}:{number}"
            places = made.columns.get(file.name)
            if places is None:
                places = made.columns[file.name] = columns(list(row), given or {}, str(file))
            if split and places.split and str(row.get(places.split, "")).strip() != split:
                continue
            made.rows += 1
            try:
                found = problem(row, places, origin=origin or path.name, header=header, split=split)
            except Refused as reason:
                made.refused[label] = str(reason)
                continue
            if found.id in names:
                made.refused[label] = "another row has the same name"
                continue
            names[found.id] = label
            made.problems.append(found)
    if not made.rows:
        what = f"rows of the split {split!r}" if split else "rows"
        raise UnsorryError(f"{path} holds no {what}")
    return made


SPLITS = ("train", "valid", "validation", "test")


def _split_of(file: Path) -> str:
    return _SHARD.sub("", file.name.partition(".")[0])


def _cache() -> Path:
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache" / "huggingface"))
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub"))


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _files(path: Path, pattern: str) -> list[Path]:
    if path.is_file():
        if path.suffix not in READ:
            raise UnsorryError(f"{path}: expected {', '.join(READ)}; Lean files are problems as they are")
        return [path]
    found = sorted(p for p in path.rglob(pattern) if p.suffix in READ and p.is_file())
    if not found:
        raise UnsorryError(f"{path} holds no {', '.join(READ)} file{f' like {pattern}' if pattern != '*' else ''}")
    return found


def _rows(file: Path) -> Iterator[Mapping[str, Any]]:
    reader = {".jsonl": _json_lines, ".json": _json, ".parquet": _parquet}[file.suffix]
    try:
        for number, row in enumerate(reader(file), 1):
            if not isinstance(row, dict):
                raise UnsorryError(f"{file}:{number}: expected an object, not {type(row).__name__}")
            yield row
    except OSError as error:
        raise UnsorryError(f"{file} cannot be read: {error.strerror or error}") from None


def _json_lines(file: Path) -> Iterator[Any]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    raise UnsorryError(f"{file}:{number}: is not JSON") from None


def _json(file: Path) -> Iterable[Any]:
    if file.stat().st_size > MAX_BYTES:
        raise UnsorryError(f"{file} is larger than {MAX_BYTES >> 20} MiB: make JSON lines of it")
    try:
        value = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        raise UnsorryError(f"{file} is not JSON") from None
    if isinstance(value, dict):  # {"data": [...]}, or one row a name
        lists = [part for part in value.values() if isinstance(part, list)]
        value = lists[0] if len(lists) == 1 else [{"name": k, **v} for k, v in value.items() if isinstance(v, dict)]
    if not isinstance(value, list):
        raise UnsorryError(f"{file} holds no list of rows")
    return value


def _parquet(file: Path) -> Iterator[Any]:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise UnsorryError(f"{file} is a parquet file: pip install pyarrow to read it") from None
    try:
        for batch in parquet.ParquetFile(file).iter_batches():
            yield from batch.to_pylist()
    except arrow.ArrowException as error:
        text = (str(error).splitlines() or [""])[0]
        raise UnsorryError(f"{file} is no parquet file that can be read: {text[:200]}") from None
