"""What a run ends with: the patch, a strict verdict on every declaration, the cost, what is left to read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.canonical import json_line
from unsorry.judge import StrictJudge
from unsorry.lean.source import Source, parse
from unsorry.scaffolds.agent import AgentEnd
from unsorry.scaffolds.agent.engine import Engine
from unsorry.scaffolds.agent.limits import Spent
from unsorry.scaffolds.agent.notes import write
from unsorry.scaffolds.agent.patch import Patch, make_patch
from unsorry.scaffolds.agent.workspace import Workspace
from unsorry.scaffolds.migrate.failing import signature

OPEN = "holes.open"  # nothing was judged: the declaration still has a sorry
WORDS = {Status.ACCEPTED: "proved", Status.REJECTED: "failed", Status.UNDECIDED: "unknown"}


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration that the run was about; `reason` is the judge's, or `holes.open`."""

    file: str
    name: str
    line: int
    status: Status
    reason: str
    message: str
    axioms: tuple[str, ...] = ()
    certificate: Any = None

    @property
    def word(self) -> str:
        return "open" if self.reason == OPEN else WORDS[self.status]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reviewer must read: `what` is statement, definition, removed or left out; texts before and after."""

    what: str
    file: str
    name: str
    before: str = ""
    after: str = ""


@dataclass(slots=True)
class Result:
    """`folder` holds the trajectory, patch.diff and verdict.json."""

    end: AgentEnd
    folder: Path
    patch: Patch
    spent: Spent
    profile: str
    declarations: list[Declared] = field(default_factory=list)
    reading: list[Reading] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def _with(self, word: str) -> list[Declared]:
        return [d for d in self.declarations if d.word == word]

    @property
    def accepted(self) -> list[Declared]:
        return self._with("proved")

    @property
    def rejected(self) -> list[Declared]:
        return self._with("failed")

    @property
    def undecided(self) -> list[Declared]:
        return self._with("unknown")

    @property
    def open(self) -> list[Declared]:
        return self._with("open")

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "unsorry-agent-result-1", "end": self.end.kind, "message": self.end.message,
            "profile": self.profile, "run": str(self.folder.parent.parent), "patch": str(self.folder / "patch.diff"),
            "files": [{"path": c.path, "change": c.kind} for c in self.patch.changes],
            "declarations": [
                {"file": d.file, "name": d.name, "line": d.line, "verdict": str(d.status), "reason": d.reason,
                 "message": d.message, "axioms": list(d.axioms), "certificate": d.certificate}
                for d in self.declarations
            ],
            "read": [
                {"what": r.what, "file": r.file, "name": r.name, "before": r.before, "after": r.after}
                for r in self.reading
            ],
            "left_out": self.patch.left_out, "faults": self.faults, "cost": self.spent.as_json(),
        }  # fmt: skip

    def text(self) -> str:
        """For a person."""
        lines = []
        for d in self.declarations:
            axioms = f"axioms: {', '.join(d.axioms)}" if d.axioms else "no axioms"
            lines.append(f"{d.word:<8} {d.file}:{d.line}  {d.name}  {axioms if d.word == 'proved' else d.message}")
        total = len(self.declarations)
        lines.append(f"{len(self.accepted)} of {total} declarations proved and accepted by the strict judge")
        if self.reading:
            lines.append("to be read:")
        for r in self.reading:
            lines.append(f"  {r.what} {r.file} {r.name}".rstrip())
            lines += [f"    - {line}" for line in r.before.splitlines()] + [
                f"    + {line}" for line in r.after.splitlines()
            ]
        lines += [f"  {fault}" for fault in self.faults]
        lines.append(f"cost: {self.cost}")
        run = self.folder.parent.parent
        if self.end.kind != "submitted" and self.end.resumable:
            lines.append(f"ended: {self.end.kind}; go on with unsorry agent --resume {run}")
        if self.patch:
            lines.append(f"patch: git apply {self.folder / 'patch.diff'}")
        else:
            lines.append("no file was changed")
        return "\n".join(lines)

    @property
    def cost(self) -> str:
        """Turns, tokens, money and time in words."""
        spent = self.spent
        money = "free" if not spent.unknown and not spent.pico else f"${spent.price:.4f}"
        if spent.unknown:
            money = "unknown" if not spent.pico else f"{money} and what {spent.unknown} calls of unknown price took"
        tokens = f"{spent.tokens.prompt} tokens in ({spent.tokens.cached} cached), {spent.tokens.completion} out"
        return f"{spent.turns} turns, {tokens}, {money}, {spent.seconds:.0f} s"


def finish(engine: Engine, end: AgentEnd) -> Result:
    """Makes patch and verdicts and writes them beside the trajectory; raises UnsorryError where they cannot be kept."""
    assert engine.recorder is not None
    order = engine.order
    patch = make_patch(engine.workspace)
    result = Result(end, order.attempt, patch, engine.recorder.trajectory.spent, engine.profile.name)
    if end.kind != "interrupted":
        for file in _files(engine, patch):
            _review(engine, file, result)
    left = [Reading("left out", path, "", after=why) for path, why in patch.left_out.items()]
    result.reading += left
    try:
        (order.attempt / "patch.diff").write_bytes(patch.text)
        write(order.attempt / "verdict.json", json.dumps(result.as_json(), indent=1, ensure_ascii=False) + "\n")
        line = {key: value for key, value in result.as_json().items() if key not in ("read", "declarations")}
        counts = {word: len(result._with(word)) for word in ("proved", "failed", "unknown", "open")}
        with (order.run / "results.jsonl").open("ab") as log:
            log.write(json_line({**line, **counts}))
            log.flush()
            os.fsync(log.fileno())
    except OSError as error:
        raise UnsorryError(f"cannot write to {order.run}: {error.strerror or error}; free space and resume") from None
    return result


def _files(engine: Engine, patch: Patch) -> list[str]:
    """Lean files that were changed or that the task names, relative to the project."""
    here = engine.workspace.here
    changed = [c.path for c in patch.changes if c.path.endswith(".lean") and c.kind != "deleted"]
    inside = [os.path.relpath(p, here) if here else p for p in changed]
    known = [t.file for t in engine.targets]
    return list(dict.fromkeys([*known, *(p for p in inside if not p.startswith(".."))]))


def _base(workspace: Workspace, file: str) -> str:
    """A file as it was, "" for a new one."""
    path = os.fsencode(os.path.join(workspace.here, file) if workspace.here else file)
    entry = workspace.base_entries.get(path)
    if entry is None:
        return ""
    (data,) = workspace.git.read_blobs([entry.blob])
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def _review(engine: Engine, file: str, result: Result) -> None:
    before, path = _base(engine.workspace, file), engine.workspace.project / file
    try:
        after = path.read_text(encoding="utf-8").replace("\r\n", "\n")
        old, new = parse(before), parse(after)
    except (OSError, UnicodeDecodeError, UnsorryError) as error:
        result.faults.append(f"{file}: not judged: {error}")
        return
    result.reading += _differences(file, old, new)
    result.declarations += _verdicts(engine, file, old, new, result.faults)


def _verdicts(engine: Engine, file: str, old: Source, new: Source, faults: list[str]) -> Iterator[Declared]:
    """One for each declaration that had a sorry, or whose text was changed, or that is new and proves something."""
    open_now = {new.commands[h.command].name for h in new.holes}
    had = {old.commands[h.command].name for h in old.holes}
    texts = {c.name: old.text[c.start : c.end] for c in old.declarations if c.name}
    wanted = []
    for command in new.declarations:
        name, line = command.name, new.lines.line(command.keyword)
        proves = command.kind in ("theorem", "lemma")
        changed = name in texts and texts[name] != new.text[command.start : command.end]
        if not name or not (name in had or (proves and (changed or name not in texts))):
            continue
        if name in open_now:
            yield Declared(file, name, line, Status.UNDECIDED, OPEN, "it still has a sorry")
        else:
            wanted.append((name, line))
    for name in had - {c.name for c in new.declarations} - {""}:
        yield Declared(file, name, 0, Status.REJECTED, "statement.missing", "it is not declared any more")
    if not wanted:
        return
    try:
        with engine.project.toolchain_for(new.text, file) as toolchain:
            own = toolchain.library != engine.project.toolchain.library
            with StrictJudge(toolchain, engine.confinement, workers=1, full_replay=own) as judge:
                verdicts = _judged(judge, file, old, new, [name for name, _ in wanted])
    except UnsorryError as error:
        faults.append(f"{file}: {error}")
        verdicts = {}
    for name, line in wanted:
        v = verdicts.get(name) or Verdict(Status.UNDECIDED, "internal", "it could not be judged")
        yield Declared(file, name, line, v.status, v.reason, v.message, v.axioms, v.certificate)


def _judged(judge: StrictJudge, file: str, old: Source, new: Source, names: Sequence[str]) -> dict[str, Verdict]:
    """Against the statements of the old text where it has them, of the new one for what is new."""
    there = {c.name for c in old.declarations}
    return {name: judge.judge(_problem(file, old if name in there else new, [name]), new.text) for name in names}


def _problem(file: str, source: Source, names: Sequence[str]) -> Problem:
    """A text as the problem of proving some of its declarations."""
    text = source.text
    for command in reversed(source.commands):
        if command.name in names and command.kind in ("theorem", "lemma") and text.startswith(":=", command.body):
            text = text[: command.body] + ":= sorry" + text[command.end :]
    return Problem(file, text, tuple(names), origin=file)


def _differences(file: str, old: Source, new: Source) -> Iterator[Reading]:
    """Statements that are not what they were, new and changed definitions, what is gone, other commands."""
    before = {c.name: c for c in old.declarations if c.name}
    for command in new.declarations:
        name, text = command.name or new.label(command), new.text[command.start : command.end]
        proves = command.kind in ("theorem", "lemma", "example")
        known = before.pop(command.name, None)
        was = old.text[known.start : known.end] if known else ""
        if proves and known:
            if signature(old, known).split() != signature(new, command).split():
                yield Reading("statement", file, name, signature(old, known).strip(), signature(new, command).strip())
        elif proves:
            yield Reading("new statement", file, name, "", signature(new, command).strip())
        elif was.split() != text.split():
            yield Reading("definition" if known else "new definition", file, name, was, text)
    for name, command in before.items():
        yield Reading("removed", file, name, old.text[command.start : command.end])
    plain = [
        {" ".join(s.text[c.start : c.end].split()) for c in s.commands if not c.is_declaration} for s in (old, new)
    ]
    for text in sorted(plain[1] - plain[0]):
        yield Reading("command", file, "", "", text)
