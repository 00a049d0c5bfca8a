"""Cheap provers on open goals, before a model is paid for them: `try_provers`; the agent sees what they did.

What is offered as a proof was accepted by the strict judge, imports of the project included: the kernel has checked
everything that the proof rests on.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from unsorry import Completion, Problem, Prompt, Prover, Sampling, Status, UnsorryError
from unsorry.judge import StrictJudge
from unsorry.judge.reasons import one_line
from unsorry.lean.source import MAX_BYTES, Hole
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds import REFUTED
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.lean.project import LeanProject
from unsorry.scaffolds.agent.limits import seconds_left
from unsorry.scaffolds.agent.reviewer import reviewer
from unsorry.scaffolds.fill import Document, Filler, Outcome, Settings, select

SECONDS = 20.0  # for a prover on a goal
SAMPLES = 4


@dataclass(frozen=True, slots=True)
class Run:
    """One prover on one goal: how long, and whether what it proposed passed Lean."""

    prover: str
    seconds: float
    found: bool


@dataclass(frozen=True, slots=True)
class Try:
    """What became of one sorry; `proof` is there only where the strict judge accepted it.

    Lines and columns are those of the file as it was, from 1.  `before`: lemmas that stand before the declaration.
    """

    declaration: str
    line: int
    column: int
    closed: bool
    message: str
    runs: tuple[Run, ...] = ()
    proof: str = ""
    before: str = ""
    axioms: tuple[str, ...] = ()
    refuted: bool = False  # the judge accepted a counterexample; `message` is it
    repeated: bool = False  # known from an earlier call: nothing that it depends on has changed

    @property
    def text(self) -> str:
        who = ", ".join(f"{run.prover} {run.seconds:.1f} s" for run in self.runs) or "no prover was run"
        known = " (tried before, and nothing has changed)" if self.repeated else ""
        where = f"{self.line}:{self.column} {one_line(self.declaration)}"  # a name may hold a line break
        head = f"{'closed' if self.closed else 'open'} {where}: {who}{known}"
        if not self.closed:
            return f"{head}: {self.message}"
        proof = f"{self.before}\n\n{self.proof}".strip().splitlines()
        return "\n".join([head, *("  " + line for line in proof)])


@dataclass(frozen=True, slots=True)
class Tried:
    """All of a file's sorries that were asked for; `diff` puts the proofs in; `written`: they are in the file."""

    file: str
    tries: tuple[Try, ...]
    diff: str = ""
    written: bool = False

    @property
    def closed(self) -> int:
        return sum(t.closed for t in self.tries)

    @property
    def text(self) -> str:
        lines = [f"{self.file}: provers closed {self.closed} of {len(self.tries)} sorries"]
        lines += [t.text for t in self.tries]
        if self.closed:
            lines.append(
                "The proofs are in the file." if self.written else f"Not written. To put them in:\n{self.diff}"
            )
        return "\n".join(lines).rstrip()


@dataclass
class Chain:
    """Provers one after the other, until one proposes what Lean finds no fault with; implements `Prover`."""

    provers: Mapping[str, Prover]
    passes: Callable[[Problem, str], bool]  # whether Lean takes an answer; decides nothing but who is asked next
    id: str = "provers"
    runs: dict[str, list[Run]] = field(default_factory=dict)  # by problem

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        return [self._one(prompt, n, sampling) for prompt in prompts]

    def _one(self, prompt: Prompt, n: int, sampling: Sampling) -> list[Completion]:
        runs = self.runs.setdefault(prompt.problem.id, [])
        share = replace(sampling, timeout=max(0.1, sampling.timeout / len(self.provers)))
        collected: list[Completion] = []
        for name, prover in self.provers.items():
            start = time.monotonic()
            (completions,) = prover.propose([prompt], n=n, sampling=share)
            good = [c for c in completions if c.text and self.passes(prompt.problem, c.text)]
            runs.append(Run(name, time.monotonic() - start, bool(good)))
            if good:
                return good
            collected += completions
        return collected


class Provers:
    """Provers by name, in the order in which they are tried on the sorries of a project's files.

    `names` are those of `unsorry prove --prover`; `made` are provers that exist already, by the name they are shown by.
    A sorry that was not closed is not tried again while the file up to it, and what it imports, stays as it is.
    """

    def __init__(
        self, project: LeanProject, names: Sequence[str] = ("search",), *, made: Mapping[str, Prover] | None = None
    ) -> None:
        self.project, self.names = project, tuple(names)
        self._given = dict(made or {})
        self._made: dict[str, Prover] = {}
        self._known: dict[str, Try] = {}

    def attempt(
        self, path: Path, declaration: str = "", line: int = 0, *, seconds: float = SECONDS,
        total: float = float("inf"), write: bool = False, disprove: bool = True,
    ) -> Tried:  # fmt: skip
        """Tries the provers on each sorry asked for, `seconds` for each prover on each, `total` in all.

        `write` puts what was accepted into the file, unless it was changed meanwhile.  `disprove`: look for a
        counterexample where no proof is found.  Raises UnsorryError.
        """
        deadline = time.monotonic() + total
        found_there, name = self.project.document(path)
        document = Document(Path(name), found_there.data)
        holes = select(document, declaration, line)
        with self.project.toolchain_for(document.text, name, timeout=min(total, 600.0)) as toolchain:
            keys = {hole.start: self._key(document, hole, toolchain, seconds) for hole in holes}
            tries = {h.start: replace(t, repeated=True) for h in holes if (t := self._known.get(keys[h.start]))}
            fresh = [hole for hole in holes if hole.start not in tries]
            edits = []
            if fresh:
                with self._judge(toolchain, total) as judge:
                    filler, chain = self._filler(document, toolchain, judge, seconds, disprove)
                    for outcome in filler.fill(fresh):
                        tries[outcome.hole.start] = self._try(document, outcome, chain, filler)
                        if time.monotonic() > deadline:
                            break
                    edits = filler.edits
        for hole in holes:
            found = tries.get(hole.start)
            if found is None:
                label = document.source.label(document.source.commands[hole.command])
                tries[hole.start] = Try(label, hole.line, hole.column + 1, False, "not tried: the time was over")
            elif not found.closed and time.monotonic() < deadline:  # what a lack of time decided is not remembered
                self._known[keys[hole.start]] = replace(found, repeated=False)
        if write and edits:
            self._write(name, document.data, document.patched(edits))
        ordered = tuple(tries[hole.start] for hole in holes)
        return Tried(name, ordered, document.diff(edits) if edits else "", write and bool(edits))

    def _write(self, name: str, before: bytes, after: bytes) -> None:
        beneath = self.project.modules.beneath
        if beneath.read(name, MAX_BYTES) != before:
            raise UnsorryError(f"{name} was changed during the work and left alone: try again")
        beneath.write(name, after)

    def _key(self, document: Document, hole: Hole, toolchain: Toolchain, seconds: float) -> str:
        unit = document.unit(hole.command)
        parts = [
            document.text[: unit.end],
            str(hole.start),
            toolchain.digest,
            *self.names,
            *self._given,
            f"{seconds:g}",
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _judge(self, toolchain: Toolchain, total: float) -> StrictJudge:
        """Modules of the project are not the toolchain's: what they declare goes before the kernel too."""
        own = toolchain.library != self.project.toolchain.library
        return reviewer(toolchain, self.project.confinement, full_replay=own, seconds=total)

    def _filler(
        self, document: Document, toolchain: Toolchain, judge: StrictJudge, seconds: float, disprove: bool
    ) -> tuple[Filler, Chain]:
        provers = {name: self._prover(name, toolchain) for name in self.names} | self._given
        if not provers:
            raise UnsorryError("no prover is set up to be tried: name one, such as search")
        chain = Chain(provers, self._passes)
        settings = Settings(seconds * len(provers), samples=SAMPLES, disprove=disprove)
        return Filler(document, chain, judge, toolchain, self.project.confinement, settings), chain

    def _passes(self, problem: Problem, text: str) -> bool:
        found = self.project.check_text(text)
        finished = not set(problem.targets) & set(found.sorries) or "sorryAx" in problem.statement
        return found.clean and finished

    def _prover(self, name: str, toolchain: Toolchain) -> Prover:
        from unsorry.provers import registry

        if name == "search":  # its Lean must find the project's modules
            from unsorry.provers.search import SearchProver

            return SearchProver(toolchain=toolchain, confinement=self.project.confinement)
        if name not in self._made:
            return self._made.setdefault(name, registry.make(name, sandbox=self.project.confinement.name))
        return self._made[name]

    def _try(self, document: Document, outcome: Outcome, chain: Chain, filler: Filler) -> Try:
        hole = outcome.hole
        unit = document.unit(hole.command)
        inside = [h for h in document.source.holes if unit.start <= h.start < unit.end]
        number = f"#{inside.index(hole) + 1}" if len(inside) > 1 else ""
        runs = tuple(chain.runs.get(f"{document.path.name}:{outcome.name}{number}", ()))
        closed = outcome.status is Status.ACCEPTED and outcome.kept
        added = [e.text.strip() for e in filler.edits if closed and e.start == e.end == unit.start]
        return Try(
            outcome.name, hole.line, hole.column + 1, closed, outcome.message, runs,
            proof=outcome.proof if closed else "", before="\n\n".join(added), axioms=outcome.axioms if closed else (),
            refuted=outcome.reason == REFUTED,
        )  # fmt: skip


class TryProvers:
    """The tool: cheap provers on the sorries of a file."""

    spec = ToolSpec(
        "try_provers",
        "Have the automatic provers try the sorries of a file, or of one declaration, and the strict judge decide. "
        "Cheap: use it before working on a goal yourself, and again on lemmas that you have stated. Tells for each "
        "sorry who tried, for how long, whether it is closed and by what proof, or a counterexample if the statement "
        "is false.",
        {
            "type": "object",
            "properties": {
                "file": {"type": "string", "description": "Path of a .lean file, relative to the project."},
                "declaration": {"type": "string", "description": "Only the sorries of this declaration."},
                "line": {"type": "integer", "minimum": 1, "description": "Only the sorries on this line."},
                "seconds": {
                    "type": "number", "exclusiveMinimum": 0,
                    "description": f"For each prover on each sorry, {SECONDS:g} by default.",
                },
                "write": {"type": "boolean", "description": "Put accepted proofs into the file; true by default."},
            },
            "required": ["file"],
            "additionalProperties": False,
        },
    )  # fmt: skip

    def __init__(self, provers: Provers, *, may_write: Callable[[str], bool] = lambda _: True) -> None:
        """`may_write`: whether a file, relative to the project, may be written without asking."""
        self.provers, self.may_write = provers, may_write

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        path = Path(str(arguments["file"]))
        try:
            _, name = self.provers.project.file(path)
            tried = self.provers.attempt(
                path,
                str(arguments.get("declaration", "")),
                int(arguments.get("line", 0)),
                seconds=float(arguments.get("seconds", SECONDS)),
                total=seconds_left(),
                write=bool(arguments.get("write", True)) and self.may_write(name),
            )
        except UnsorryError as error:
            return Observation(str(error), "error")
        return Observation(tried.text, "ok" if tried.closed == len(tried.tries) else "unknown", as_data(tried))


def as_data(tried: Tried) -> dict[str, Any]:
    """Tries as JSON values."""
    return {
        "file": tried.file, "closed": tried.closed, "asked": len(tried.tries), "written": tried.written,
        "tries": [asdict(t) for t in tried.tries], "cost": 0.0,
    }  # fmt: skip


def first_look(
    provers: Provers, files: Sequence[Path], *, seconds: float = SECONDS, write: bool = True
) -> tuple[str, list[dict[str, Any]]]:
    """What the provers do with the sorries of `files`: for the first words to a model, and as data; "" and [] if there
    are none."""
    told, data = [], []
    for path in files:
        try:
            document, _ = provers.project.document(path)
            if document.source.holes:
                tried = provers.attempt(path, seconds=seconds, total=seconds_left(), write=write)
                told.append(tried.text)
                data.append(as_data(tried))
        except UnsorryError as error:
            told.append(f"{path}: the provers were not tried: {error}")
    return "\n\n".join(told), data
