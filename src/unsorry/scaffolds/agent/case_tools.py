"""Tools of single profiles: `migrate_diagnose` and `parity_report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.judge import StrictJudge
from unsorry.lean.process import Run
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.beneath import Beneath
from unsorry.scaffolds.agent.edit import MAX_BYTES
from unsorry.scaffolds.agent.files import object_schema, text_schema
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.limits import seconds_left
from unsorry.scaffolds.agent.reviewer import reviewer
from unsorry.scaffolds.migrate import as_json, diagnose, report
from unsorry.scaffolds.migrate.inline import carried_back, inline, inline_with_places
from unsorry.scaffolds.parity import compare, parse_rocq
from unsorry.scaffolds.parity.lean import compile_lean

CHECK_SECONDS = 60.0  # for one run of Lean
REDUCTIONS = 400  # runs of Lean for a minimal file


class MigrateDiagnose:
    """`migrate_diagnose`"""

    spec = ToolSpec(
        "migrate_diagnose",
        "Why a file no longer compiles: the smallest text that still fails so (imports of the project put in), the "
        "cause by experiment, and the known fixes from the least reach to the most, each tried with Lean and judged. "
        "Nothing is written, unless `apply` names a fix that repairs everything.",
        object_schema(
            ("file",),
            file=text_schema("Path of a .lean file, relative to the project."),
            apply=text_schema("A fix to write: its name as the answer gives it, or `recommended`."),
        ),
    )

    def __init__(self, project: LeanProject, beneath: Beneath) -> None:
        self.project, self.beneath = project, beneath

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        file, name = self.project.file(Path(str(arguments["file"])))
        text, places = inline_with_places(self.project.root, file)
        with _lean(self.project, text, name) as (session, _, judge):
            found = diagnose(text, _check(session), judge, known=lambda: _names(judge), checks=REDUCTIONS)
        said, data = report(found, name), as_json(found, text)
        wanted = str(arguments.get("apply", "")).strip("`")
        if not wanted or not found.failures:
            return Observation(said, "ok" if not found.failures else "error", data)
        trial = next((t for t in found.trials if t.rung.name.strip("`") == wanted), None)
        trial = found.recommended if wanted == "recommended" else trial
        if trial is None or not trial.repairs:
            return Observation(f"{said}\nNothing was written: no fix `{wanted}` repairs everything.", "error", data)
        written = self._write(carried_back(text, trial.rung.text, places))
        told = f"{said}\nWritten: {trial.rung.name} in {', '.join(written)}. Check the files that import it."
        return Observation(told, "ok", {**data, "applied": trial.rung.name, "written": written})

    def _write(self, changes: Mapping[Path, Sequence[tuple[int, int, list[str]]]]) -> list[str]:
        written = []
        for file, edits in changes.items():
            name = file.relative_to(self.project.root).as_posix()
            data = self.beneath.read(name, MAX_BYTES)
            newline = b"\r\n" if b"\r\n" in data else b"\n"
            lines = data.split(newline)
            for first, end, new in edits:
                lines[first - 1 : end - 1] = [line.encode() for line in new]
            self.beneath.write(name, newline.join(lines))
            written.append(name)
        return written


class ParityReport:
    """`parity_report`"""

    repeatable = True
    spec = ToolSpec(
        "parity_report",
        "Compare a Rocq file with its Lean translation: constructors and their order, binders and types, functions, "
        "evaluation of the source's examples, and which theorems are carried (judged).",
        object_schema(
            ("source", "translation"),
            source=text_schema("Path of the .v file, relative to the project."),
            translation=text_schema("Path of the .lean file."),
            names={
                "type": "object", "additionalProperties": {"type": "string"},
                "description": "Names that differ, source name to Lean name.",
            },
        ),
    )  # fmt: skip

    def __init__(self, project: LeanProject) -> None:
        self.project = project

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        source, _ = self.project.file(Path(str(arguments["source"])))
        file, name = self.project.file(Path(str(arguments["translation"])))
        text = inline(self.project.root, file)
        names = {str(key): str(value) for key, value in arguments.get("names", {}).items()}
        with _lean(self.project, text, name) as (session, toolchain, judge):
            lean = compile_lean(toolchain, text, self.project.confinement)
            found = compare(parse_rocq(self.project.modules.text(source)), lean, _check(session), judge, names)
        return Observation(found.text(), "ok" if found.complete else "error", found.as_json())


@contextmanager
def _lean(project: LeanProject, text: str, name: str) -> Iterator[tuple[Session, Toolchain, StrictJudge]]:
    """A warm Lean for variants of a text, and a judge."""
    limits, confinement = project.warm.recipe.limits, project.confinement
    with (
        project.toolchain_for(text, name) as toolchain,
        Session(toolchain, confinement=confinement, limits=limits) as session,
        reviewer(toolchain, confinement) as judge,
    ):
        yield session, toolchain, judge


def _check(session: Session) -> Any:
    def check(text: str) -> Run:
        left = seconds_left(CHECK_SECONDS)
        if left <= 0:
            raise UnsorryError("the run has no time left")
        return session.check(text, timeout=left)

    return check


def _names(judge: StrictJudge) -> list[str]:
    from unsorry.lean.names import Name

    return [str(name) for name in judge.library.scope([Name.parse("Init")]).names]
