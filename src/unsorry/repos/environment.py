"""What a tree is built with: the project's folder in it, and one key for toolchain, manifest and lakefile."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.lean import toolchain as toolchains
from unsorry.lean.toolchain import Toolchain
from unsorry.repos.objects import TREE, Repository, Unreadable
from unsorry.repos.tasks import Environment

FILES = ("lean-toolchain", "lake-manifest.json", "lakefile.lean", "lakefile.toml")
LAKEFILES = ("lakefile.lean", "lakefile.toml")
LARGEST = 4 << 20  # bytes of one of them
MOST_FOLDERS = 500  # of the top that are looked into for a project


@dataclass(frozen=True, slots=True)
class Files:
    """The contents of those of FILES that a tree has."""

    contents: tuple[tuple[str, bytes], ...]

    @property
    def environment(self) -> Environment:
        digest = hashlib.sha256()
        for name, data in self.contents:
            digest.update(f"{name}\0{len(data)}\0".encode() + data)
        toolchain = dict(self.contents).get("lean-toolchain", b"")
        return Environment(digest.hexdigest(), " ".join(toolchain.decode("utf-8", "replace").split())[:200])


def read(repository: Repository, tree: str, project: str) -> Files:
    """Raises Unreadable."""
    found = []
    for name in FILES:
        entry = repository.find(tree, f"{project}/{name}" if project else name)
        if entry is not None and entry.is_file:
            found.append((name, repository.blob(entry.id, LARGEST)))
    return Files(tuple(found))


def paths(project: str) -> frozenset[bytes]:
    """Where in a tree the files are that make a change of environment."""
    return frozenset(os.fsencode(f"{project}/{name}" if project else name) for name in FILES)


def find_project(repository: Repository, tree: str) -> str:
    """The folder of the Lean project in a tree: the top, else the only folder at the top with a lakefile."""
    top = repository.tree(tree)
    names = {os.fsencode(name) for name in (*LAKEFILES, "lean-toolchain")}
    if names & top.keys():
        return ""
    found = []
    for name, entry in list(top.items())[:MOST_FOLDERS]:
        if entry.mode == TREE:
            try:
                inner = repository.tree(entry.id)
            except Unreadable:
                continue
            if any(os.fsencode(lakefile) in inner for lakefile in LAKEFILES):
                found.append(name)
    if len(found) != 1:
        return ""
    try:
        return found[0].decode()
    except UnicodeDecodeError:
        return ""


class Toolchains:
    """The Lean that each environment is built with, found once; nothing is installed, no lakefile of a tree is run.

    `given` is taken for every tree that does not ask for another version.  `home` is a checkout that the user trusts,
    with its packages compiled: for trees whose environment it has, Lake is asked there, and runs its lakefile.
    `environments` holds compiled packages for each environment (packages.py).
    """

    def __init__(
        self, given: Toolchain | None = None, home: Path | None = None, environments: Path | None = None
    ) -> None:
        self.home, self.given, self.environments = home, given, environments
        self._found: dict[str, tuple[Toolchain | None, str]] = {}

    def find(self, files: Files) -> tuple[Toolchain | None, str]:
        """(toolchain, "") or (None, why there is none)."""
        key = files.environment.key
        if key not in self._found:
            try:
                self._found[key] = self._with_packages(files, self._look(files)), ""
            except UnsorryError as error:
                self._found[key] = None, str(error)
        return self._found[key]

    def _look(self, files: Files) -> Toolchain:
        asked = files.environment.toolchain
        if self.given is not None:
            if asked and self.given.kind == "embedded" and not _means(asked, self.given.version):
                raise UnsorryError(f"the tree asks for {asked}, the embedded Lean is {self.given.version}")
            return self.given
        if self._same_as_now(files):
            return toolchains.find(self.home)
        with tempfile.TemporaryDirectory(prefix="unsorry-toolchain-") as name:
            if asked:
                Path(name, "lean-toolchain").write_text(asked + "\n", encoding="utf-8")
            try:
                found = toolchains.find(Path(name))
            except UnsorryError:
                found = toolchains.embedded()
                if not _means(asked, found.version):
                    raise UnsorryError(f"the tree asks for {asked}, which is not installed here") from None
        return found

    def _with_packages(self, files: Files, toolchain: Toolchain) -> Toolchain:
        if self.environments is None or toolchain.kind == "lake":  # Lake told where its packages are
            return toolchain
        from unsorry.repos import packages

        return packages.within(self.environments, files, toolchain)

    def _same_as_now(self, files: Files) -> bool:
        home = self.home
        try:
            now = tuple((n, (home / n).read_bytes()) for n in FILES if (home / n).is_file()) if home else ()
        except OSError:
            return False
        return bool(now) and now == files.contents


def _means(asked: str, version: str) -> bool:
    """Whether `leanprover/lean4:v4.35.0` names the version 4.35.0."""
    return asked.rpartition(":")[2].lstrip("v") == version


def layout(files: Files, toolchain: Toolchain) -> tuple[tuple[str, ...], dict[str, str]]:
    """(folders in which module names begin, Lean options), as far as the lakefile tells them without being run."""
    from unsorry.scaffolds.agent.lean import lake

    with tempfile.TemporaryDirectory(prefix="unsorry-lakefile-") as name:
        for file, data in files.contents:
            Path(name, file).write_bytes(data)
        try:
            found = lake.of(Path(name), replace(toolchain, kind="embedded"))  # for that kind no program is asked
        except UnsorryError:
            found = None
    if found is None:
        return (".", "src"), {}
    return tuple(_inside(root) for root in found.roots), dict(found.options)


def _inside(root: str) -> str:
    """A folder of sources below the project; one that leads outside is the project itself."""
    plain = os.path.normpath(root)
    return "." if plain.startswith(("/", "..")) else plain
