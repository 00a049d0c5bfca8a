"""A run of the agent on disk.

RUN/config.toml             what was asked for, enough to resume
RUN/results.jsonl           one line for each attempt that has ended
RUN/logs/                   what MCP servers wrote
RUN/task/1/trajectory.jsonl the history; patch.diff and verdict.json, when it has ended
RUN/task/1/work/            the copy of the repository, kept so that the run can go on
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.scaffolds.agent.config import Config


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for.  `run` is its folder; `folder` the user's project."""

    task: str
    folder: Path
    run: Path
    config: Config
    sandbox: str = "strict"

    @property
    def attempt(self) -> Path:
        return self.run / "task" / "1"


def save_order(order: Order) -> None:
    """Writes RUN/config.toml and what keeps git from seeing the run; raises UnsorryError."""
    config = order.config
    lines = [
        f"task = {_toml(order.task)}",
        f"folder = {_toml(str(order.folder.resolve()))}",
        f"sandbox = {_toml(order.sandbox)}",
        f"profile = {_toml(config.profile)}",
        f"model = {_toml(config.model)}",
    ]
    try:
        order.attempt.mkdir(parents=True, exist_ok=True)
        (order.run / ".gitignore").write_text("*\n")
        (order.run / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UnsorryError(f"cannot write {order.run}: {error.strerror or error}") from None


def load_order(run: Path, config: Config) -> Order:
    """The order of a run that is resumed, with `config` for what it does not keep; raises UnsorryError."""
    path = run / "config.toml"
    try:
        kept = tomllib.loads(path.read_text(encoding="utf-8"))
        config = replace(config, profile=str(kept["profile"]), model=kept["model"])
        return Order(str(kept["task"]), Path(kept["folder"]), run, config, str(kept["sandbox"]))
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise UnsorryError(f"{run} is no run that can be resumed: {path.name}: {error}") from None


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
