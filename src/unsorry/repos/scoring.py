"""The attempts of a run scored, task after task in processes of their own; what was scored once is not scored again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.canonical import text_digest
from unsorry.evaluation import engine
from unsorry.judge.sandbox import choose
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment, packages
from unsorry.repos.environment import Toolchains
from unsorry.repos.library import joined
from unsorry.repos.objects import Repository
from unsorry.repos.runs import Run, current, latest, read
from unsorry.repos.score import Case, Scorer
from unsorry.repos.scores import INFRA, outcome
from unsorry.repos.sources import Source, open_source
from unsorry.scaffolds.agent.trees import Tree

RULES = 1  # of the scorer: what was scored by others is scored again


@dataclass(frozen=True, slots=True)
class Work:
    """Attempts at one task; `source` and `repository` are paths, "" for none."""

    run: Path
    source: str
    repository: str
    task: str
    attempts: tuple[Attempt, ...]
    sandbox: str
    search: bool
    environments: str = ""


def score(folder: Path, *, workers: int = 1, sandbox: str = "", search: bool = True, source: str = "",
          repository: str = "", environments: str = "") -> Iterator[Attempt]:  # fmt: skip
    """The attempts that have no score yet, with their scores, as these are known; each is on disk before.

    Those at tasks whose packages are not compiled get none: `absent` names them.
    """
    made = Run(folder)
    plan, items = made.load()
    where = source or plan.source
    known = {_key(a) for a in read(made.scores)}
    wanted: dict[str, list[Attempt]] = {item.id: [] for item in items}
    for attempt in latest(current(plan, read(made.attempts))).values():
        if outcome(attempt) != "infra" and _key(attempt) not in known and attempt.problem in wanted:
            wanted[attempt.problem].append(attempt)
    compiled = environments or plan.environments
    missing = absent_of(folder, [id for id, some in wanted.items() if some], where, repository or plan.repository,
                        compiled)  # fmt: skip
    jobs = [
        engine.Job(f"task {id}", Work(folder, where, repository or plan.repository, id, tuple(some),
                                      sandbox or plan.sandbox, search, compiled))
        for id, some in wanted.items() if some and id not in missing
    ]  # fmt: skip
    choose(sandbox or plan.sandbox)
    yield from engine.drain(jobs, work, made.scores, lost=_lost, workers=workers)


def work(given: Work) -> list[Attempt]:
    """The attempts of one task, scored; runs in a worker process."""
    source = open_source(
        Path(given.source), given.run / "objects", Path(given.repository) if given.repository else None
    )
    case = source.case(given.task)
    toolchain, why = toolchain_of(source, case, Path(given.environments) if given.environments else None)
    if toolchain is None:
        raise UnsorryError(f"{given.task} cannot be scored here: {why}")
    with Scorer(source.trees, toolchain, choose(given.sandbox), search=given.search) as scorer:
        return [_scored(scorer, case, attempt) for attempt in given.attempts]


def files_of(source: Source, case: Case) -> environment.Files:
    """What a task is built with."""
    with Repository(source.trees.git.folder) as opened:
        return environment.read(opened, case.stub, case.task.base.project)


def toolchain_of(source: Source, case: Case, environments: Path | None = None) -> tuple[Toolchain | None, str]:
    """The Lean that a task is judged with, its packages in reach, or why there is none."""
    files = files_of(source, case)
    found, why = Toolchains().find(files)
    if found is None:
        return None, why
    try:
        return packages.within(environments, files, found), ""
    except packages.Missing as missing:
        return None, str(missing)


def absent(source: Source, ids: Sequence[str], environments: Path | None) -> dict[str, packages.Missing]:
    """The tasks whose packages are not compiled, each with the line to tell: nothing can be said of these.

    An environment whose folder is not there gets one with its build files, in which the command can be run.
    """
    found: dict[str, packages.Missing] = {}
    for id in ids:
        case = source.case(id, answer=False)
        files = files_of(source, case)
        toolchain, _ = Toolchains().find(files)
        try:
            if packages.needed(files) and toolchain is not None:
                _complete(source, case, files, packages.within(environments, files, toolchain), environments)
        except packages.Missing as missing:
            found[id] = missing
            if environments is not None:
                packages.prepare(environments, files)
    return found


def _complete(
    source: Source, case: Case, files: environment.Files, toolchain: Toolchain, environments: Path | None
) -> None:
    """All that the task's files import is in the tree or compiled; raises Missing."""
    if case.task.track != "main" or environments is None:
        return  # a migration is there because its files may not fit
    roots, _ = environment.layout(files, toolchain)
    tree = Tree(source.trees.git, case.stub, tuple(joined(case.task.base.project, root) for root in roots))
    named = [*(hole.file for hole in case.task.holes), *(one.file for one in case.task.obligations)]
    for file in dict.fromkeys(named):
        try:
            imports = [(path, i.module) for path in tree.below(file) for i in tree.source(path).header.imports]
        except UnsorryError:
            continue  # told where it is judged
        for path, module in imports:
            if not tree.path_of(module) and not packages.holds(toolchain.library, module):
                why, command = f"{path} imports {module}, which is not compiled", packages.command(environments, files)
                raise packages.Missing(files.environment.key, why, command)


def absent_of(
    folder: Path, ids: Sequence[str], source: str, repository: str, environments: str
) -> dict[str, packages.Missing]:
    """`absent` for tasks of a run in `folder`."""
    if not ids:
        return {}
    opened = open_source(Path(source), folder / "objects", Path(repository) if repository else None)
    return absent(opened, ids, Path(environments) if environments else None)


def _scored(scorer: Scorer, case: Case, attempt: Attempt) -> Attempt:
    found = scorer.score(case, attempt.submission.encode("utf-8", "surrogateescape"))
    notes = {**attempt.notes, **found.notes(), "rules": RULES, "patch": text_digest(attempt.submission)}
    if found.outcome == "open" and attempt.notes.get("end") == "limit":
        notes["outcome"] = "limit"
    return replace(attempt, verdict=found.verdict(), notes=notes)


def _key(attempt: Attempt) -> tuple[str, str, int]:
    """Of an attempt and of its score."""
    rules = attempt.notes.get("rules", RULES)
    return str(attempt.notes.get("key", "")), text_digest(attempt.submission), rules if type(rules) is int else 0


def _lost(given: Work) -> Attempt:
    first = given.attempts[0]
    verdict = Verdict(Status.UNDECIDED, INFRA, "the scorer was killed twice; the machine may be short of memory")
    return replace(first, verdict=verdict, cost=Cost(money=0.0), notes={**first.notes, "outcome": "infra", "rules": 0})


def scored(folder: Path) -> Sequence[Attempt]:
    """What a report counts: the samples with their scores, and the attempts that were none."""
    made = Run(folder)
    plan, _ = made.load()
    tried = latest(current(plan, read(made.attempts))).values()
    infra = [a for a in tried if outcome(a) == "infra"]
    keys = {_key(a) for a in tried}  # a score counts for the patch that it was given for, and no other
    by_rules = [a for a in read(made.scores) if a.notes.get("rules") == RULES and _key(a) in keys]
    last = {str(a.notes.get("key", "")): a for a in current(plan, by_rules)}
    return [*last.values(), *infra]
