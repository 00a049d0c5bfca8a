"""What two runs of one recipe differ in: ledgers without times, weights, attempts; and what a run paid for twice."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry.evaluation.attempts import to_json
from unsorry.pipeline import shards

TIMES = re.compile(r"seconds|timings|box_hours|hours|elapsed|per_second|wall")  # keys that hold measured time
# Measured time in a cell's text: "12.3 s", "1:02 min", "45 tokens/s"
TIME_TEXT = re.compile(r"\d[\d.,:]*\s*(ms|s|min|h|seconds?|minutes?|hours?|[a-z]+/s|[a-z]+ a second)\b")
JOURNAL = "unsorry-journal-1"


@dataclass(frozen=True, slots=True)
class Contents:
    """A finished run, reduced to what must not depend on interruptions."""

    ledger: Mapping[str, Any]
    weights: Mapping[str, str]  # folder of an artifact -> digest of its tensors
    attempts: Mapping[str, str]  # shard -> digest of its attempts without their timings
    paid: Counter[str]  # key of a paid answer or of a shard -> how often it is there


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines that a person can follow, for each of the four."""

    ledger: tuple[str, ...]
    weights: tuple[str, ...]
    attempts: tuple[str, ...]
    paid_twice: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.ledger or self.weights or self.attempts or self.paid_twice)


def contents(run: Path) -> Contents:
    """Read a run's folder."""
    return Contents(
        without_times(json.loads((run / "ledger.json").read_text(encoding="utf-8"))),
        {str(folder.relative_to(run)): digest for folder, digest in _weights(run)},
        {str(path.relative_to(run)): attempts_digest(path) for path in _files(run, shards.FORMAT)},
        paid(run),
    )


def difference(unbroken: Contents, broken: Contents) -> Difference:
    """What differs, and what the broken run paid for more often than the unbroken one."""
    more = broken.paid - unbroken.paid
    return Difference(
        tuple(_differences(unbroken.ledger, broken.ledger, "")),
        tuple(_differences(unbroken.weights, broken.weights, "")),
        tuple(_differences(unbroken.attempts, broken.attempts, "")),
        tuple(
            f"{key}: {unbroken.paid[key]} -> {broken.paid[key]} times" for key in sorted(more) if broken.paid[key] > 1
        ),
    )


def without_times(value: Any, *, text: bool = True) -> Any:
    """A JSON value without measured times, in keys and (if `text`) inside of cells."""
    if isinstance(value, Mapping):
        return {k: without_times(v, text=text) for k, v in value.items() if not TIMES.search(k)}
    if isinstance(value, list | tuple):
        return [without_times(v, text=text) for v in value]
    return TIME_TEXT.sub("<time>", value) if text and isinstance(value, str) else value


def attempts_digest(path: Path) -> str:
    """Of a shard's attempts, without measured times (notes may hold some) and certificates (they hold dates)."""
    digest = hashlib.sha256()
    for attempt in shards.read(path):
        raw = without_times(to_json(attempt), text=False)
        del raw["verdict"]["certificate"]
        digest.update(json.dumps(raw, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def paid(run: Path) -> Counter[str]:
    """How often each paid answer is on disk: lines of journals by their key, shards by theirs."""
    found: Counter[str] = Counter()
    for path in _files(run, JOURNAL):
        with path.open("rb") as lines:
            next(lines)
            for line in lines:
                if line.endswith(b"\n"):  # the last one may have been cut off by a kill; it is dropped when reopened
                    found[f"answer {json.loads(line)['key'][:16]}"] += 1
    for path in _files(run, shards.FORMAT):
        found[f"shard {str(shards.read_header(path)['key'])[:16]}"] += 1
    return found


def _files(run: Path, kind: str) -> Iterator[Path]:
    """The .jsonl files of a run whose first line says that they are of this format."""
    for path in sorted(run.rglob("*.jsonl")):
        if path.name.startswith("."):
            continue
        with path.open("rb") as stream:
            try:
                first = json.loads(stream.readline())
            except ValueError:
                continue
        if isinstance(first, dict) and first.get("format") == kind:
            yield path


def _weights(run: Path) -> Iterator[tuple[Path, str]]:
    """Every folder with tensors that a finished stage hands on; checkpoints are no results."""
    from unsorry.training.model import weights_digest

    for finished in sorted(run.glob("stages/*/stage.json")):
        artifacts = json.loads(finished.read_text(encoding="utf-8"))["outcome"]["artifacts"]
        for path in sorted(artifacts.values()):
            folders = {file.parent for file in (finished.parent / path).rglob("*.safetensors")}
            for folder in sorted(folders):
                yield folder, weights_digest(folder)


def _differences(a: Any, b: Any, where: str) -> Iterator[str]:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            place = f"{where}.{key}" if where else str(key)
            if key not in a or key not in b:
                yield f"{place}: only in the {'broken' if key in b else 'unbroken'} run"
            else:
                yield from _differences(a[key], b[key], place)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            name = x.get("name", i) if isinstance(x, Mapping) else i
            yield from _differences(x, y, f"{where}.{name}")
    elif json.dumps(a, sort_keys=True) != json.dumps(b, sort_keys=True):  # as text: NaN equals NaN
        yield f"{where}: {_short(a)} -> {_short(b)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 160 else text[:157] + "..."
