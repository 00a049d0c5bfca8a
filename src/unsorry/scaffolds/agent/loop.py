"""The loop: ask the model, call the tools, keep both, again.  Everything that happened is in the trajectory."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from unsorry import UnsorryError
from unsorry.judge.reasons import one_line
from unsorry.scaffolds.agent import (
    AgentEnd,
    ContextOverflow,
    EnvironmentLost,
    Interrupted,
    LimitExceeded,
    Message,
    Model,
    ModelFailed,
    Observation,
    Reply,
    Stalled,
    Submitted,
    ToolCall,
)
from unsorry.scaffolds.agent.compaction import LEVELS, Compactor
from unsorry.scaffolds.agent.limits import Limits, Spent, check, refuse_unpriced, until
from unsorry.scaffolds.agent.observations import answer, observation
from unsorry.scaffolds.agent.recorder import Recorder
from unsorry.scaffolds.agent.silence import nudge
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.scaffolds.agent.trajectory import FROM_LOOP, Trajectory, reply_message, tools_json

_HALF_DONE = "The run was interrupted during this call: whether it took effect is not known. Look before you repeat it."

_UNSYNCED = frozenset(("start", "step", "tools"))  # nothing was paid or done: the next record takes them to the disk


class World(Protocol):
    """What the tools work in; a snapshot is kept with each call that may have changed it."""

    def snapshot(self) -> Any:
        """A JSON value that a later process can restore from."""
        ...


def opening(system: str, task: str) -> list[Message]:
    """The messages a trajectory begins with; they go into its header."""
    messages: list[Message] = [{"role": "system", "content": system}] if system else []
    return [*messages, {"role": "user", "content": task, "extra": {"from": "user"}}]


@dataclass(slots=True)
class Agent:
    """A model and its tools at work on one trajectory.

    Without a `compactor` the model itself writes the summary when its context is full.  `ask` is shown a text that the
    model wrote without a call and gives the user's answer, None if there is none; without it nobody is there, and the
    model is told to go on, at most `nudges` times in a row.
    """

    model: Model
    toolbox: Toolbox
    recorder: Recorder
    limits: Limits = field(default_factory=Limits)
    compactor: Compactor | None = None
    ask: Callable[[str], str | None] | None = None
    world: World | None = None
    nudges: int = 3
    _before: float = field(init=False, default=0.0)
    _started: float = field(init=False, default=0.0)

    @property
    def trajectory(self) -> Trajectory:
        return self.recorder.trajectory

    @property
    def seconds(self) -> float:
        """Of wall time in which this run was at work, in this process and before."""
        return self._before + time.monotonic() - self._started

    def say(self, text: str) -> None:
        """A message of the user, for the model to read next; also after the run has ended."""
        if self.trajectory.open:
            raise UnsorryError("calls are still open: resume the run before you say something")
        self._keep("message", message={"role": "user", "content": text, "extra": {"from": "user"}})

    def run(self) -> AgentEnd:
        """Work until something ends it, which is returned and kept; goes on where the trajectory stops.

        Raises UnsorryError where it cannot begin: a price limit without prices, a run that was submitted, a full disk.
        """
        self._started, self._before = time.monotonic(), self.trajectory.spent.seconds
        self.compactor = self.compactor or Compactor(self.model)
        refuse_unpriced(self.limits, (self.model, self.compactor.model))
        if (end := self.trajectory.end) is not None and end["kind"] == Submitted.kind:
            raise UnsorryError(f"{self.recorder.path} has ended, its result was submitted: fork it, or give a new task")
        self._keep("start", model=self.model.id, compaction=self.compactor.model.id, limits=asdict(self.limits))
        left = float("inf") if self.limits.seconds is None else self.limits.seconds - self._before
        try:
            with until(self._started + left):
                while True:
                    self._step()
        except AgentEnd as end:
            ended: AgentEnd = end
        except KeyboardInterrupt:
            ended = Interrupted("stopped by the user; resume to go on, nothing was lost")
        which = {"which": ended.which} if isinstance(ended, LimitExceeded) else {}
        self._keep("end", kind=ended.kind, message=ended.message, resumable=ended.resumable, **which)
        return ended

    def _step(self) -> None:
        """One answer and its calls; what an earlier process left open comes first."""
        if not self.trajectory.stepping:
            if self.trajectory.submitted is not None:
                raise Submitted(self.trajectory.submitted)
            self._answered()
            check(self.limits, self._spent())
            self._tools()
            self._reply()
        for call in list(self.trajectory.open.values()):
            self._call(call)
        self._keep("step", step=self.trajectory.replies)

    def _answered(self) -> None:
        """Where the last answer called nothing, somebody has to say something."""
        last = self.trajectory.messages[-1] if self.trajectory.messages else {}
        if last.get("role") != "assistant":
            return
        text = str(last.get("content") or "")
        if self.ask is not None:
            said = self.ask(text)
            if said is None:
                raise Interrupted("the user left; resume to go on, nothing was lost")
            self.say(said)
        elif self.trajectory.silent > self.nudges:
            raise Stalled(
                f"the model answered {self.trajectory.silent} times without calling a tool, last: "
                f"{one_line(text)[:120]!r}; if its calls are in that text, start its server with a tool-call parser "
                "or use the plain text protocol"
            )
        else:
            hint = nudge(last, [spec.name for spec in self.toolbox.specs])
            self._keep("message", message={"role": "user", "content": hint, "extra": {"from": FROM_LOOP}})

    def _tools(self) -> None:
        tools = json.loads(json.dumps(tools_json(self.toolbox.specs), default=str))
        if tools != self.trajectory.tools:
            self._keep("tools", tools=tools)

    def _reply(self) -> None:
        assert self.compactor is not None
        specs, level = self.toolbox.specs, 0
        if self.compactor.due(self.trajectory.messages, specs, self.model.context):
            self._compact(level)
        while True:
            self.recorder.reserve()
            reply: Reply | None = None
            try:
                reply = self.model.reply(self.trajectory.messages, specs)
            except ContextOverflow as error:
                if level >= LEVELS:
                    raise ModelFailed(
                        f"the conversation does not fit into the model's context, however short it is made "
                        f"({one_line(str(error))[:200]}); use a model with a longer context"
                    ) from None
                self._compact(level)
                level += 1
                continue
            except AgentEnd:
                check(Limits(seconds=self.limits.seconds), self._spent())  # the time-out was what the run had left
                raise
            except UnsorryError as error:
                raise ModelFailed(str(error)) from None
            except Exception as error:
                why = one_line(str(error))[:200]
                raise ModelFailed(
                    f"{self.model.id} failed: {type(error).__name__}: {why}; resume to try again"
                ) from error
            finally:  # an interrupt right after the answer must not lose it
                if reply is not None:
                    message = reply_message(reply, self.trajectory)
                    self._keep("reply", step=self.trajectory.replies + 1, model=self.model.id, message=message)
            return

    def _compact(self, level: int) -> None:
        assert self.compactor is not None
        self.recorder.reserve()
        began = time.monotonic()
        found = self.compactor.compact(self.trajectory.messages, self.toolbox.specs, self.model.context, level)
        self._keep(
            "compaction",
            model=self.compactor.model.id,
            messages=found.messages,
            usage=asdict(found.usage),
            cost=found.cost,
            took=round(time.monotonic() - began, 3),
            before=found.before,
            after=found.after,
        )
        check(replace(self.limits, turns=None), self._spent())

    def _call(self, call: ToolCall) -> None:
        """Answer one call.  One that an earlier process had begun is made again only if that changes nothing."""
        repeatable = self.toolbox.repeatable(call)
        if call.id in self.trajectory.begun:
            message = answer(call, Observation(_HALF_DONE, "unknown", {"fault": "interrupted"}), 0.0)
        else:
            over = self.trajectory.submitted is not None
            if not over:
                check(Limits(seconds=self.limits.seconds), self._spent())
                if not repeatable:
                    self._keep("call", call=call.id)
            message, _ = observation(self.toolbox, call, over)
        snapshot: dict[str, Any] = {}
        lost: EnvironmentLost | None = None
        if self.world is not None and not repeatable:
            try:
                snapshot["snapshot"] = self.world.snapshot()
            except UnsorryError as error:
                lost = EnvironmentLost(str(error))
        self._keep("observation", step=self.trajectory.replies, message=message, **snapshot)
        if lost is not None:
            raise lost

    def _spent(self) -> Spent:
        return replace(self.trajectory.spent, seconds=self.seconds)

    def _keep(self, record: str, /, **values: Any) -> None:
        at = self.seconds if self._started else self.trajectory.spent.seconds
        self.recorder.append({"type": record, "at": round(at, 3), **values}, sync=record not in _UNSYNCED)
