"""Run a recipe's stages in order; finished ones are kept, unfinished ones go on in the same folder."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from unsorry import UnsorryError
from unsorry.pipeline.address import Address, address, code_digest, stage_seed
from unsorry.pipeline.interruption import Interrupted, no_room, terminated_as_interrupt
from unsorry.pipeline.ledger import ELAPSED, FILE, INTERRUPTED, Entry, Ledger, Note
from unsorry.pipeline.ledger import read as read_ledger
from unsorry.pipeline.progress import Lines
from unsorry.pipeline.recipe import Recipe, Reference, StageSpec, missing_data
from unsorry.pipeline.resources import Resources
from unsorry.pipeline.stage import KINDS, Artifact, Context, Inputs, Outcome, Stage, StageStatus
from unsorry.pipeline.stages import lacking
from unsorry.pipeline.storage import Stopwatch, owned, read_json, write_json

__all__ = ["Interrupted", "Options", "Result", "run"]

FORMAT = 1
FINISHED = "stage.json"  # in a stage's folder, written last
BEGUN = "begun.json"  # what an unfinished stage's folder holds work for


@dataclass(frozen=True, slots=True)
class Options:
    """What of a recipe is run, and what happens to results that other code made."""

    out: Path | None = None  # the run's folder; runs/NAME-SEED when None
    only: str = ""  # this stage alone
    start: str = ""  # this stage and those after it
    keep: bool = False  # results of other code count
    redo: bool = False  # they are set aside and made again; with `only` or `start`: those stages are


@dataclass(frozen=True, slots=True)
class Result:
    """What a call of `run` came to; `failed` names the stage whose gate stopped it."""

    run: Path
    ledger: Ledger
    failed: str = ""


def run(recipe: Recipe, options: Options, *, console: Console) -> Result:
    """Run what is not done yet.

    Raises UnsorryError when a stage cannot run (the ledger says so, the run can go on) and Interrupted on Ctrl-C and
    SIGTERM.  A gate that fails is no error: see Result.
    """
    missing = missing_data(recipe)
    if missing:
        raise UnsorryError(missing[0] + (f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""))
    for name in filter(None, (options.only, options.start)):
        recipe.stage(name)
    folder = options.out or Path("runs") / f"{recipe.name}-{recipe.seed}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnsorryError(f"cannot write {folder}: {error.strerror}; give another --out") from None
    with owned(folder), Resources(recipe) as resources, terminated_as_interrupt():
        try:
            return _Run(recipe, options, folder, resources, console).run()
        except OSError as error:
            raise no_room(error, folder) or error from None


class _Run:
    def __init__(self, recipe: Recipe, options: Options, folder: Path, resources: Resources, console: Console) -> None:
        self.recipe = recipe
        self.options = options
        self.folder = folder
        self.resources = resources
        self.console = console
        self.toolchain = resources.toolchain().digest
        self.addresses: dict[str, Address] = {}
        self.finished: dict[str, Mapping[str, Any]] = {}  # the stage.json of finished stages
        self.ledger = self._ledger()

    def run(self) -> Result:
        write_json(self.folder / "recipe.json", self.recipe.as_json())
        for spec in self.recipe.stages:  # before anything runs: what is there, and whether it may be used
            if not spec.skip:
                self._look(spec)
        self.ledger.write()
        for spec in self.recipe.stages:
            if spec.skip:
                continue
            if spec.name not in self.finished and self._chosen(spec):
                self._look(spec)  # again: an input may have been rolled back since
                if spec.name not in self.finished:
                    self._execute(spec)
            if self._stops(spec):
                self._rest(spec)
                return Result(self.folder, self.ledger, failed=spec.name)
        return Result(self.folder, self.ledger)

    def _chosen(self, spec: StageSpec) -> bool:
        if self.options.only:
            return spec.name == self.options.only
        names = [s.name for s in self.recipe.stages]
        return not self.options.start or names.index(spec.name) >= names.index(self.options.start)

    def _stops(self, spec: StageSpec) -> bool:
        """A failed gate stops everything after it, unless the stage that is asked for alone lies elsewhere."""
        stored = self.finished.get(spec.name)
        failed = stored is not None and stored["outcome"]["status"] == StageStatus.FAILED_GATE
        return failed and spec.on_fail == "stop" and (not self.options.only or spec.name == self.options.only)

    def _rest(self, stopped: StageSpec) -> None:
        """Those after a gate that stopped the run say why they are not done."""
        names = [s.name for s in self.recipe.stages]
        for entry in self.ledger.entries[names.index(stopped.name) + 1 :]:
            if entry.status == StageStatus.QUEUED:
                self.ledger.update(
                    entry.name, status=StageStatus.PLANNED, reason=f"not run: the gate of {stopped.name} failed"
                )

    @property
    def _goes_on(self) -> str:
        """How a person goes on after a stage that did not end."""
        again = self.options.redo and (self.options.only or self.options.start)
        return f"the same command{' without --redo' if again else ''} goes on from there"

    # what is there

    def _look(self, spec: StageSpec) -> None:
        """Find a stage's address and whether its results are there; UnsorryError when a person must choose."""
        sources = {name: [self._source(r) for r in given] for name, given in spec.inputs.items()}
        inputs = {
            f"{name}+{','.join(r.artifact for r in given)}": [self.addresses[r.stage] for r in given]
            for name, given in sources.items()
        }
        found = address(spec, self.recipe, inputs, toolchain=self.toolchain, code=code_digest())
        self.addresses[spec.name] = found
        folder = self._stage_folder(spec)
        stored = read_json(folder / FINISHED)
        begun = stored or read_json(folder / BEGUN)
        again = self.options.redo and self._chosen(spec) and bool(self.options.only or self.options.start)
        if begun is not None and (begun["key"] != found.key or again):
            if self.options.redo and self._chosen(spec):
                self._set_aside(folder)
                stored = None
            elif not self.options.keep and self._chosen(spec):
                what = "finished" if stored else "begun"
                raise UnsorryError(
                    f"stage {spec.name} was {what} by other code than this (in {folder}): "
                    "--keep goes on with its results, --redo makes them again"
                )
            elif stored:
                self.addresses[spec.name] = replace(found, key=stored["key"])
        if stored is None:
            return
        self.finished[spec.name] = stored
        self._check_artifacts(spec, stored)
        self._record(spec, stored)

    def _stage_folder(self, spec: StageSpec) -> Path:
        return self.folder / "stages" / f"{spec.name}-{self.addresses[spec.name].intent[:10]}"

    def _set_aside(self, folder: Path) -> None:
        """Paid work is never deleted here."""
        number = 1
        while (aside := folder.with_name(f"{folder.name}.replaced-{number}")).exists():
            number += 1
        folder.rename(aside)
        self.console.print(f"set aside: {aside}", highlight=False, markup=False, soft_wrap=True)

    def _check_artifacts(self, spec: StageSpec, stored: Mapping[str, Any]) -> None:
        for name, path in stored["outcome"]["artifacts"].items():
            if not (self._stage_folder(spec) / path).exists():
                raise UnsorryError(
                    f"stage {spec.name} is finished but its {name} is gone ({self._stage_folder(spec) / path}): "
                    f"put it back, or repeat the stage with --from {spec.name} --redo"
                )

    def _source(self, reference: Reference) -> Reference:
        """Where an artifact is to be taken: skipped stages and stages that were rolled back hand their inputs on."""
        reference = self.recipe.source(reference)
        spec = self.recipe.stage(reference.stage)
        handed_on = spec.handed_on(reference.artifact) if self._rolled_back(spec) else ()
        return self._source(handed_on[0]) if handed_on else reference

    def _rolled_back(self, spec: StageSpec) -> bool:
        stored = self.finished.get(spec.name)
        failed = stored is not None and stored["outcome"]["status"] == StageStatus.FAILED_GATE
        return failed and spec.on_fail == "rollback"

    # one stage

    def _execute(self, spec: StageSpec) -> None:
        inputs = Inputs({name: tuple(map(self._artifact(spec), given)) for name, given in spec.inputs.items()})
        folder = self._stage_folder(spec)
        folder.mkdir(parents=True, exist_ok=True)
        found = self.addresses[spec.name]
        write_json(folder / BEGUN, {"format": FORMAT, "key": found.key, "intent": found.intent, "code": code_digest()})
        self.ledger.update(
            spec.name, status=StageStatus.RUNNING, reason="", folder=self._relative(folder), key=found.key
        )
        seed = stage_seed(self.recipe.seed, spec.name)
        stage = KINDS[spec.kind]()
        with Stopwatch(folder / ELAPSED) as stopwatch:
            try:
                with Lines(spec.name, self.console) as progress:
                    progress.say("runs")
                    context = Context(
                        spec.name, folder, spec.config, seed, inputs, self.recipe, progress, self.resources
                    )
                    outcome = _checked(stage, stage.run(context), folder)
                stored = {
                    "format": FORMAT,
                    "name": spec.name,
                    "kind": spec.kind,
                    "key": found.key,
                    "intent": found.intent,
                    "code": code_digest(),
                    "seed": seed,
                    "config": spec.config.model_dump(mode="json"),
                    "inputs": {n: [str(self._source(r)) for r in given] for n, given in spec.inputs.items()},
                    "outcome": outcome,
                    "seconds": round(stopwatch.seconds, 3),
                }
                write_json(folder / FINISHED, stored)
            except BaseException as error:
                raise self._failure(spec, error, stopwatch.seconds) from (
                    error if not isinstance(error, UnsorryError) else None
                )
        self.finished[spec.name] = stored
        self._record(spec, stored)
        entry = self.ledger[spec.name]
        verdict = f"{entry.status}{f' ({entry.reason})' if entry.reason else ''}"
        self.console.print(
            f"{spec.name}: {verdict}, {stopwatch.seconds:.1f} s: {entry.ours}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )

    def _artifact(self, spec: StageSpec) -> Callable[[Reference], Artifact]:
        def find(reference: Reference) -> Artifact:
            source = self._source(reference)
            stored = self.finished.get(source.stage)
            if stored is None:
                flag = "--only" if self.options.only else "--from"
                raise UnsorryError(
                    f"{flag} {self.options.only or self.options.start}: stage {spec.name} needs {source}, and "
                    f"{source.stage} is not finished in {self.folder}: run it first"
                )
            giver = self.recipe.stage(source.stage)
            path = self._stage_folder(giver) / stored["outcome"]["artifacts"][source.artifact]
            return Artifact(source.stage, source.artifact, path, stored["key"], stored["outcome"]["metrics"])

        return find

    def _failure(self, spec: StageSpec, error: BaseException, seconds: float) -> BaseException:
        """What is raised for a stage's error, once the ledger says it."""
        if isinstance(error, KeyboardInterrupt):
            reason: str = INTERRUPTED
            raised: BaseException = Interrupted(f"stage {spec.name} was interrupted; {self._goes_on}")
        elif isinstance(error, UnsorryError):
            reason, raised = (
                str(error),
                UnsorryError(f"stage {spec.name}: {error}; {self._goes_on}"),
            )
        else:
            mend: Exception | None = no_room(error, self.folder)
            if isinstance(error, ModuleNotFoundError):
                mend = lacking(error)
            text = (str(error).splitlines() or [""])[0]
            reason = str(mend) if mend else f"internal error: {type(error).__name__}: {text}"
            raised = mend or error
        with contextlib.suppress(OSError):  # a full disk: the reason is still raised
            changes = {"status": StageStatus.QUEUED, "reason": reason, "seconds": round(seconds, 3)}
            self.ledger.update(spec.name, **changes)
        return raised

    # the ledger

    def _ledger(self) -> Ledger:
        if (self.folder / FILE).exists():
            before = read_ledger(self.folder)
            if (before.name, before.seed) != (self.recipe.name, self.recipe.seed):
                raise UnsorryError(
                    f"{self.folder} holds a run of {before.name} with seed {before.seed}: give this one another --out"
                )
        entries = [self._entry(spec) for spec in self.recipe.stages]
        notes = {row: Note(c.status, c.reason, c.ours) for row, c in self.recipe.rows.items()}
        return Ledger(self.folder, self.recipe.name, self.recipe.seed, entries, notes, str(self.recipe.path))

    def _entry(self, spec: StageSpec) -> Entry:
        entry = Entry(spec.name, spec.kind, spec.row)
        if spec.skip:
            return replace(entry, status=StageStatus.OUT_OF_SCOPE, reason=spec.skip)
        if not self._chosen(spec):
            return replace(entry, status=StageStatus.PLANNED)
        return entry

    def _record(self, spec: StageSpec, stored: Mapping[str, Any]) -> None:
        outcome = stored["outcome"]
        rolled_back = self._rolled_back(spec)
        self.ledger.update(
            spec.name,
            status=outcome["status"],
            reason=outcome["reason"] + ("; rolled back to its input" if rolled_back else ""),
            ours=outcome["ours"],
            data=outcome["data"],
            gate=outcome["gate"],
            seconds=stored["seconds"],
            folder=self._relative(self._stage_folder(spec)),
            key=stored["key"],
            rolled_back=rolled_back,
            metrics=outcome["metrics"],
        )

    def _relative(self, folder: Path) -> str:
        return folder.relative_to(self.folder).as_posix()


def _checked(stage: Stage, outcome: Outcome, folder: Path) -> dict[str, Any]:
    """The outcome as plain JSON; a stage that breaks its contract is a fault of ours, not of the user."""
    if set(outcome.artifacts) != set(stage.outputs):
        raise TypeError(f"{stage.kind} must give {sorted(stage.outputs)}, gave {sorted(outcome.artifacts)}")
    if outcome.status not in (StageStatus.DONE, StageStatus.FAILED_GATE, StageStatus.OUT_OF_SCOPE):
        raise TypeError(f"{stage.kind} ended as {outcome.status}")
    artifacts = {}
    for name, path in outcome.artifacts.items():
        if not path.exists():
            raise TypeError(f"{stage.kind} says its {name} is {path}, which is not there")
        absolute = path.resolve()
        inside = absolute.is_relative_to(folder.resolve())
        artifacts[name] = str(absolute.relative_to(folder.resolve()) if inside else absolute)
    plain: dict[str, Any] = json.loads(json.dumps({**asdict(replace(outcome, artifacts={})), "artifacts": artifacts}))
    return plain
