"""What a run ends with: the patch, a strict verdict on every declaration, the cost, what is left to read."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unsorry import Status, UnsorryError
from unsorry.canonical import json_line
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import one_line
from unsorry.scaffolds import REFUTED
from unsorry.scaffolds.agent import AgentEnd
from unsorry.scaffolds.agent.engine import Engine
from unsorry.scaffolds.agent.limits import Spent
from unsorry.scaffolds.agent.notes import write
from unsorry.scaffolds.agent.patch import Patch, make_patch
from unsorry.scaffolds.agent.report import Declared, Report, review
from unsorry.scaffolds.agent.report_markdown import markdown, shown
from unsorry.scaffolds.agent.reviewer import reviewer
from unsorry.scaffolds.agent.targets import importers
from unsorry.scaffolds.agent.trajectory import Trajectory
from unsorry.scaffolds.agent.trees import PROOFS, Tree
from unsorry.scaffolds.agent.verdicts import Judged


@dataclass(slots=True)
class Result:
    """`folder` holds the trajectory, patch.diff and verdict.json."""

    end: AgentEnd
    folder: Path
    patch: Patch
    spent: Spent
    profile: str
    report: Report

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "unsorry-agent-result-1", "end": self.end.kind, "message": self.end.message,
            "profile": self.profile, "run": str(self.folder.parent.parent), "patch": str(self.folder / "patch.diff"),
            "files": [{"path": c.path, "change": c.kind} for c in self.patch.changes],
            "declarations": [
                {"file": d.file, "name": d.name, "line": d.line, "verdict": str(d.status), "reason": d.reason,
                 "message": d.message, "change": d.change, "axioms": list(d.axioms), "certificate": d.certificate}
                for d in self.report.declarations
            ],
            "read": [
                {"what": r.what, "file": r.file, "name": r.name, "before": r.before, "after": r.after}
                for r in self.report.reading
            ],
            "unchecked": self.report.unchecked, "faults": self.report.faults, "cost": self.spent.as_json(),
        }  # fmt: skip

    def text(self) -> str:
        """For a person, at a terminal: names and texts are a model's, and command nothing."""
        lines = []
        for d in self.report.declarations:
            axioms = f"axioms: {', '.join(d.axioms)}" if d.axioms else "no axioms"
            lines.append(f"{d.word:<8} {d.file}:{d.line}  {d.name}  {axioms if d.word == 'proved' else d.message}")
        total = len(self.report.declarations)
        lines.append(f"{len(self.report.of('proved'))} of {total} declarations proved and accepted by the strict judge")
        if self.report.reading:
            lines.append("to be read:")
        for r in self.report.reading:
            lines.append(f"  {r.what} {r.file} {r.name}".rstrip())
            lines += [f"    {line}" for line in shown(r)]
        lines += [f"  {fault}" for fault in self.report.faults]
        lines.append(f"cost: {self.cost}")
        run = self.folder.parent.parent
        if self.end.kind != "submitted" and self.end.resumable:
            lines.append(f"ended: {self.end.kind}; go on with unsorry agent --resume {run}")
        if self.patch:
            lines.append(f"patch: git apply {self.folder / 'patch.diff'}")
        else:
            lines.append("no file was changed")
        return "\n".join(map(_on_terminal, lines))

    @property
    def cost(self) -> str:
        """Turns, tokens, money and time in words."""
        spent = self.spent
        money = "free" if not spent.unknown and not spent.pico else f"${spent.price:.4f}"
        if spent.unknown:
            money = "unknown" if not spent.pico else f"{money} and what {spent.unknown} calls of unknown price took"
        tokens = f"{spent.tokens.prompt} tokens in ({spent.tokens.cached} cached), {spent.tokens.completion} out"
        return f"{spent.turns} turns, {tokens}, {money}, {spent.seconds:.0f} s"


def _on_terminal(line: str) -> str:
    """One line that stands where it stands, with what cannot be seen as an escape."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + one_line(line[len(indent) :])


def finish(engine: Engine, end: AgentEnd) -> Result:
    """Makes patch and verdicts and writes them beside the trajectory; raises UnsorryError where they cannot be kept."""
    assert engine.recorder is not None
    order = engine.order
    patch = make_patch(engine.workspace)
    spent = engine.recorder.trajectory.spent
    result = Result(end, order.attempt, patch, spent, engine.profile.name, Report())
    if end.kind != "interrupted":
        task = list(dict.fromkeys(target.file for target in engine.targets))
        with reviewer(engine.project.toolchain, engine.confinement) as judge:
            roots = engine.project.modules.roots
            result.report = review(engine.workspace, patch, judge, task=task, roots=roots)
            if engine.profile.judge_all:
                result.report.declarations += _untouched(engine, patch, judge, result.report)
        result.report.declarations = refuted(
            result.report.declarations, engine.recorder.trajectory, engine.workspace.here
        )
        result.report.faults += [f for f in _broken(engine, patch) if f not in result.report.faults]
    try:
        (order.attempt / "patch.diff").write_bytes(patch.text)
        write(order.attempt / "report.md", markdown(result.report, patch, cost=result.cost, title=order.task))
        write(order.attempt / "verdict.json", json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n")
        line = {key: value for key, value in result.as_json().items() if key not in ("read", "declarations")}
        counts = {word: len(result.report.of(word)) for word in ("proved", "failed", "unknown", "open")}
        with (order.run / "results.jsonl").open("ab") as log:
            log.write(json_line({**line, **counts}))
            log.flush()
            os.fsync(log.fileno())
    except OSError as error:
        raise UnsorryError(f"cannot write to {order.run}: {error.strerror or error}; free space and resume") from None
    return result


def _untouched(engine: Engine, patch: Patch, judge: StrictJudge, report: Report) -> Iterator[Declared]:
    """Theorems of the task's files whose text is what it was: a change elsewhere may have repaired or broken them."""
    here = engine.workspace.here
    folders = [os.path.normpath(os.path.join(here, root)).removeprefix(".") for root in engine.project.modules.roots]
    before, after = (Tree(engine.workspace.git, tree, folders) for tree in (patch.base, patch.result))
    judged = Judged(judge, before, after)
    for file in dict.fromkeys(os.path.join(here, target.file) for target in engine.targets):
        if file not in before or file not in after:
            continue
        source = after.source(file)
        told = {d.name for d in report.declarations if d.file == file}
        lines = {c.name: source.lines.line(c.keyword) for c in source.declarations if c.kind in PROOFS and c.name}
        found = judged.against(file, file, [name for name in lines if name not in told])
        for name, v in found.verdicts.items():
            yield Declared(file, name, lines[name], v.status, v.reason, v.message, v.axioms, v.certificate, "untouched")


def refuted(declarations: Sequence[Declared], trajectory: Trajectory, here: str = "") -> list[Declared]:
    """With the counterexamples that the judge accepted when the provers tried: such a sorry cannot be filled.

    `here` is the project's folder in the repository.  Texts are not read: a name or a message may hold any words.
    """
    tried = [trajectory.header.get("tried")]
    for record in trajectory.records:
        if record["type"] == "observation" and record["message"]["name"] == "try_provers":
            tried.append([record["message"].get("extra", {}).get("data")])
    known: dict[tuple[str, str], str] = {}
    for data in tried:
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # a header or a record that another wrote
            for found in data or ():
                false = [one for one in found.get("tries", ()) if one["refuted"] is True]
                known |= {(os.path.join(here, found["file"]), one["declaration"]): str(one["message"]) for one in false}
    return [
        replace(d, status=Status.REJECTED, reason=REFUTED, message=known[d.file, d.name])
        if d.word == "open" and d.change == "target" and (d.file, d.name) in known
        else d
        for d in declarations
    ]


def _broken(engine: Engine, patch: Patch) -> Iterator[str]:
    """Errors of the files that were changed or named, and of those of the project that import one of them."""
    here, root = engine.workspace.here, engine.workspace.project
    changed = [c.path for c in patch.changes if c.path.endswith(".lean") and c.kind != "deleted"]
    inside = [os.path.relpath(p, here) if here else p for p in changed]
    files = list(dict.fromkeys([*(t.file for t in engine.targets), *(p for p in inside if not p.startswith(".."))]))
    for file in [*files, *importers(root, files)]:
        try:
            found = engine.project.check(Path(file))
        except UnsorryError as error:
            yield f"{file}: {error}"
            continue
        if not found.clean:
            said = found.reason or next((f"line {m.line}: {m.text.strip()}" for m in found.errors), found.text)
            yield f"{file}: {one_line(said.splitlines()[0])}"
