"""Training rows in one file, for the processes of a training job: exact, compact, whole or absent.

A safetensors file: the token fields of all rows end to end, the lengths of the rows, their advantages, forks and
cut-off marks, and their names (groups and attempts) as JSON in bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from unsorry import UnsorryError
from unsorry.training.atomic import disk_error
from unsorry.training.masks import Row

FORMAT = "unsorry-rows-1"


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Replace the file at once.  Raises UnsorryError where the disk is full or not writable."""
    names = json.dumps({"format": FORMAT, "group": [r.group for r in rows], "attempt": [r.attempt for r in rows]})
    tensors = {
        "names": torch.frombuffer(bytearray(names.encode()), dtype=torch.uint8),
        "lengths": torch.tensor([len(row.input_ids) for row in rows], dtype=torch.int64),
        "ids": torch.tensor([token for row in rows for token in row.input_ids], dtype=torch.int32),
        "mask": torch.tensor([one for row in rows for one in row.loss_mask], dtype=torch.bool),
        "logprobs": torch.tensor([p for row in rows for p in row.sampler_logprobs], dtype=torch.float64),
        "advantages": torch.tensor([row.advantage for row in rows], dtype=torch.float64),
        "forks": torch.tensor([row.fork for row in rows], dtype=torch.int64),
        "truncated": torch.tensor([row.truncated for row in rows], dtype=torch.bool),
    }
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(tensors, draft)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, SafetensorError) as error:
        draft.unlink(missing_ok=True)
        raise disk_error(path, error if isinstance(error, OSError) else OSError(str(error)[:200])) from None


def read_rows(path: Path) -> list[Row]:
    """The rows as they were written; UnsorryError for a file that is missing or something else."""
    try:
        found = load_file(path)
        names = json.loads(bytes(found["names"].tolist()))
        if names["format"] != FORMAT:
            raise ValueError(f"format {names['format']}")
        lengths = found["lengths"].tolist()
        parts = [torch.split(found[name], lengths) for name in ("ids", "mask", "logprobs")]
        single = [found[name].tolist() for name in ("advantages", "forks", "truncated")]
        return [
            Row(
                tuple(ids.tolist()),
                tuple(mask.tolist()),
                tuple(logprobs.tolist()),
                advantage,
                group,
                attempt,
                fork,
                cut,
            )
            for ids, mask, logprobs, advantage, fork, cut, group, attempt in zip(
                *parts, *single, names["group"], names["attempt"], strict=True
            )
        ]
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise UnsorryError(f"{path} holds no training rows ({first[:200]}): remove it and run again") from None
