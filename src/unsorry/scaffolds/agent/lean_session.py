"""Lean on a project: `check_source`, `goal_at`, `search_declarations`; one warm Lean behind them (lean/)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from unsorry.scaffolds.agent.lean.answers import Checked, Found, Goals
from unsorry.scaffolds.agent.lean.project import LeanProject

__all__ = [
    "Checked",
    "Found",
    "Goals",
    "LeanProject",
    "check_source",
    "close_projects",
    "goal_at",
    "open_project",
    "search_declarations",
]

CHECK_SECONDS = 180.0  # the first load of a large library takes a minute and more
GOAL_SECONDS = 180.0

_projects: dict[Path | None, LeanProject] = {}
_lock = threading.Lock()


def open_project(root: Path | None) -> LeanProject:
    """The project at `root`, opened at the first use; it stays warm until `close_projects`."""
    key = root.resolve() if root is not None else None
    with _lock:
        if key not in _projects:
            _projects[key] = LeanProject(key)
        return _projects[key]


def close_projects() -> None:
    """Ends every process that the functions below have started."""
    with _lock:
        projects = list(_projects.values())
        _projects.clear()
    for project in projects:
        project.close()


def check_source(
    text: str, *, root: Path | None = None, path: Path | None = None, timeout: float = CHECK_SECONDS
) -> Checked:
    """What Lean says of `text`.

    `root` is the project whose files it may import (default: none, only the library); with `path`, a file of the
    project, the text stands behind that file's own text and can use what it declares.
    """
    return open_project(root).check_text(text, behind=path, timeout=timeout)


def goal_at(
    path: Path, line: int, column: int | None = None, *, root: Path | None = None, text: str | None = None,
    timeout: float = GOAL_SECONDS,
) -> Goals:  # fmt: skip
    """The goals at a place of a file; `line` and `column` from 1, in codepoints.

    Without `column`: at the first code of the line.  `text` is what the file is taken to hold (default: what it holds).
    `root` is the file's project (default: its folder).
    """
    return open_project(root or path.resolve().parent).goals(path, line, column, text=text, timeout=timeout)


def search_declarations(
    *, name: str = "", uses: Sequence[str] = (), conclusion: str = "", limit: int = 20, root: Path | None = None,
    path: Path | None = None, timeout: float = CHECK_SECONDS,
) -> Found:  # fmt: skip
    """Declarations whose name matches (a part, or a glob), whose type uses all of `uses`, and ends in `conclusion`.

    Searched is what `path` reaches, its own declarations included; without it all files of the project at `root`;
    without both the library.  `conclusion` is a pattern such as `_ ++ [] = _` or `List.length ?a ≤ ?b`.
    """
    project = open_project(root)
    return project.search(name=name, uses=uses, conclusion=conclusion, limit=limit, path=path, timeout=timeout)
