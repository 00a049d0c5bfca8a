"""Tools over a project's Lean: `lean_check`, `lean_goal`, `lean_search`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from unsorry import UnsorryError
from unsorry.scaffolds.agent import Observation, Tool, ToolSpec
from unsorry.scaffolds.agent.lean.answers import Answer, Checked
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.limits import seconds_left

SECONDS = 180.0  # the first load of a large library takes a minute and more
MOST_SECONDS = 1200.0
_STATUS: dict[Answer, Literal["ok", "error", "unknown"]] = {"clean": "ok", "errors": "error", "unknown": "unknown"}
_TIMEOUT = {"type": "number", "description": f"Seconds, {SECONDS:g} by default.", "exclusiveMinimum": 0}


def lean_tools(project: LeanProject) -> list[Tool]:
    """The three tools on one project."""
    return [LeanCheck(project), LeanGoal(project), LeanSearch(project)]


class LeanCheck:
    """Errors of a file, or of a text."""

    repeatable = True
    spec = ToolSpec(
        "lean_check",
        "Elaborate a Lean file of the project as it is now, or a snippet, with everything it imports; imports that "
        "were edited are compiled again. The answer is `clean`, the errors with line and column, or `unknown` (timed "
        "out, crashed, changed meanwhile): unknown is never success. It lists what still rests on a sorry or on other "
        "axioms, whether Lean warned or not, imported files included.",
        {
            "type": "object",
            "properties": {
                "file": {"type": "string", "description": "Path of a .lean file, relative to the project."},
                "code": {
                    "type": "string",
                    "description": "Lean text. Alone: a whole file, imports first. With `file`: put behind that "
                    "file's text, whose declarations it can use; line numbers are those of the code.",
                },
                "timeout": _TIMEOUT,
            },
            "additionalProperties": False,
        },
    )

    def __init__(self, project: LeanProject) -> None:
        self.project = project

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        file, code = arguments.get("file"), arguments.get("code")
        if file is None and code is None:
            return Observation("lean_check needs `file`, `code` or both", "error")
        timeout = _seconds(arguments)
        try:
            if code is None:
                found = self.project.check(Path(str(file)), timeout=timeout)
            else:
                behind = Path(str(file)) if file is not None else None
                found = self.project.check_text(str(code), behind=behind, timeout=timeout)
        except UnsorryError as error:
            return Observation(str(error), "error")
        return Observation(found.text, _STATUS[found.answer], as_data(found))


def as_data(found: Checked) -> dict[str, Any]:
    """A check as JSON values; columns from 1."""
    return {
        "answer": found.answer, "reason": found.reason, "seconds": round(found.seconds, 3),
        "messages": [
            {"severity": m.severity, "line": m.line, "column": m.column + 1, "text": m.text} for m in found.messages
        ],
        "sorries": list(found.sorries), "imported_sorries": list(found.imported_sorries), "axioms": list(found.axioms),
    }  # fmt: skip


class LeanGoal:
    """Goals at a position, or of the sorries of a declaration."""

    repeatable = True
    spec = ToolSpec(
        "lean_goal",
        "The proof state in a file: with `line` (and `column`) the goals there and at the end of that line; without, "
        "the goal of every sorry of `declaration`, or of the whole file. Lines and columns count from 1, columns in "
        "characters.",
        {
            "type": "object",
            "properties": {
                "file": {"type": "string", "description": "Path of a .lean file, relative to the project."},
                "line": {"type": "integer", "minimum": 1},
                "column": {"type": "integer", "minimum": 1, "description": "Default: the first code of the line."},
                "declaration": {"type": "string", "description": "Name of a declaration with sorries."},
                "timeout": _TIMEOUT,
            },
            "required": ["file"],
            "additionalProperties": False,
        },
    )

    def __init__(self, project: LeanProject) -> None:
        self.project = project

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path, timeout = Path(str(arguments["file"])), _seconds(arguments)
        line, column = arguments.get("line"), arguments.get("column")
        try:
            if line is not None:
                goals = self.project.goals(path, int(line), column and int(column), timeout=timeout)
                data = {k: v for k, v in asdict(goals).items() if k != "text"}
                return Observation(goals.text, "ok" if goals.known else "unknown", data)
            holes = self.project.holes(path, str(arguments.get("declaration", "")), timeout=timeout)
        except UnsorryError as error:
            return Observation(str(error), "error")
        if any(not goals.known for _, _, goals in holes):
            return Observation(holes[0][2].text, "unknown", {"reason": holes[0][2].reason})
        text = "\n\n".join(f"{name}, sorry at {goals.text}" for _, name, goals in holes)
        listed = [
            {"declaration": name, "line": g.line, "column": g.column, "goals": list(g.before or ()), "type": g.expected}
            for _, name, g in holes
        ]
        return Observation(text, "ok", {"sorries": listed})


class LeanSearch:
    """Declarations by name, by what they use, by conclusion."""

    repeatable = True
    spec = ToolSpec(
        "lean_search",
        "Search the declarations that really are in reach: the project's own and those of its library. All criteria "
        "that are given must hold; shortest names come first.",
        {
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "Parts of the name, separated by spaces, or a pattern with `*`: `map append`.",
                },
                "uses": {
                    "type": "array", "items": {"type": "string"},
                    "description": 'Constants or operators in the type: ["List.map", "++"].',
                },
                "conclusion": {
                    "type": "string",
                    "description": "Shape of the conclusion, with `_` and `?x`; before an arrow, a hypothesis: "
                    "`List.length (_ ++ _) = _`, `?a + ?b = ?b + ?a`, `_ < ?n → _ ≤ ?n`.",
                },
                "file": {"type": "string", "description": "Search only what this file reaches, itself included."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 200, "description": "20 by default."},
                "timeout": _TIMEOUT,
            },
            "additionalProperties": False,
        },
    )  # fmt: skip

    def __init__(self, project: LeanProject) -> None:
        self.project = project

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        file = arguments.get("file")
        try:
            found = self.project.search(
                name=str(arguments.get("name", "")),
                uses=[str(use) for use in arguments.get("uses", ())],
                conclusion=str(arguments.get("conclusion", "")),
                limit=int(arguments.get("limit", 20)),
                path=Path(str(file)) if file is not None else None,
                timeout=_seconds(arguments),
            )
        except UnsorryError as error:
            return Observation(str(error), "error")
        listed = [asdict(match) for match in found.matches]
        return Observation(found.text, "ok", {"total": found.total, "matches": listed, "notes": list(found.notes)})


def _seconds(arguments: Mapping[str, Any]) -> float:
    return max(0.1, seconds_left(min(float(arguments.get("timeout", SECONDS)), MOST_SECONDS)))
