"""Which lines of some modules a set of inputs reaches: counted apart from the fuzzer, by Python's own tracing."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FrameType, ModuleType
from typing import Any


def lines(module: ModuleType) -> set[int]:
    """The lines of a module's functions that can be executed."""
    source = inspect.getsource(module)
    found: set[int] = set()
    todo = [compile(source, str(module.__file__), "exec")]
    while todo:
        code = todo.pop()
        if code.co_flags & inspect.CO_NEWLOCALS and code.co_flags & inspect.CO_OPTIMIZED:  # functions, no class bodies
            found |= {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
        todo += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def reached(
    modules: Iterable[ModuleType], work: Callable[[bytes], object], inputs: Iterable[bytes]
) -> dict[str, set[int]]:
    """File -> the lines that `work` executes on the inputs; what it raises is passed over."""
    found: dict[str, set[int]] = {str(module.__file__): set() for module in modules}

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        seen = found.get(frame.f_code.co_filename)
        if seen is None:
            return None

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            seen.add(frame.f_lineno)
            return line

        return line

    for data in inputs:
        before = sys.gettrace()
        sys.settrace(enter)
        try:
            with contextlib.suppress(Exception):
                work(data)
        finally:
            sys.settrace(before)
    return found
