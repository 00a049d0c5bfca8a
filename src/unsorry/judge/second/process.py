"""The second checker as the judge asks it: in a process that can be limited and killed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import unsorry
from unsorry import UnsorryError
from unsorry.judge.kernel import by_module
from unsorry.judge.second.check import Opinion, OpinionKind
from unsorry.judge.worker import WorkerLimits, WorkerProcess
from unsorry.lean.toolchain import Toolchain, python_interpreter

WORKER = Path(__file__).with_name("worker.py")
PACKAGES = Path(unsorry.__file__).resolve().parent.parent
MEMORY = 2 << 30  # bytes beyond the idle worker


@dataclass(frozen=True, slots=True)
class SecondPolicy:
    """What an accepted proof's second opinion may cost, and whether a proof needs one.

    `steps` bound the work, the same on every machine; `seconds` of CPU are far behind and stop what a step does not
    count.  With `demanded`, a proof that this budget does not settle is undecided; without, its certificate says so.
    """

    steps: int = 100_000
    seconds: int = 20
    demanded: bool = False


RECORDED = SecondPolicy()
DEMANDED = SecondPolicy(steps=5_000_000, seconds=120, demanded=True)  # for what is published


def policy(word: str) -> SecondPolicy | None:
    """What an option says: record, demand or off; raises UnsorryError for another word."""
    known = {"record": RECORDED, "demand": DEMANDED, "off": None}
    if word not in known:
        raise UnsorryError(f"--second is {word!r}: it is one of {', '.join(known)}")
    return known[word]


class SecondProcess(WorkerProcess):
    """A worker of the second checker; `modules` are the library's files as KernelProcess takes them."""

    def __init__(self, toolchain: Toolchain, modules: Sequence[Path]) -> None:
        argv = [python_interpreter()[0], "-IS", str(WORKER), str(PACKAGES)]
        super().__init__("second checker's", argv, {"modules": by_module(modules), "version": toolchain.version})

    def opinion(self, request: bytes, policy: SecondPolicy) -> Opinion:
        """What it says of a request that the kernel has accepted; no answer is undecided."""
        head = b'{"steps":%d,"seconds":%d,"request":' % (policy.steps, policy.seconds)
        wall = policy.seconds * 10 + 10
        answer, _ = self.ask(head + request + b"}", WorkerLimits(wall, policy.seconds + 1, MEMORY))
        if answer is None:
            return Opinion(OpinionKind.UNDECIDED, "out of time or memory")
        return Opinion(OpinionKind(answer["kind"]), answer["detail"], answer["declaration"], answer["checked"])
