"""Both tiers in one judge: the fast one rejects what Lean itself finds wrong, the strict one decides all the rest.

The verdict is the strict tier's, everywhere: a fast rejection only saves its time, and a share of them is audited.
Equal submissions to equal problems are judged once.  The memo may be kept in a file; only rejections are written to it
and only rejections are believed from it, so that a file somebody else wrote can cost a reward and never make one: an
acceptance is judged again by the process that pays for it.  What was undecided is not kept either, since more time or
a quieter machine may decide it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from unsorry import Problem, Status, Verdict, __version__
from unsorry.canonical import json_digest
from unsorry.judge.fast import FastJudge
from unsorry.judge.judge import LIMITS, StrictJudge
from unsorry.judge.kernel import KernelLimits
from unsorry.judge.memo import Memo
from unsorry.judge.reasons import Reason
from unsorry.judge.stream import Clock, Tier
from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Confinement, Message
from unsorry.lean.toolchain import Toolchain

REMEMBERED = 20_000  # pairs kept in memory
ERRORS, ERROR_SIZE, ERRORS_SIZE = 64, 8192, 32768  # kept of a submission: how many, codepoints of one and of all
# Seconds.  The sandbox counts the processor's time, so that a busy machine changes no verdict; the wall is far behind.
CPU, WALL, FAST_WALL = 60, 300, 60
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """A verdict with Lean's errors, in order; their positions are those of the submission's text."""

    verdict: Verdict
    errors: tuple[Message, ...] = ()


class TieredJudge(Tier):
    """Judges fast first and strictly where that does not reject; see the module for what is remembered.

    Works from any thread.  `audit` is the share of fast rejections that is judged strictly as well; where the strict
    tier accepts one, its verdict counts and `counts["disagreements"]` grows.  `memo` names a file for rejections; one
    that cannot be written is an UnsorryError.  `remembered` pairs are kept in memory.
    """

    def __init__(
        self,
        strict: StrictJudge,
        fast: FastJudge,
        *,
        memo: Path | None = None,
        workers: int | None = None,
        audit: float = 0.01,
        remembered: int = REMEMBERED,
    ) -> None:
        self.strict = strict
        self.fast = fast
        self.workers = workers or os.cpu_count() or 1
        self.audit = audit
        self.remembered = remembered
        self.counts: Counter[str] = Counter()  # asked, remembered, fast, strict, accepted, ..., disagreements
        self.seconds = {"fast": 0.0, "strict": 0.0}  # of judging, by tier, over all threads
        self._known: OrderedDict[str, Future[Diagnostics]] = OrderedDict()
        self._lock = threading.Lock()
        self._memo = Memo(memo) if memo is not None else None

    @classmethod
    def make(
        cls,
        toolchain: Toolchain | None = None,
        *,
        sandbox: str = "strict",
        memo: Path | None = None,
        workers: int | None = None,
        audit: float = 0.01,
    ) -> Self:
        """A judge with generous limits; `sandbox` names the confinement of both tiers."""
        from unsorry.judge.sandbox import choose

        toolchain, confinement = toolchain or toolchains.find(), choose(sandbox)
        limits = replace(LIMITS, wall=WALL, cpu=CPU)
        strict = StrictJudge(toolchain, confinement, limits=limits, kernel_limits=KernelLimits(wall=WALL))
        fast = FastJudge(toolchain, confinement, limits=replace(limits, wall=FAST_WALL))
        return cls(strict, fast, memo=memo, workers=workers, audit=audit)

    def close(self) -> None:
        """Ends both tiers' processes; they start again when needed."""
        self.fast.close()
        self.strict.close()

    def within(self, seconds: float) -> TieredJudge:
        """The same tiers with at most `seconds` for each run of Lean and each kernel request.

        It remembers for itself, since what was undecided in less time may be decided in more.  Kernel processes are
        shared with this judge: close this one, and `.fast` of that.
        """
        strict, fast = self.strict.within(seconds), self.fast.within(seconds)
        return TieredJudge(strict, fast, workers=self.workers, audit=self.audit)

    @property
    def toolchain(self) -> Toolchain:
        return self.strict.toolchain

    @property
    def confinement(self) -> Confinement:
        return self.strict.confinement

    def judge(self, problem: Problem, submission: str) -> Verdict:
        """The verdict; never raises for anything that a submission can do."""
        return self.diagnostics(problem, submission).verdict

    def diagnostics(self, problem: Problem, submission: str) -> Diagnostics:
        """The verdict with Lean's errors, from memory where the pair is known; `timings` are of this call."""
        key, clock = self._key(problem, submission), Clock()
        with self._lock:
            self.counts["asked"] += 1
            known = self._known.get(key)
            if known is None:
                mine: Future[Diagnostics] = Future()
                self._known[key] = mine
                if len(self._known) > self.remembered:
                    self._known.popitem(last=False)
            else:
                self._known.move_to_end(key)
                self.counts["remembered"] += 1
        if known is not None:  # perhaps still being judged, by the thread that came first
            found = known.result()
            return replace(found, verdict=replace(found.verdict, timings=clock.finish()))
        try:
            found = self._recall(key, clock) or self._decide(key, problem, submission)
        except BaseException as error:
            mine.set_exception(error)
            self._forget(key)
            raise
        mine.set_result(found)
        if found.verdict.reason == Reason.INTERNAL:  # a fault of ours: another try may end differently
            self._forget(key)
        return found

    def _forget(self, key: str) -> None:
        with self._lock:
            self._known.pop(key, None)

    def _key(self, problem: Problem, submission: str) -> str:
        """Hex sha256 of all that the verdict depends on; the id too, since a certificate names it."""
        judged = [__version__, self.toolchain.digest, problem.id, problem.source, *problem.targets, submission]
        return json_digest(judged)

    def _recall(self, key: str, clock: Clock) -> Diagnostics | None:
        """The rejection in the file."""
        stored = self._memo.get(key) if self._memo is not None else None
        if stored is None:
            return None
        with self._lock:
            self.counts["recalled"] += 1
        verdict, errors = stored
        return Diagnostics(replace(verdict, timings=clock.finish()), errors)

    def _decide(self, key: str, problem: Problem, submission: str) -> Diagnostics:
        first, said = self.fast.examine(problem, submission)
        errors = _errors(said)
        verdict, audited = first, False
        if first.status is not Status.REJECTED or (audited := int(key[:8], 16) < self.audit * (1 << 32)):
            verdict = self.strict.judge(problem, submission)
            if audited and not verdict.accepted:
                verdict = first  # as it would be without the audit
            elif audited:
                log.error("the fast tier rejected (%s) what the strict tier accepts: %s", first.message, problem.id)
        with self._lock:
            self.counts[verdict.tier] += 1
            self.counts[verdict.status.value] += 1
            self.counts["disagreements"] += audited and verdict.accepted
            self.seconds["fast"] += first.timings["total"]
            self.seconds["strict"] += verdict.timings["total"] if verdict is not first else 0.0
        if verdict.status is Status.REJECTED and self._memo is not None:
            self._memo.put(key, verdict, errors)
        return Diagnostics(verdict, errors)

    def report(self) -> Mapping[str, float]:
        """What was asked and decided so far, and the seconds of judging, for a ledger."""
        opinions = self.strict.opinions.counts
        with self._lock:
            return {
                **self.counts,
                **{f"second_{what}": n for what, n in opinions.items()},
                **{f"{tier}_seconds": round(s, 3) for tier, s in self.seconds.items()},
            }


def _errors(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The errors in the order of the file, cut to what is kept."""
    found = sorted((m for m in messages if m.severity == "error"), key=lambda m: (m.line, m.column))
    kept: list[Message] = []
    left = ERRORS_SIZE
    for message in found[:ERRORS]:
        kept.append(replace(message, text=message.text[: min(ERROR_SIZE, left)]))
        left -= len(kept[-1].text)
    return tuple(kept)
