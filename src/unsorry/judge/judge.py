"""The strict judge: decides from kernel terms, in processes that never ran the submitter's code."""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from unsorry import Problem, Status, UnsorryError, Verdict
from unsorry.judge import axioms, certificate, digest, library_check, statement
from unsorry.judge.compile import compile_source
from unsorry.judge.holes import check_holes
from unsorry.judge.kernel import KernelLimits, KernelProcess
from unsorry.judge.library import Library, Scope
from unsorry.judge.library_check import LibraryCheck
from unsorry.judge.reasons import Reason, Refusal, one_line
from unsorry.judge.replay import ReplayError, encode, plan
from unsorry.judge.second.opinions import SecondOpinions
from unsorry.judge.second.process import RECORDED, SecondPolicy
from unsorry.judge.statement import Statement
from unsorry.judge.stream import Clock, Tier
from unsorry.lean import olean
from unsorry.lean import toolchain as toolchains
from unsorry.lean.names import Name
from unsorry.lean.olean import Module, OleanError
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.terms import Arena
from unsorry.lean.toolchain import Toolchain

LIMITS = Limits(file_size=64 << 20)  # of an elaboration; its compiled file is read in memory
STATEMENTS = 512  # elaborated statements kept in memory
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A problem's statement, elaborated alone, with its digest."""

    statement: Statement
    digest: str


class StrictJudge(Tier):
    """Decides whether a submission proves a problem's statement; see docs/judge.md for what that means.

    Works from any thread.  `limits` bound the elaboration, `kernel_limits` each kernel request, `workers` the number of
    submissions that `judge_many` judges at a time (default: one a core).  Without `confinement` the strict sandbox is
    used, and UnsorryError raised where there is none; passing another one is the caller's decision, and the certificate
    tells it.  `full_replay` checks the library's part of each proof too, in an empty environment.  `second` bounds the
    second opinion on what the kernel accepts, and tells whether one is demanded; None asks for none.
    """

    def __init__(
        self,
        toolchain: Toolchain | None = None,
        confinement: Confinement | None = None,
        *,
        limits: Limits | None = None,
        kernel_limits: KernelLimits | None = None,
        workers: int | None = None,
        full_replay: bool = False,
        second: SecondPolicy | None = RECORDED,
    ) -> None:
        if confinement is None:
            from unsorry.judge.sandbox import choose

            confinement = choose("strict")
        self.toolchain = toolchain or toolchains.find()
        self.confinement = confinement
        self.limits = limits or LIMITS
        self.kernel_limits = kernel_limits or KernelLimits()
        self.workers = workers or os.cpu_count() or 1
        self.full_replay = full_replay
        self.second = second
        self.opinions = SecondOpinions(self.toolchain)
        self.library = Library(self.toolchain)
        self._statements: OrderedDict[str, Future[Prepared]] = OrderedDict()
        self._kernels: dict[tuple[Path, ...], KernelProcess] = {}
        self._checked: dict[Scope, bool] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Ends the kernel processes; they start again when needed."""
        with self._lock:
            kernels = list(self._kernels.values())
            self._kernels.clear()  # judges made by `within` see it
        for kernel in kernels:
            kernel.close()
        self.opinions.close()

    def within(self, seconds: float) -> Self:
        """This judge with at most `seconds` for each run of Lean and each kernel request.

        Everything else is shared, the kernel processes too: this one is to be closed, not that.
        """
        kernel = max(1, round(seconds))
        limited = copy.copy(self)
        limited.limits = self.limits.within(seconds)
        limited.kernel_limits = replace(
            self.kernel_limits, wall=min(self.kernel_limits.wall, kernel), cpu=min(self.kernel_limits.cpu, kernel)
        )
        return limited

    def judge(self, problem: Problem, submission: str, *, open_holes: bool = False) -> Verdict:
        """The verdict; never raises for anything that a submission can do.

        With `open_holes`, sorries of the statement may remain where they are: see holes.py.  The verdict is then
        `accepted` with the reason `accepted.open_holes` and `sorryAx` among the axioms.
        """
        return self._settle(problem, lambda clock: self._judge(problem, submission, clock, open_holes))

    def judge_each(self, problem: Problem, submission: str, also: Sequence[str] = ()) -> dict[str, Verdict]:
        """The verdict on each target alone, from one elaboration of the statement and one of the submission.

        `also` are targets of each: definitions that are holes of the statement and that others are about.
        """
        alone = {target: replace(problem, targets=tuple(dict.fromkeys((target, *also)))) for target in problem.targets}
        compiled: list[bytes] = []

        def begin(clock: Clock) -> Verdict:
            self._prepare_each(list(alone.values()))
            clock.lap("statement")
            compiled.append(
                compile_source(self.toolchain, submission, confinement=self.confinement, limits=self.limits).olean
            )
            return Refusal(Reason.INTERNAL, "each target has its own verdict").verdict()

        def decide(one: Problem) -> Callable[[Clock], Verdict]:
            return lambda clock: self._decide(one, submission, compiled[0], clock)

        shared = self._settle(problem, begin)
        return {name: self._settle(one, decide(one)) if compiled else shared for name, one in alone.items()}

    def judge_olean(self, problem: Problem, data: bytes) -> Verdict:
        """The verdict on a compiled file from elsewhere; its certificate names no submission text."""
        return self._settle(problem, lambda clock: self._decide(problem, None, data, clock))

    def _settle(self, problem: Problem, decide: Callable[[Clock], Verdict]) -> Verdict:
        clock = Clock()
        try:
            verdict = decide(clock)
        except Refusal as refusal:
            verdict = refusal.verdict()
        except UnsorryError as error:
            verdict = Refusal(Reason.INTERNAL, str(error)).verdict()
        except Exception as error:  # a fault of ours decides nothing, and must not end a batch
            log.exception("judging %s failed", problem.id)
            verdict = Refusal(Reason.INTERNAL, f"the judge failed: {type(error).__name__}: {error}").verdict()
        return replace(verdict, tier="strict", timings=clock.finish())

    def check_library(self, module: str = "Init") -> LibraryCheck:
        """Has the kernel check everything that `module` brings, from nothing; remembered for each toolchain."""
        scope = self.library.scope([Name.parse(module)])
        check = library_check.check_library(self.toolchain, scope)
        self._checked[scope] = True
        return check

    def _library_checked(self, scope: Scope) -> bool:
        if scope not in self._checked:
            self._checked[scope] = library_check.known_check(self.toolchain, scope) is not None
        return self._checked[scope]

    def prepare(self, problem: Problem) -> Prepared:
        """Elaborates the statement, once for each text; raises Refusal if it cannot be judged."""
        key = certificate.problem_digest(problem)
        with self._lock:
            known = self._statements.get(key)
            if known is None:
                mine: Future[Prepared] = Future()
                self._statements[key] = mine
                if len(self._statements) > STATEMENTS:
                    self._statements.popitem(last=False)
            else:
                self._statements.move_to_end(key)
        if known is not None:
            return known.result()
        try:
            mine.set_result(self._prepare(problem))
        except BaseException as error:
            mine.set_exception(error)
            if not isinstance(error, Refusal) or error.reason is not Reason.STATEMENT_INVALID:
                with self._lock:  # another try may end differently
                    self._statements.pop(key, None)
            raise
        return mine.result()

    def _prepare(self, problem: Problem) -> Prepared:
        if not problem.targets:
            raise Refusal(Reason.STATEMENT_INVALID, "the problem names no target: nothing would be checked")
        module, scope = self._elaborate(problem)
        made = self._understood(module, scope, problem)
        module.arena.freeze()
        return made

    def _prepare_each(self, problems: Sequence[Problem]) -> None:
        """Elaborates the text that these problems share once, and remembers what it says of each."""
        keys = {certificate.problem_digest(one): one for one in problems}
        with self._lock:
            unknown = {key: one for key, one in keys.items() if key not in self._statements}
        if not unknown:
            return
        module, scope = self._elaborate(problems[0])
        found: dict[str, Future[Prepared]] = {key: Future() for key in unknown}
        for key, one in unknown.items():
            try:
                found[key].set_result(self._understood(module, scope, one))
            except Refusal as refusal:
                found[key].set_exception(refusal)
        module.arena.freeze()
        with self._lock:
            self._statements.update(found)
            while len(self._statements) > max(STATEMENTS, len(found)):
                self._statements.popitem(last=False)

    def _elaborate(self, problem: Problem) -> tuple[Module, Scope]:
        try:
            compiled = compile_source(self.toolchain, problem.source, confinement=self.confinement, limits=self.limits)
            module = self._read(compiled.olean, Arena())
            scope = self.library.scope(i.module for i in module.imports)
            statement.check_names(module, scope)
        except Refusal as refusal:
            reason = refusal.reason if refusal.reason.status is Reason.INTERNAL.status else Reason.STATEMENT_INVALID
            raise Refusal(reason, f"the statement of problem {problem.id} cannot be used: {refusal}") from None
        return module, scope

    def _understood(self, module: Module, scope: Scope, problem: Problem) -> Prepared:
        understood = statement.understand(module, scope, problem.targets)
        return Prepared(understood, digest.statement_digest(understood))

    def _judge(self, problem: Problem, submission: str, clock: Clock, open_holes: bool) -> Verdict:
        self.prepare(problem)
        clock.lap("statement")
        compiled = compile_source(self.toolchain, submission, confinement=self.confinement, limits=self.limits)
        clock.lap("compile")
        return self._decide(problem, submission, compiled.olean, clock, open_holes=open_holes)

    def _decide(
        self, problem: Problem, submission: str | None, data: bytes, clock: Clock, *, open_holes: bool = False
    ) -> Verdict:
        prepared = self.prepare(problem)
        asked = prepared.statement
        module = self._read(data, Arena(asked.module.arena))
        clock.lap("read")
        statement.check_imports(asked, module)
        scope = asked.scope  # which the submission's imports do not leave
        statement.check_names(module, scope)
        statement.compare(asked, module)
        clock.lap("compare")
        footprint = axioms.walk(asked.targets, module.declarations, scope)
        used = axioms.check(footprint, scope, tolerate_sorry=open_holes)
        remaining = total = 0
        if str(axioms.SORRY) in used:
            remaining, total = check_holes(asked, module, footprint.reached, scope)
        clock.lap("axioms")
        declarations, checked, request = self._replay(asked.targets, module, scope)
        clock.lap("kernel")
        second = self.opinions.ask(request, scope.paths, self.second) if self.second else None
        clock.lap("second")
        proof = certificate.make(
            problem,
            submission,
            toolchain=self.toolchain,
            confinement=self.confinement,
            statement=prepared.digest,
            targets=dict(zip(asked.texts, asked.kinds, strict=True)),
            declarations=declarations,
            checked=checked,
            axioms=used,
            replay="full" if self.full_replay else "incremental",
            olean=data,
            open_holes=remaining,
            library_checked=self.full_replay or self._library_checked(scope),
            second=second,
        )
        what = ", ".join(f"{text} ({kind})" for text, kind in zip(asked.texts, asked.kinds, strict=True))
        reason, message = Reason.ACCEPTED, f"{what} as stated, checked by the kernel"
        if remaining:
            reason, message = Reason.ACCEPTED_WITH_HOLES, f"{what}: {remaining} of {total} sorries remain"
        return Verdict(Status.ACCEPTED, reason.value, one_line(message), axioms=used, certificate=proof)

    def _read(self, data: bytes, arena: Arena) -> Module:
        try:
            module = olean.read(data, arena=arena, version=self.toolchain.version)
        except OleanError as error:
            raise Refusal(Reason.OLEAN_MALFORMED, f"the compiled file is malformed: {error}") from None
        if module.is_module:
            raise Refusal(
                Reason.OLEAN_MODULE_SYSTEM, "files that begin with `module` are not judged: their proofs are elsewhere"
            )
        return module

    def _replay(self, targets: Iterable[Name], module: Module, scope: Scope) -> tuple[str, int, bytes]:
        """(digest, number, encoding) of the submission's constants that the kernel accepted; raises Refusal."""
        own = module.declarations
        try:
            groups = plan(targets, own.get, scope.__contains__)
            added = request = encode(groups)
            sent = groups
            if self.full_replay:
                sent = plan(targets, lambda name: own.get(name) or scope.find(name))
                request = encode(sent)
        except ReplayError as error:
            raise Refusal(Reason(error.reason), str(error), str(error.name)) from None
        reply = self._kernel(() if self.full_replay else scope.paths).check(request, self.kernel_limits)
        if not reply.ok:
            name = str(sent[reply.step].head.name) if 0 <= reply.step < len(sent) else ""
            if reply.error == "regenerated":
                raise Refusal(
                    Reason.REPLAY_REGENERATED, f"the family of {name} is not what the kernel makes of it", name
                )
            if reply.logical:
                raise Refusal(Reason.REPLAY_REFUSED, f"the kernel refuses {name}: {reply.error}", name)
            if reply.error == "timeout":
                raise Refusal(
                    Reason.REPLAY_TIMEOUT, f"the kernel did not finish within {self.kernel_limits.wall} s", name
                )
            raise Refusal(Reason.REPLAY_RESOURCES, f"the kernel gave up: {reply.error}", name)
        return digest.declarations_digest(groups), sum(len(group.members) for group in groups), added

    def _kernel(self, paths: tuple[Path, ...]) -> KernelProcess:
        with self._lock:
            if paths not in self._kernels:
                self._kernels[paths] = KernelProcess(self.toolchain, paths)
            return self._kernels[paths]
