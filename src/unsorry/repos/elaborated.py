"""What Lean made of the declarations of a tree: compiled in the sandbox, read from the compiled files as data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean.embedded import cache_folder
from unsorry.lean.names import Name
from unsorry.lean.process import Confinement, Limits
from unsorry.lean.source import parse, split_name
from unsorry.lean.toolchain import Toolchain
from unsorry.repos import environment
from unsorry.repos.cache import Cache
from unsorry.repos.compiled import CannotBuild, CompiledFile, GaveUp
from unsorry.repos.declarations import LARGEST, Declared, text_of
from unsorry.repos.diff import Fact
from unsorry.repos.objects import Repository
from unsorry.scaffolds.agent.lean.build import Builder, Built, Recipe
from unsorry.scaffolds.agent.lean.modules import Header, Unit, read_header
from unsorry.scaffolds.agent.trees import nameless, with_names

__all__ = ["CannotBuild", "Compiler", "Elaborated"]

LIMITS = Limits(wall=600.0, cpu=1200.0, file_size=64 << 20)
SECONDS = 900.0  # of compiling for one tree
TEXTS = 32 << 20  # characters of files that are kept
MOST = 2000  # files below those that are asked for
_PART = frozenset("/\\\0")


class Compiler:
    """Compiles files of any tree of a history; equal files over equal imports once, in a cache that lasts."""

    def __init__(self, confinement: Confinement, *, cache: Path | None = None, limits: Limits = LIMITS) -> None:
        self.confinement, self.limits = confinement, limits
        self.cache = (cache or cache_folder()) / "projects"
        self._builders: dict[str, tuple[Builder, tuple[str, ...]]] = {}
        self._texts: Cache[_Text] = Cache(TEXTS, lambda text: len(text.text))

    def builder(self, files: environment.Files, toolchain: Toolchain) -> tuple[Builder, tuple[str, ...]]:
        """For an environment; with the folders in which its module names begin."""
        key = files.environment.key
        if key not in self._builders:
            roots, options = environment.layout(files, toolchain)
            recipe = Recipe(toolchain, self.confinement, self.limits, options, key)
            self._builders[key] = Builder(recipe, self.cache / recipe.digest()[:16]), roots
        return self._builders[key]

    def compile(
        self, repository: Repository, tree: str, project: str, paths: Sequence[str], files: environment.Files,
        toolchain: Toolchain,
    ) -> Elaborated:  # fmt: skip
        """The files at `paths` and all that they import; raises CannotBuild, and Unreadable."""
        builder, roots = self.builder(files, toolchain)
        found = _Tree(repository, tree, project, roots, toolchain, self._texts)
        units = found.units(paths)
        built, failed = builder.build(units, SECONDS)
        if failed:
            raise (GaveUp if failed[0].reason else CannotBuild)(_why(failed[0]))
        return Elaborated({b.unit.module: b for b in built}, found, builder, toolchain.version)


def _why(failed: Built) -> str:
    if failed.reason:
        return f"{failed.unit.module}: {failed.reason}"
    first = next((m for m in failed.messages if m.severity == "error"), None)
    said = " ".join(first.text.split())[:200] if first else "it does not compile"
    return f"{failed.unit.module} does not compile: {'line ' + str(first.line) + ': ' if first else ''}{said}"


@dataclass(frozen=True, slots=True)
class _Text:
    """A file as it is compiled."""

    text: str
    digest: str
    header: Header

    @classmethod
    def of(cls, data: bytes) -> _Text:
        try:
            text = text_of(data).replace("\r\n", "\n")
        except UnsorryError as error:
            raise CannotBuild(str(error)) from None
        return cls(text, hashlib.sha256(text.encode()).hexdigest(), read_header(text))


@dataclass(slots=True)
class _Tree:
    """Modules of a tree in the repository; no file of it is written anywhere."""

    repository: Repository
    tree: str
    project: str
    roots: tuple[str, ...]
    toolchain: Toolchain
    texts: Cache[_Text]
    modules: dict[str, str] = field(default_factory=dict)  # path -> module

    def units(self, paths: Sequence[str]) -> list[Unit]:
        """The files and what they import, imports first."""
        done: dict[str, Unit] = {}
        entered: set[str] = set()
        todo: list[tuple[str, Unit | None]] = [(self._module(path), None) for path in reversed(paths)]
        while todo:
            module, ready = todo.pop()
            if ready is not None:
                done[module] = ready
                entered.discard(module)
                continue
            if module in done:
                continue
            if module in entered:
                raise CannotBuild(f"{module} imports itself")
            if len(done) + len(entered) > MOST:
                raise CannotBuild(f"more than {MOST} files are below those of the pull request")
            unit = self._unit(module)
            entered.add(module)
            todo.append((module, unit))
            todo += [(name, None) for name in reversed(unit.own) if name not in done]
        return list(done.values())

    def _module(self, path: str) -> str:
        inside = path.removeprefix(f"{self.project}/") if self.project else path
        for root in sorted(self.roots, key=len, reverse=True):
            prefix = "" if root == "." else f"{root}/"
            if inside.startswith(prefix):
                parts = inside.removeprefix(prefix).removesuffix(".lean").split("/")
                module = ".".join(part if part.isidentifier() else f"«{part}»" for part in parts)
                self.modules[path] = module
                return module
        raise CannotBuild(f"{path} is in none of the folders {', '.join(self.roots)}")

    def path_of(self, module: str) -> str:
        """The file of a module of the project, "" where it has none."""
        parts = [part.strip("«»") for part in split_name(module)]
        if not parts or any(part in ("", ".", "..") or _PART & set(part) for part in parts):
            return ""
        for root in self.roots:
            folders = [f for f in (self.project, "" if root == "." else root) if f]
            path = "/".join([*folders, *parts]) + ".lean"
            entry = self.repository.find(self.tree, path)
            if entry is not None and entry.is_file:
                return path
        return ""

    def _unit(self, module: str) -> Unit:
        path = self.path_of(module)
        if not path:
            raise CannotBuild(f"there is no file of the module {module}")
        entry = self.repository.find(self.tree, path)
        assert entry is not None
        try:
            text = self.texts.get(entry.id, lambda: _Text.of(self.repository.blob(entry.id, LARGEST)))
        except CannotBuild as error:
            raise CannotBuild(f"{path}: {error}") from None
        return self._as_unit(module, text, path)

    def unit(self, module: str, text: str, path: str) -> Unit:
        """A text as a module; raises CannotBuild where it imports what is not there."""
        return self._as_unit(module, _Text.of(text.encode()), path)

    def _as_unit(self, module: str, text: _Text, path: str) -> Unit:
        own = []
        for name, line in text.header.imports:
            if self.path_of(name):
                own.append(name)
            elif not self._in_library(name):
                raise CannotBuild(f"{path}:{line} imports {name}, which is neither in the tree nor compiled here")
        return Unit(module, Path(path), text.text, text.digest, tuple(dict.fromkeys(own)), text.header)

    def _in_library(self, module: str) -> bool:
        parts = [part.strip("«»") for part in split_name(module)]
        return bool(parts) and any(
            folder.joinpath(*parts[:-1], parts[-1] + ".olean").is_file() for folder in self.toolchain.library
        )


class Elaborated:
    """The compiled files of one tree."""

    def __init__(self, built: Mapping[str, Built], tree: _Tree, builder: Builder, version: str) -> None:
        self._built, self._tree, self._builder, self._version = built, tree, builder, version
        self._files: dict[str, CompiledFile] = {}

    @property
    def built(self) -> tuple[Built, ...]:
        """The modules, imports first."""
        return tuple(self._built.values())

    def fact(self, path: str, declared: Declared, renamed: Mapping[str, str]) -> Fact | None:
        """None for a name that Lean did not declare, or that is written in a way that the text does not tell."""
        module = self._module(path)
        name = module.names.get(declared.name.replace("«", "").replace("»", "")) if declared.name else None
        return module.fact(name, renamed) if name is not None else None

    def _module(self, path: str) -> CompiledFile:
        if path not in self._files:
            self._files[path] = CompiledFile(self._built[self._tree.modules[path]], self._version)
        return self._files[path]

    def instances(self, path: str, text: str, known: Sequence[str]) -> dict[int, str]:
        """The names that Lean gave to the nameless instances of a file, by the index of their commands.

        The file is compiled once more, with names of ours; what is otherwise the same has Lean's.
        """
        source = parse(text.replace("\r\n", "\n"))
        wanted = [one for one in nameless(source).values() if source.commands[one.index].kind == "instance"]
        if not wanted:
            return {}
        built = self._built[self._tree.modules[path]]
        try:
            unit = self._tree.unit(built.unit.module, with_names(source, wanted), path)
        except CannotBuild:
            return {}
        below = [b.unit for b in self._built.values() if b.unit.module != unit.module]
        made, failed = self._builder.build([*below, unit], SECONDS)
        if failed:
            return {}
        ours = CompiledFile(next(b for b in made if b.unit.module == unit.module), self._version)
        theirs = self._module(path)
        told = set(known)
        free = {n: full for n, full in theirs.names.items() if n not in told and _last(full).startswith("inst")}
        found: dict[int, str] = {}
        renamed: dict[str, str] = {}
        more = True
        while more:
            more = False
            for one in wanted:
                alias = ours.names.get(one.full.replace("«", "").replace("»", ""))
                if alias is None or one.index in found:
                    continue
                fact = ours.fact(alias, renamed)
                same = [n for n, full in free.items() if _alike(theirs.fact(full, {}), fact)]
                if len(same) == 1:
                    found[one.index] = same[0]
                    renamed[one.full] = same[0]
                    del free[same[0]]
                    more = True
        return found


def _alike(first: Fact, second: Fact) -> bool:
    return (first.type_digest, first.value_digest) == (second.type_digest, second.value_digest)


def _last(name: Name) -> str:
    return str(name[-1]) if name else ""
