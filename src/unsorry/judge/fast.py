"""The fast tier: one check in a warm session, which can reject but never accept."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from unsorry import Problem, UnsorryError, Verdict
from unsorry.judge.reasons import Reason, Refusal
from unsorry.judge.stream import Clock, Tier
from unsorry.lean import source
from unsorry.lean import toolchain as toolchains
from unsorry.lean.process import Confinement, Limits, Message, Run, run_lean
from unsorry.lean.session import Session
from unsorry.lean.toolchain import Toolchain

SESSIONS = 8  # headers with a warm session


class FastJudge(Tier):
    """Rejects what Lean itself finds wrong, in tens of milliseconds; everything else is undecided.

    It believes Lean's messages, so a hostile text can make it say `undecided`, or `rejected` of itself; neither is
    ever a reward.  Works from any thread.
    """

    def __init__(
        self,
        toolchain: Toolchain | None = None,
        confinement: Confinement | None = None,
        *,
        limits: Limits | None = None,
        workers: int | None = None,
    ) -> None:
        if confinement is None:
            from unsorry.judge.sandbox import choose

            confinement = choose("strict")
        self.toolchain = toolchain or toolchains.find()
        self.confinement = confinement
        self.limits = limits or Limits()
        self.workers = workers or os.cpu_count() or 1
        self._idle: dict[str, queue.SimpleQueue[Session]] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Ends the sessions that no check is using."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for sessions in idle.values():
            while not sessions.empty():
                sessions.get().close()

    def within(self, seconds: float) -> FastJudge:
        """A judge of its own, to be closed for itself, with at most `seconds` for each check."""
        limits = self.limits.within(seconds)
        return FastJudge(self.toolchain, self.confinement, limits=limits, workers=self.workers)

    def judge(self, problem: Problem, submission: str) -> Verdict:
        """Rejected or undecided; never raises for anything that a submission can do."""
        return self.examine(problem, submission)[0]

    def examine(self, problem: Problem, submission: str) -> tuple[Verdict, tuple[Message, ...]]:
        """The verdict, and what Lean said of the submission: information, never evidence.

        Positions are those of `submission`.  A check that was stopped tells what Lean had said by then.
        """
        clock = Clock()
        messages: tuple[Message, ...] = ()
        try:
            run, text = self._check(submission)
            messages = tuple(m for m in run.messages if m.kind != "unsorry.died")
            self._read(problem, run, text)
        except Refusal as refusal:
            verdict = refusal.verdict()
        except UnsorryError as error:
            verdict = Refusal(Reason.INTERNAL, str(error)).verdict()
        return replace(verdict, tier="fast", timings=clock.finish()), messages

    def _read(self, problem: Problem, run: Run, text: str) -> NoReturn:
        if run.timed_out:
            raise Refusal(Reason.COMPILE_TIMEOUT, f"Lean did not finish within {self.limits.wall:g} s")
        if run.errors:
            first = run.errors[0]
            line = next(iter(first.text.strip().splitlines()), "")
            if first.kind == "unsorry.died":
                raise Refusal(Reason.COMPILE_RESOURCES, line)
            raise Refusal(Reason.FAST_ERROR, f"line {first.line}: {line}")
        if run.completed.returncode not in (0, 1):
            raise Refusal(Reason.COMPILE_RESOURCES, f"Lean ended with exit code {run.completed.returncode}")
        for message in run.messages:
            target = sorry_in(message, text, problem.targets)
            if target and _declared_at(text, target, message.line):
                raise Refusal(Reason.FAST_SORRY, f"{target} uses sorry", target)
        raise Refusal(Reason.FAST_PASSED, "Lean reports no error; only the strict tier can accept")

    def _check(self, submission: str) -> tuple[Run, str]:
        """The run, and the text that its positions refer to."""
        try:
            submission.encode()
        except UnicodeEncodeError:
            raise Refusal(Reason.SUBMISSION_TEXT, "the text is not valid Unicode (it holds lone surrogates)") from None
        try:
            header = source.parse(submission).header
        except UnsorryError:  # Lean will say what is wrong, if it thinks so too
            header = source.Header(prelude=True)
        end = submission.find("\n", header.end) + 1
        if header.prelude or header.module or (header.end and not end):
            run = run_lean(self.toolchain, submission, limits=self.limits, confinement=self.confinement)
            return run, submission
        head, rest = (submission[:end], submission[end:]) if header.end else ("", submission)
        session = self._take(head)
        try:
            run = session.check(rest, timeout=self.limits.wall)
        except BaseException:
            session.close()
            raise
        self._give(head, session)
        shift = head.count("\n")
        moved = tuple(replace(m, line=m.line + shift, end_line=m.end_line + shift) for m in run.messages)
        return Run(moved, run.completed), submission

    def _take(self, header: str) -> Session:
        with self._lock:
            sessions = self._idle.get(header)
            if sessions is not None and not sessions.empty():
                return sessions.get()
        return Session(self.toolchain, header, confinement=self.confinement, limits=self.limits)

    def _give(self, header: str, session: Session) -> None:
        stale: list[Session] = []
        with self._lock:
            sessions = self._idle.pop(header, None) or queue.SimpleQueue()
            sessions.put(session)
            self._idle[header] = sessions  # the most recent last
            while len(self._idle) > SESSIONS:
                oldest = self._idle.pop(next(iter(self._idle)))
                while not oldest.empty():
                    stale.append(oldest.get())
        for old in stale:
            old.close()


def sorry_in(message: Message, text: str, targets: Iterable[str]) -> str:
    """The target that a `hasSorry` message stands at, "" if it is another kind of message or another declaration.

    Lean puts the message at the declaration's name, as it is written.
    """
    if message.kind != "hasSorry":
        return ""
    lines = text.splitlines(keepends=True)
    if not 1 <= message.line <= len(lines):
        return ""
    written = lines[message.line - 1][message.column :]
    if message.end_line == message.line:
        written = written[: message.end_column - message.column]
    written = written.strip()
    return next((t for t in targets if written and (t == written or t.endswith("." + written))), "")


def _declared_at(text: str, target: str, line: int) -> bool:
    """Whether that line is in the declaration of `target`, and not of one that shares its last component."""
    try:
        parsed = source.parse(text)
    except UnsorryError:
        return False  # Lean read it all the same; the strict tier will tell
    command = parsed.declaration(target)
    return command is not None and parsed.lines.line(command.start) <= line <= parsed.lines.line(command.end)
