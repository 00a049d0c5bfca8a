"""Lean's kernel in processes of its own: one that holds a library and forks for each request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.judge.worker import WorkerLimits, WorkerProcess
from unsorry.lean.olean_image import PARTS
from unsorry.lean.toolchain import Toolchain, python_interpreter

WORKER = Path(__file__).with_name("kernel_worker.py")
# What the kernel says about a term.  Its other exceptions (time, memory, depth) decide nothing.
LOGICAL = frozenset((
    "unknownConstant", "alreadyDeclared", "declTypeMismatch", "declHasMVars", "declHasFVars", "funExpected",
    "typeExpected", "letTypeMismatch", "exprTypeMismatch", "appTypeMismatch", "invalidProj", "thmTypeIsNotProp",
    "other", "regenerated",
))  # fmt: skip


KernelLimits = WorkerLimits


@dataclass(frozen=True, slots=True)
class KernelReply:
    """`error` is "" if all was accepted, else the kernel's exception, "regenerated", "timeout" or "crashed".

    `step` is the index of the group that failed, -1 if unknown; `seconds` the wall time of the request.
    """

    error: str
    step: int = -1
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def logical(self) -> bool:
        """The kernel refused a term; otherwise nothing was decided."""
        return self.error in LOGICAL


class KernelProcess(WorkerProcess):
    """A worker with the constants of some library modules; answers requests from any thread, each in a fork.

    `modules` are their files, imports first, `X.olean` before its `.server` and `.private` parts where it has them.
    Without modules the environment is empty, and a request must bring everything it needs.
    """

    def __init__(self, toolchain: Toolchain, modules: Sequence[Path] = ()) -> None:
        if toolchain.native is None:
            raise UnsorryError(
                f"Lean's shared library was not found beside {toolchain.lean[0]}: the kernel cannot be run; "
                "`unsorry doctor` says which toolchains are complete"
            )
        argv = [python_interpreter()[0], "-IS", str(WORKER), str(toolchain.native)]
        super().__init__("kernel", argv, {"modules": by_module(modules)})

    def check(self, request: bytes, limits: KernelLimits | None = None) -> KernelReply:
        """Runs one request (see replay.encode) in a fork of the worker."""
        limits = limits or KernelLimits()
        answer, seconds = self.ask(request, limits)
        if answer is None:
            return KernelReply("timeout" if seconds >= min(limits.wall, limits.cpu) - 0.5 else "crashed", -1, seconds)
        if answer["ok"]:
            return KernelReply("", -1, seconds)
        return KernelReply(answer["error"], answer["step"], seconds)


def by_module(paths: Sequence[Path]) -> list[list[str]]:
    """The files of each module, one or all its parts; raises UnsorryError for others."""
    modules: list[list[str]] = []
    for path in map(str, paths):
        if path.endswith(".olean"):
            modules.append([path])
        elif modules:
            modules[-1].append(path)
        else:
            raise UnsorryError(f"{path} is a part of a module whose `.olean` does not come before it")
    for files in modules:
        if len(files) > 1 and files != [files[0] + suffix for suffix in PARTS]:
            raise UnsorryError(f"the parts of {files[0]} must follow it in Lean's order: {', '.join(PARTS[1:])}")
    return modules
