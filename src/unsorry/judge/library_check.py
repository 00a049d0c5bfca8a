"""Check a library with the kernel from an empty environment, once for each toolchain.

The incremental replay takes the library's constants from the toolchain's files as they are.  This check puts all of
them before the kernel, rebuilt from our reading of the files, and remembers the result in the user's cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from unsorry import UnsorryError, __version__
from unsorry.judge.kernel import KernelLimits, KernelProcess
from unsorry.judge.library import Scope
from unsorry.judge.replay import ReplayError, encode, plan
from unsorry.lean.declarations import Kind, Safety
from unsorry.lean.embedded import cache_folder
from unsorry.lean.toolchain import Toolchain

LIMITS = KernelLimits(wall=3600, cpu=3600, memory=16 << 30)


@dataclass(frozen=True, slots=True)
class LibraryCheck:
    """What the kernel accepted: every safe constant of the modules, from these axioms."""

    digest: str  # sha256 over the modules' bytes
    constants: int
    axioms: tuple[str, ...]
    seconds: float


def known_check(toolchain: Toolchain, scope: Scope) -> LibraryCheck | None:
    """The result of an earlier check of the same bytes, None if there was none."""
    try:
        stored = json.loads(_record(toolchain, scope).read_text())
        check = LibraryCheck(
            str(stored["digest"]), int(stored["constants"]), tuple(stored["axioms"]), float(stored["seconds"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return check if check.digest == library_digest(scope) else None


def check_library(toolchain: Toolchain, scope: Scope) -> LibraryCheck:
    """Has the kernel check the whole library; seconds for the embedded one, not meant for Mathlib.

    Raises UnsorryError if the kernel refuses a constant: then the library is broken and must be rebuilt.
    """
    known = known_check(toolchain, scope)
    if known is not None:
        return known
    start = time.monotonic()
    safe = [d for d in map(scope.find, scope.names) if d is not None and d.safety is Safety.SAFE]
    try:
        groups = plan((d.name for d in safe), scope.find)
    except ReplayError as error:
        raise UnsorryError(
            f"the library is broken at {error.name}: {error}; remove {scope.paths[0].parent} and run again"
        ) from None
    with KernelProcess(toolchain) as kernel:
        reply = kernel.check(encode(groups), LIMITS)
    if not reply.ok:
        name = groups[reply.step].head.name if reply.step >= 0 else "an unknown constant"
        raise UnsorryError(f"the kernel does not accept the library at {name}: {reply.error}; rebuild the library")
    axioms = tuple(sorted(str(d.name) for d in safe if d.kind is Kind.AXIOM))
    check = LibraryCheck(library_digest(scope), len(safe), axioms, time.monotonic() - start)
    with contextlib.suppress(OSError):  # without a cache the check is made again
        _store(_record(toolchain, scope), json.dumps(asdict(check)))
    return check


def library_digest(scope: Scope) -> str:
    """Hex sha256 over the bytes of the modules, imports first."""
    digest = hashlib.sha256()
    for part in scope.digests:
        digest.update(part)
    return digest.hexdigest()


def _record(toolchain: Toolchain, scope: Scope) -> Path:
    key = hashlib.sha256(json.dumps([__version__, toolchain.digest, list(map(str, scope.paths))]).encode()).hexdigest()
    return cache_folder() / f"checked-{key[:16]}.json"


def _store(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".checked-")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).replace(path)
