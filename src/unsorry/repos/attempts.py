"""One attempt at a task: the agent on a copy of the stub, in a process of its own; what comes out is a patch."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import Attempt, Cost, Status, UnsorryError, Verdict
from unsorry.judge.reasons import one_line
from unsorry.lean.toolchain import Toolchain
from unsorry.repos.objects import environment
from unsorry.repos.runs import Plan
from unsorry.repos.scores import INFRA, UNSCORED
from unsorry.repos.store import Trees
from unsorry.repos.tasks import Task
from unsorry.scaffolds.agent import git
from unsorry.scaffolds.agent.config import Config, read_config

OURS = ("model_failed", "environment_lost", "interrupted")  # ends that say nothing of who was measured
_FILES = 40


@dataclass(frozen=True, slots=True)
class Job:
    """`tree` is the stub's, `stub` the folder that the agent's copy is made from, `folder` where its run is kept."""

    plan: Plan
    task: str
    sample: int
    key: str
    tree: str
    prompt: str
    stub: Path
    folder: Path
    files: tuple[str, ...] = ()  # with the task's holes, relative to the project
    toolchain: Toolchain | None = None  # that the task is judged with: it is worked on with the same


def prompt(task: Task) -> str:
    """What an agent is told; files are named relative to the project."""
    files = holed(task)
    title = task.pull_request.title
    if task.mode == "open":
        told = f"Implement this pull request: {title}\n\n{task.pull_request.body}".strip()
        return f"{told}\n\nKeep every statement and definition that is there; leave no sorry. The library must build."
    what = "Give the definitions and proofs" if task.mode == "define" else "Fill every sorry"
    named = "\n".join(f"- {file}" for file in files[:_FILES])
    return (
        f"{what} in these files; they belong to a change called: {title}\n\n{named}\n\n"
        "Statements and all that is there stay as they are. Only these files may be changed; new Lean files that they "
        "import may be added. No axiom, no sorry, no native_decide. The library must build."
    )


def holed(task: Task) -> list[str]:
    """The files with the task's holes, relative to the project; none in mode `open`."""
    prefix = f"{task.base.project}/" if task.base.project else ""
    return list(dict.fromkeys(h.file.removeprefix(prefix) for h in task.holes)) if task.mode != "open" else []


def make_stub(trees: Trees, task: Task, tree: str, folder: Path) -> None:
    """The stub as a repository with one commit: no later history, no answer; the date is the pull request's."""
    if (folder / ".git" / "HEAD").is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    part = folder.with_name(f"{folder.name}.stub")
    shutil.rmtree(part, ignore_errors=True)
    trees.write(tree, part)
    when = task.pull_request.date or "2000-01-01T00:00:00Z"
    who = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", "unsorry"), ("EMAIL", "unsorry@localhost"), ("DATE", when))}  # fmt: skip
    env = environment() | who
    form = "sha256" if len(tree) == 64 else "sha1"
    git.run(["init", "--quiet", "--template=", f"--object-format={form}", "."], cwd=part, env=env)
    (part / ".git" / "info").mkdir(exist_ok=True)  # the files as they are, whatever their own attributes say
    (part / ".git" / "info" / "attributes").write_text("* -text -eol -filter -ident -working-tree-encoding\n")
    git.run(["add", "-A", "-f", "."], cwd=part, env=env)
    git.run(["commit", "--quiet", "--allow-empty", "--no-verify", "-m", "The files as they were"], cwd=part, env=env)
    part.rename(folder)


def attempt(job: Job) -> list[Attempt]:
    """Runs the agent, or goes on with a run that was cut; never raises for what goes wrong in it."""
    try:
        return [_attempt(job)]
    except UnsorryError as error:
        return [failed(job, str(error))]
    except Exception as error:
        return [failed(job, f"{type(error).__name__}: {error}")]


def failed(job: Job, why: str) -> Attempt:
    """An attempt that was none, for a reason of ours; what it has spent so far is told all the same."""
    verdict = Verdict(Status.UNDECIDED, INFRA, one_line(why)[:2000])
    return _made(job, "", verdict, _spent(job), {"outcome": "infra", "end": "infra"})


def _spent(job: Job) -> Cost:
    from unsorry.scaffolds.agent.trajectory import read

    path = job.folder / "task" / "1" / "trajectory.jsonl"
    try:
        return read(path).spent.cost() if path.exists() and path.stat().st_size else Cost(money=0.0)
    except (UnsorryError, OSError):
        return Cost()


def lost(job: Job) -> Attempt:
    """Of a worker that was killed twice."""
    return failed(job, "the worker process was killed twice; the machine may be short of memory")


def _made(job: Job, patch: str, verdict: Verdict, cost: Cost, notes: Mapping[str, object]) -> Attempt:
    known = {
        "key": job.key,
        "stub": job.tree,
        "sample": job.sample,
        "name": job.plan.title,
        "folder": f"{job.task}/{job.sample}",
    }
    return Attempt(job.task, job.plan.model, f"agent:{job.plan.profile}", patch, verdict, cost, job.sample, {
        **known, **notes,
    })  # fmt: skip


def _attempt(job: Job) -> Attempt:
    from unsorry.scaffolds.agent.engine import SEARCH, Engine
    from unsorry.scaffolds.agent.limits import Spent
    from unsorry.scaffolds.agent.patch import make_patch
    from unsorry.scaffolds.agent.runs import Order, save_order
    from unsorry.scaffolds.agent.targets import Target
    from unsorry.scaffolds.agent.trajectory import read
    from unsorry.scaffolds.agent.workspace import Workspace

    _make_room(job)
    order = Order(job.prompt, job.stub, job.folder, config(job), job.plan.sandbox)
    save_order(order)
    path = order.attempt / "trajectory.jsonl"
    with Engine(order, toolchain=job.toolchain) as engine:
        if job.files:  # a title may name other files, and a long list is cut
            engine.targets = tuple(Target(file) for file in job.files)
        before = read(path) if path.exists() and path.stat().st_size else None
        if before is not None and before.end is not None and before.end["kind"] == "submitted":
            kind, message, spent = "submitted", str(before.end["message"]), before.spent
        elif job.plan.model == SEARCH and not engine.targets:  # a task in mode `open`: a sample, and not our failure
            kind, message, spent = "submitted", "the search fills sorries, and there is none", Spent()
        else:
            end = engine.work()
            assert engine.recorder is not None
            kind, message, spent = end.kind, end.message, engine.recorder.trajectory.spent
        patch = make_patch(engine.workspace)
    try:
        (order.attempt / "patch.diff").write_bytes(patch.text)
    except OSError as error:
        raise UnsorryError(f"cannot write {order.attempt}: {error.strerror or error}") from None
    if kind in OURS:
        return failed(job, f"{kind}: {message}")
    with Workspace.open(order.attempt / "work") as space:
        space.remove()  # what is left is the trajectory and the patch
    verdict = Verdict(Status.UNDECIDED, UNSCORED, "not scored yet: unsorry bench score")
    notes = {"outcome": "limit" if kind == "limit" else "open", "end": kind, "message": one_line(message)[:2000],
             "turns": spent.turns}  # fmt: skip
    return _made(job, patch.text.decode("utf-8", "surrogateescape"), verdict, spent.cost(), notes)


def _make_room(job: Job) -> None:
    """Sets a run aside that worked on another stub: nothing that was paid for is removed."""
    from unsorry.scaffolds.agent.runs import load_order

    if (job.folder / "config.toml").is_file() and load_order(job.folder, Config()).folder != job.stub.resolve():
        number = next(n for n in itertools.count(1) if not job.folder.with_name(f"{job.sample}.before{n}").exists())
        job.folder.rename(job.folder.with_name(f"{job.sample}.before{number}"))


def config(job: Job) -> Config:
    """The user's settings for the agent, with those of the plan over them.

    `{task}` and `{sample}` in a model's name stand for the attempt's own, so that scripts and files can differ.
    """
    plan = job.plan
    found, _ = read_config(job.stub)
    model = plan.model.replace("{task}", job.task).replace("{sample}", str(job.sample))
    return replace(
        found, profile=plan.profile, model=model, limits=plan.limits, prices=plan.prices or found.prices,
        unattended="allow" if plan.allow else found.unattended,
    )  # fmt: skip
