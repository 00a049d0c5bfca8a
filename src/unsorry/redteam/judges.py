"""The judges that `unsorry redteam` knows by name, and adapters of the user's own."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from unsorry import UnsorryError, Verdict
from unsorry.judge import FastJudge, StrictJudge
from unsorry.judge.compile import compile_source
from unsorry.judge.kernel import KernelLimits
from unsorry.judge.reasons import Refusal
from unsorry.judge.tiered import TieredJudge
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.toolchain import Toolchain
from unsorry.redteam import lean_says, programs
from unsorry.redteam.build import build
from unsorry.redteam.corpus import Case
from unsorry.redteam.run import JudgeAdapter

J = TypeVar("J", StrictJudge, FastJudge)
PATIENCE = 30.0  # seconds of elaboration for a case that does not name its own


@dataclass(frozen=True, slots=True)
class Bench:
    """What every judge is run with; hostile files run in the confinement."""

    toolchain: Toolchain
    confinement: Confinement
    patience: float = PATIENCE

    def limits(self, case: Case) -> Limits:
        """Of one run of Lean on a case."""
        wall = case.seconds or self.patience
        return Limits(wall=wall, cpu=wall, memory=2 << 30, file_size=64 << 20)


def strict(bench: Bench, stack: ExitStack) -> JudgeAdapter:
    """Our judge; its reasons are compared with the corpus's."""

    def make(limits: Limits) -> StrictJudge:
        kernel = KernelLimits(wall=round(limits.wall), cpu=round(limits.wall), memory=limits.memory)
        return StrictJudge(bench.toolchain, bench.confinement, limits=limits, kernel_limits=kernel)

    judge = _patient(make, bench, stack)
    return lambda case: judged(judge(case), case)


def judged(judge: StrictJudge, case: Case) -> Verdict:
    """The verdict on a case's text, or on the compiled file that it stands for; files beside the text are not taken."""
    if not case.build:
        return judge.judge(case.problem, case.submission)
    try:
        compiled = compile_source(judge.toolchain, case.submission, confinement=judge.confinement, limits=judge.limits)
    except Refusal as refusal:
        raise UnsorryError(f"the submission of {case} is to be compiled, and is not: {refusal}") from None
    return judge.judge_olean(case.problem, build(compiled.olean, case.build))


def fast(bench: Bench, stack: ExitStack) -> JudgeAdapter:
    """Our fast tier, which accepts nothing: what it has no objection to is undecided."""

    def make(limits: Limits) -> FastJudge:
        return FastJudge(bench.toolchain, bench.confinement, limits=limits)

    judge = _patient(make, bench, stack)
    return _texts(lambda case: str(judge(case).judge(case.problem, case.submission).status))


def _texts(adapter: JudgeAdapter) -> JudgeAdapter:
    """Of a judge that takes texts: it has no opinion of a compiled file."""
    return lambda case: "undecided" if case.build else adapter(case)


def of_run(judge: TieredJudge, stack: ExitStack) -> JudgeAdapter:
    """The judge of a pipeline's run, as it is configured; a case that names its own time is given no more than that."""
    made: dict[float, TieredJudge] = {0.0: judge}
    lock = threading.Lock()

    def of(case: Case) -> TieredJudge:
        with lock:
            if case.seconds not in made:
                made[case.seconds] = judge.within(case.seconds)
                stack.callback(made[case.seconds].fast.close)
            return made[case.seconds]

    def adapter(case: Case) -> Verdict:
        chosen = of(case)
        return judged(chosen.strict, case) if case.build else chosen.judge(case.problem, case.submission)

    return adapter


def _patient(make: Callable[[Limits], J], bench: Bench, stack: ExitStack) -> Callable[[Case], J]:
    """One judge for each patience that the cases ask for, closed with the stack."""
    made: dict[float, J] = {}
    lock = threading.Lock()

    def of(case: Case) -> J:
        limits = bench.limits(case)
        with lock:
            if limits.wall not in made:
                made[limits.wall] = stack.enter_context(make(limits))
            return made[limits.wall]

    return of


def _reader(read: lean_says.Reader, bench: Bench, stack: ExitStack) -> JudgeAdapter:
    return _texts(lambda case: read(case, bench.toolchain, bench.confinement, bench.limits(case)))


def _program(name: str, bench: Bench, stack: ExitStack) -> JudgeAdapter:
    program = programs.PROGRAMS[name]
    path = program.find(bench.toolchain)
    if path is None:
        raise UnsorryError(f"{name} is not present: {program.hint}")
    return _texts(lambda case: program.judge(path, case, bench.toolchain, bench.confinement, bench.limits(case)))


JUDGES: dict[str, Callable[[Bench, ExitStack], JudgeAdapter]] = {
    "strict": strict,
    "fast": fast,
    "lean-exit-code": partial(_reader, lean_says.exit_code),
    "lean-messages": partial(_reader, lean_says.messages),
    "lean-print-axioms": partial(_reader, lean_says.print_axioms),
    **{name: partial(_program, name) for name in programs.PROGRAMS},
}


def absent(name: str, toolchain: Toolchain) -> str:
    """Why a judge cannot take part here, "" if it can."""
    program = programs.PROGRAMS.get(name)
    return program.hint if program and program.find(toolchain) is None else ""


def make(name: str, bench: Bench, stack: ExitStack) -> JudgeAdapter:
    """The adapter of that name; what it opened is closed with the stack.

    Besides the known names: `MODULE:CALLABLE` and `FILE.py:CALLABLE`, an adapter of the user's own.
    """
    if name in JUDGES:
        return JUDGES[name](bench, stack)
    if ":" in name:
        return _own(name)
    raise UnsorryError(f"no judge {name!r}: use {', '.join(JUDGES)}, or FILE.py:CALLABLE for an adapter of your own")


def _own(name: str) -> JudgeAdapter:
    place, _, attribute = name.rpartition(":")
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(f"_redteam_{Path(place).stem}", place)
            assert spec and spec.loader
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(place)
        found = getattr(module, attribute)
    except Exception as error:  # whatever the user's file does wrong
        said = " ".join(str(error).split())
        raise UnsorryError(f"cannot load the adapter {name}: {type(error).__name__}: {said}") from error
    if not callable(found):
        raise UnsorryError(f"{name} is no adapter: it must be callable with a case")

    def adapter(case: Case) -> str | Verdict:
        answer: str | Verdict = found(case)
        return answer

    return adapter
