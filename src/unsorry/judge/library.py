"""The modules that a problem imports: the toolchain's own files, trusted, read only as far as they are asked for.

Whatever a plain file imports, it imports with everything below, private parts included, whether a module on the way
says `public import`, `meta import`, `import all` or just `import`; so does a scope.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.declarations import ConstructorInfo, Declaration, InductiveInfo, Kind, Safety
from unsorry.lean.names import Name
from unsorry.lean.olean import OleanError, Reader
from unsorry.lean.olean_image import PARTS, is_module
from unsorry.lean.terms import Arena
from unsorry.lean.toolchain import Toolchain


@dataclass(frozen=True, slots=True)
class Trail:
    """What a constant rests on: axioms, and constants outside the logic (unsafe or partial)."""

    axioms: frozenset[Name] = frozenset()
    unsafe: frozenset[Name] = frozenset()

    def __or__(self, other: Trail) -> Trail:
        if self.axioms >= other.axioms and self.unsafe >= other.unsafe:
            return self
        return Trail(self.axioms | other.axioms, self.unsafe | other.unsafe)


class Library:
    """Finds and opens the modules of a toolchain; one for each toolchain, used from any thread."""

    def __init__(self, toolchain: Toolchain) -> None:
        self.toolchain = toolchain
        self._readers: dict[Name, Reader] = {}
        self._paths: dict[Name, tuple[Path, ...]] = {}
        self._arena = Arena()  # one for all modules, so that equal types are identical
        self._scopes: dict[frozenset[Name], Scope] = {}
        self._lock = threading.Lock()

    def scope(self, modules: Iterable[Name]) -> Scope:
        """The modules and everything they import; raises UnsorryError if one is missing or cannot be read."""
        wanted = frozenset(modules)
        with self._lock:
            if wanted not in self._scopes:
                self._scopes[wanted] = Scope(
                    {m: self._readers[m] for m in self._order(wanted)}, self._paths, self._lock
                )
            return self._scopes[wanted]

    def _order(self, wanted: Iterable[Name]) -> list[Name]:
        """The modules below `wanted`, imports first."""
        order: dict[Name, None] = {}
        todo = [(module, False) for module in sorted(wanted, key=str, reverse=True)]
        while todo:
            module, ready = todo.pop()
            if module in order:
                continue
            if ready:
                order[module] = None
                continue
            todo.append((module, True))
            todo.extend((i.module, False) for i in reversed(self._open(module).imports) if i.module not in order)
        return list(order)

    def _open(self, module: Name) -> Reader:
        if module not in self._readers:
            path = self._find(module)
            try:
                files = {path: _bytes(path)}
                if is_module(files[path]):
                    parts = [path.with_name(path.name + suffix) for suffix in PARTS]
                    files = {part: files[path] if part == path else _bytes(part) for part in parts}
                reader = Reader(*files.values(), arena=self._arena, version=self.toolchain.version)
            except OleanError as error:
                raise unusable(path, error) from None
            self._readers[module], self._paths[module] = reader, tuple(files)
        return self._readers[module]

    def _find(self, module: Name) -> Path:
        parts = [str(part) for part in module]
        if parts and all(part not in ("", ".", "..") and "/" not in part and "\0" not in part for part in parts):
            for folder in self.toolchain.library:
                path = folder.joinpath(*parts[:-1], parts[-1] + ".olean")
                if path.is_file():
                    return path
        raise UnsorryError(
            f"module {module} is not in the library: searched {', '.join(map(str, self.toolchain.library))}"
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnsorryError(
            f"{path} cannot be read ({error.strerror}): install the toolchain again, or rebuild the module's package"
        ) from None


def unusable(path: Path, error: OleanError) -> UnsorryError:
    return UnsorryError(f"{path} cannot be used: {error}; rebuild it with the toolchain's Lean")


class Scope:
    """What is in reach of some imports: constants by name, where they come from, what they rest on."""

    def __init__(
        self, readers: Mapping[Name, Reader], paths: Mapping[Name, tuple[Path, ...]], lock: threading.Lock
    ) -> None:
        self.modules = tuple(readers)  # imports first
        self.paths = tuple(path for m in readers for path in paths[m])  # each module's parts in Lean's order
        self._paths = paths
        self._lock = lock
        self._readers = readers
        self._module_of: dict[Name, Name] = {}
        for module, reader in readers.items():
            for name in reader.names:
                other = self._module_of.setdefault(name, module)
                if other != module and not self._same_theorem(name, other, module):
                    raise UnsorryError(f"modules {other} and {module} both declare {name}: import only one of them")
        self._known: dict[Name, Declaration] = {}
        self._trails: dict[Name, Trail] = {}

    def __contains__(self, name: Name) -> bool:
        return name in self._module_of

    @property
    def names(self) -> Iterable[Name]:
        """Every constant in reach."""
        return self._module_of.keys()

    @property
    def digests(self) -> Iterator[bytes]:
        """sha256 of each module's bytes, as they were read, imports first."""
        return (reader.digest for reader in self._readers.values())

    def module_of(self, name: Name) -> Name | None:
        return self._module_of.get(name)

    def find(self, name: Name) -> Declaration | None:
        """The declaration, read from the file when it is first asked for."""
        if name not in self._module_of:
            return None
        with self._lock:
            return self._read(name)

    def _read(self, name: Name) -> Declaration:
        if name not in self._known:
            self._known[name] = self._declaration(self._module_of[name], name)
        return self._known[name]

    def _declaration(self, module: Name, name: Name) -> Declaration:
        try:
            return self._readers[module].declaration(name)
        except OleanError as error:
            raise unusable(self._paths[module][0], error) from None

    def _same_theorem(self, name: Name, *modules: Name) -> bool:
        """Lean makes some lemmas where they are first needed, and lets two modules declare one theorem."""
        first, second = (self._declaration(module, name) for module in modules)
        return (
            first.kind is second.kind is Kind.THEOREM
            and first.level_params == second.level_params
            and first.type is second.type
        )

    def trail(self, name: Name) -> Trail:
        """What a constant of the library rests on, computed once.

        Circles exist only inside families, which are treated as one, and among unsafe constants, which are refused.
        """
        with self._lock:
            families: dict[Name, _Family] = {}
            entered: set[Name] = set()
            todo = [name]
            while todo:
                current = todo[-1]
                if current in self._trails:
                    todo.pop()
                    continue
                family = families.get(current) or families.setdefault(current, self._family(current))
                if current not in entered:
                    entered |= family.names
                    todo.extend(d for d in family.dependencies if d not in self._trails and d not in entered)
                else:
                    todo.pop()
                    trail = family.own
                    for dependency in family.dependencies:
                        trail = trail | self._trails.get(dependency, Trail())
                    for member in family.names:
                        self._trails[member] = trail
            return self._trails[name]

    def _family(self, name: Name) -> _Family:
        """An inductive family rests on the same things as each of its members."""
        members = [self._outline(name)]
        info = members[0][0].info
        if info is not None:
            head = self._outline(info.inductive if isinstance(info, ConstructorInfo) else info.all[0])[0]
            assert isinstance(head.info, InductiveInfo)
            for type_ in map(self._outline, head.info.all):
                assert isinstance(type_[0].info, InductiveInfo)
                members += [type_, *map(self._outline, type_[0].info.constructors)]
        names = frozenset(d.name for d, _ in members)
        return _Family(
            names,
            frozenset(name for _, used in members for name in used) - names,
            Trail(
                frozenset(d.name for d, _ in members if d.kind is Kind.AXIOM),
                frozenset(d.name for d, _ in members if d.safety is not Safety.SAFE),
            ),
        )

    def _outline(self, name: Name) -> tuple[Declaration, frozenset[Name]]:
        module = self._module_of[name]
        try:
            return self._readers[module].outline(name)
        except OleanError as error:
            raise unusable(self._paths[module][0], error) from None


@dataclass(frozen=True, slots=True)
class _Family:
    names: frozenset[Name]
    dependencies: frozenset[Name]
    own: Trail
