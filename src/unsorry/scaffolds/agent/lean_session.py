"""Lean on a project: `check_source`, `goal_at`, `search_declarations`; one warm Lean behind them (lean/)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unsorry import UnsorryError
from unsorry.scaffolds.agent.lean.answers import Checked, Found, Goals

__all__ = ["Checked", "Found", "Goals", "check_source", "goal_at", "search_declarations"]

CHECK_SECONDS = 120.0
GOAL_SECONDS = 120.0


def check_source(
    text: str, *, root: Path | None = None, path: Path | None = None, timeout: float = CHECK_SECONDS
) -> Checked:
    """What Lean says of `text`.

    `root` is the project whose files it may import (default: none, only the library); with `path`, a file of the
    project, the text stands behind that file's own text and can use what it declares.
    """
    raise UnsorryError("lean_check is not built yet")


def goal_at(
    path: Path, line: int, column: int | None = None, *, root: Path | None = None, text: str | None = None,
    timeout: float = GOAL_SECONDS,
) -> Goals:  # fmt: skip
    """The goals at a place of a file; `line` and `column` from 1, in codepoints.

    Without `column`: at the first code of the line.  `text` is what the file is taken to hold (default: what it holds).
    """
    raise UnsorryError("lean_goal is not built yet")


def search_declarations(
    *, name: str = "", uses: Sequence[str] = (), conclusion: str = "", limit: int = 20, root: Path | None = None,
    path: Path | None = None,
) -> Found:  # fmt: skip
    """Declarations whose name matches (a part, or a glob), whose type uses all of `uses`, and ends in `conclusion`.

    Searched is what `path` reaches, its own declarations included; without it all files of the project at `root`;
    without both the library.  `conclusion` is a pattern such as `_ ++ [] = _` or `List.length ?a ≤ ?b`.
    """
    raise UnsorryError("lean_search is not built yet")
