"""Imports of a project compiled into a cache by digest, each in a sandbox of its own, in the order of dependency.

The key of a module is the digest of its text, of the keys of what it imports, of toolchain and options: an edit below
changes it, so that a stale file cannot be found.  The cache holds what went wrong as well, if that is Lean's word; that
time or memory ran out is not kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.lean.olean import OleanError
from unsorry.lean.olean_image import PARTS
from unsorry.lean.process import (
    Confinement,
    Limits,
    Message,
    environment,
    parse_messages,
    publish,
    take_file,
    temporary_folder,
)
from unsorry.lean.source import split_name
from unsorry.lean.toolchain import Toolchain
from unsorry.scaffolds.agent.lean.facts import Facts, read_facts
from unsorry.scaffolds.agent.lean.modules import Unit

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Built:
    """A module of the project in the cache.  `folder` is None where it did not compile; `messages` are Lean's."""

    unit: Unit
    key: str
    folder: Path | None
    messages: tuple[Message, ...]
    facts: Facts
    reason: str = ""  # why nothing is known: time, memory, a crash

    @property
    def usable(self) -> bool:
        """Whether what the cache had is still there."""
        return self.folder is None or (self.folder / "module.olean").is_file()

    @property
    def module_path(self) -> Path:
        return Path(*split_name(self.unit.module))


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what Lean makes of a text, besides the text."""

    toolchain: Toolchain
    confinement: Confinement
    limits: Limits
    options: Mapping[str, str] = field(default_factory=dict)
    identity: str = ""  # of what the toolchain's digest does not tell: a Lake project's packages

    def digest(self) -> str:
        parts = [str(FORMAT), self.toolchain.digest, self.toolchain.version, self.identity]
        parts += [f"{key}={value}" for key, value in sorted(self.options.items())]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Builder:
    """Compiles modules into `store`, each key once, from any thread."""

    def __init__(self, recipe: Recipe, store: Path, workers: int = 0) -> None:
        self.recipe = recipe
        self.store = store
        self.workers = workers or os.cpu_count() or 1
        self.compiled = 0  # how many times Lean ran
        self._digest = recipe.digest()
        self._known: dict[str, Built] = {}
        self._keys: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def keys(self, units: Sequence[Unit]) -> dict[str, str]:
        """Module -> key, for units in the order of dependency."""
        keys: dict[str, str] = {}
        for unit in units:
            below = [f"{module}:{keys[module]}" for module in sorted(unit.own)]
            text = "\0".join([self._digest, unit.module, unit.digest, *below])
            keys[unit.module] = hashlib.sha256(text.encode()).hexdigest()
        return keys

    def holds(self, units: Sequence[Unit]) -> bool:
        """Whether each of these has been compiled, or has been found not to compile."""
        return all(key in self._known or self._folder(key).is_dir() for key in self.keys(units).values())

    def build(
        self,
        units: Sequence[Unit],
        seconds: float,
        ready: Mapping[str, tuple[Path, ...]] | None = None,
        *,
        keep_going: bool = False,
    ) -> tuple[list[Built], list[Built]]:
        """(compiled units in their order, those that cannot be compiled within `seconds`).

        `ready` are compiled files that are known to be up to date, by module.  Without `keep_going` the first that
        cannot be compiled ends it; with it, only what imports such a unit is left out.
        """
        deadline = time.monotonic() + seconds
        keys = self.keys(units)
        by_name = {unit.module: unit for unit in units}
        done: dict[str, Built] = {}
        failed: dict[str, Built] = {}
        running: dict[Future[Built], str] = {}
        with ThreadPoolExecutor(self.workers) as pool:
            while True:
                started = {*done, *failed, *running.values()}
                for module, unit in by_name.items() if keep_going or not failed else ():
                    if module not in started and all(m in done for m in unit.own):
                        below = [done[m] for m in _below(unit, by_name)]
                        files = (ready or {}).get(module, ())
                        task = pool.submit(self._one, unit, keys[module], below, files, deadline)
                        running[task] = module
                if not running:
                    break
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    module, built = running.pop(future), future.result()
                    (failed if built.folder is None else done)[module] = built
        return [done[u.module] for u in units if u.module in done], list(failed.values())

    def _one(self, unit: Unit, key: str, below: Sequence[Built], files: tuple[Path, ...], deadline: float) -> Built:
        with self._lock:
            lock = self._keys.setdefault(key, threading.Lock())
        with lock:
            known = self._known.get(key)
            if known is None or not known.usable:
                built = self._load(unit, key) or self._make(unit, key, below, files, deadline)
                if built.reason:
                    return built
                self._known[key] = built
            return replace(self._known[key], unit=unit)  # another copy of the project may have built it

    def _load(self, unit: Unit, key: str) -> Built | None:
        folder = self._folder(key)
        try:
            raw = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
            messages = tuple(Message(*row) for row in raw["messages"])
            facts = Facts({str(name): tuple(axioms) for name, axioms in raw["tainted"].items()})
            return Built(unit, key, folder if raw["compiled"] else None, messages, facts)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _make(self, unit: Unit, key: str, below: Sequence[Built], files: tuple[Path, ...], deadline: float) -> Built:
        imported = {name: axioms for built in below for name, axioms in built.facts.tainted.items()}
        messages: tuple[Message, ...] = ()
        parts = _read(files)
        if not parts:
            parts, messages, reason = self._compile(unit, below, deadline - time.monotonic())
            if reason:
                return Built(unit, key, None, messages, Facts({}), reason)
        facts = Facts({})
        if parts:
            try:
                facts = read_facts(parts, self.recipe.toolchain.version, imported)
            except OleanError as error:
                return Built(unit, key, None, messages, facts, f"its compiled file cannot be read: {error}")
        return self._keep(Built(unit, key, self._folder(key) if parts else None, messages, facts), parts)

    def _compile(
        self, unit: Unit, below: Sequence[Built], seconds: float
    ) -> tuple[tuple[bytes, ...], tuple[Message, ...], str]:
        """(compiled files, Lean's messages, why nothing is known)."""
        recipe = self.recipe
        if seconds <= 0:
            return (), (), "the time was over before it was compiled; what was compiled is kept, ask again"
        limits = recipe.limits.within(seconds)
        self.compiled += 1
        with temporary_folder() as work, temporary_folder(shared=True) as tree:
            lay_out(Path(tree), below)
            source = Path(work, *split_name(unit.module)).with_suffix(".lean")
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_bytes(unit.text.encode("utf-8", "surrogatepass"))
            argv = [*recipe.toolchain.lean, *recipe.toolchain.options, "--json", f"-M{recipe.limits.memory >> 20}"]
            argv += [f"-D{key}={value}" for key, value in recipe.options.items()]
            completed = recipe.confinement.run(
                [*argv, "-R", ".", "-o", "out.olean", source.relative_to(work).as_posix()],
                work=Path(work),
                readable=(*recipe.toolchain.readable, Path(tree)),
                env=environment(recipe.toolchain, [Path(tree)]),
                limits=limits,
            )
            made = [take_file(Path(work) / f"out.olean{part}", recipe.limits.file_size) for part in PARTS]
        messages = parse_messages(completed.stdout)
        if completed.timed_out:
            return (), messages, f"Lean did not finish within {limits.wall:.0f} s"
        if made[0] is not None and completed.returncode == 0:
            return tuple(part for part in made if part is not None), messages, ""
        if completed.returncode == 1 and any(m.severity == "error" for m in messages):
            return (), messages, ""
        said = completed.stderr.decode("utf-8", "replace").strip().splitlines()
        return (), messages, f"Lean ended with code {completed.returncode}{': ' + said[-1] if said else ''}"

    def _folder(self, key: str) -> Path:
        return self.store / key[:2] / key

    def _keep(self, built: Built, parts: tuple[bytes, ...]) -> Built:
        """Puts it into the cache by renaming a complete folder; another process may have done the same."""
        target = self._folder(built.key)
        try:
            for folder in (self.store, target.parent):
                folder.mkdir(parents=True, exist_ok=True)
            work = Path(tempfile.mkdtemp(prefix="new-", dir=target.parent))
            try:
                for suffix, part in zip(PARTS, parts, strict=False):
                    publish(work / f"module.olean{suffix}", part)
                publish(work / "facts.json", json.dumps(_as_json(built)).encode())
                work.chmod(0o755)
                with contextlib.suppress(FileExistsError, OSError):
                    work.rename(target)
            finally:
                shutil.rmtree(work, ignore_errors=True)
        except OSError as error:
            raise UnsorryError(
                f"cannot keep compiled files in {self.store}: {error.strerror or error}; free space there or set "
                "UNSORRY_CACHE to another folder"
            ) from None
        if built.folder is not None and not (target / "module.olean").is_file():
            raise UnsorryError(f"cannot keep compiled files in {target}: remove that folder and run again")
        return built


def lay_out(tree: Path, modules: Sequence[Built]) -> None:
    """Makes `tree` a folder that Lean finds these modules in: links to the cache, copies where that cannot be."""
    for built in modules:
        assert built.folder is not None
        base = tree / built.module_path
        base.parent.mkdir(parents=True, exist_ok=True)
        for suffix in PARTS:
            part = built.folder / f"module.olean{suffix}"
            if not part.is_file():
                continue
            target = base.with_name(f"{base.name}.olean{suffix}")
            try:
                os.link(part, target)
            except OSError:
                publish(target, part.read_bytes())
    for folder in [tree, *(f for f in tree.rglob("*") if f.is_dir())]:
        folder.chmod(0o755)  # whatever the umask: a confined process is another user


def _below(unit: Unit, units: Mapping[str, Unit]) -> list[str]:
    """Every module of the project that a unit imports, directly or not."""
    found: dict[str, None] = {}
    todo = list(unit.own)
    while todo:
        module = todo.pop()
        if module not in found:
            found[module] = None
            todo += units[module].own
    return list(found)


def _read(files: tuple[Path, ...]) -> tuple[bytes, ...]:
    try:
        return tuple(file.read_bytes() for file in files)
    except OSError:
        return ()


def _as_json(built: Built) -> dict[str, Any]:
    rows = [[m.severity, m.text, m.line, m.column, m.end_line, m.end_column, m.kind] for m in built.messages]
    return {
        "format": FORMAT, "module": built.unit.module, "compiled": built.folder is not None, "messages": rows,
        "tainted": {name: list(axioms) for name, axioms in built.facts.tainted.items()},
    }  # fmt: skip
