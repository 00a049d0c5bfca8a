"""The packages that a project needs, compiled once for each environment by the user: found, checked, put in reach.

    DIR/KEY/lean-toolchain, lakefile.*, lake-manifest.json   the environment's own files, as the tasks have them
    DIR/KEY/.lake/packages/NAME/.lake/build/lib/lean         what Lake compiled of a package

Nothing is fetched or built here: Lake runs a repository's lakefile, so that is left to the user, who is told the
command.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.lean.source import split_name
from unsorry.lean.toolchain import Toolchain, sha256
from unsorry.repos.environment import Files
from unsorry.repos.tasks import write_file

MANIFEST = "lake-manifest.json"
PACKAGES = ".lake/packages"
COMPILED = (".lake/build/lib/lean", ".lake/build/lib")  # the second of older Lakes
_REQUIRE = re.compile(r"^\s*require\b", re.MULTILINE)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Missing(UnsorryError):
    """An environment that is not there, or not whole: nothing is known of its tasks."""

    def __init__(self, key: str, why: str, command: str = "") -> None:
        super().__init__(f"environment missing: {why}{f'; make it with: {command}' if command else ''}")
        self.key = key


@dataclass(frozen=True, slots=True)
class Package:
    """An entry of a manifest; `kind` is `git` or `path`, `rev` the commit, "" where none is told."""

    name: str
    kind: str = "git"
    rev: str = ""


def needed(files: Files) -> tuple[Package, ...]:
    """The packages that a tree's manifest names; raises Missing where it cannot be told which these are."""
    contents, key = dict(files.contents), files.environment.key
    if MANIFEST not in contents:
        if _requires(contents):
            raise Missing(key, f"the lakefile requires packages, and there is no {MANIFEST} that says which versions")
        return ()
    try:
        return _packages(contents[MANIFEST])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Missing(key, f"{MANIFEST} of the task cannot be read: {error}") from None


def _packages(data: bytes) -> tuple[Package, ...]:
    raw = json.loads(data)
    folder = raw.get("packagesDir") or PACKAGES
    found = []
    for entry in raw.get("packages") or []:
        kind = next((k for k in ("git", "path") if isinstance(entry.get(k), dict)), "")  # older manifests nest it
        table: Mapping[str, Any] = entry[kind] if kind else entry
        name = str(table["name"]).strip("«»")
        if not name or name in (".", "..") or "/" in name or "\0" in name:
            raise ValueError(f"{name!r} is no name of a package")
        found.append(Package(name, kind or str(table.get("type", "git")), str(table.get("rev") or "")))
    if found and os.path.normpath(folder) != PACKAGES:
        raise ValueError(f"packagesDir is {folder!r}, only {PACKAGES} is known")
    return tuple(found)


def _requires(contents: Mapping[str, bytes]) -> bool:
    try:
        if tomllib.loads(contents.get("lakefile.toml", b"").decode("utf-8", "replace")).get("require"):
            return True
    except tomllib.TOMLDecodeError:
        return False
    return bool(_REQUIRE.search(contents.get("lakefile.lean", b"").decode("utf-8", "replace")))


def folder(environments: Path, files: Files) -> Path:
    """Where an environment's compiled packages are, or would be."""
    return environments.absolute() / files.environment.key / PACKAGES


def command(environments: Path, files: Files) -> str:
    """What makes an environment, once `prepare` has written its files; it runs the repository's lakefile."""
    names = [package.name for package in _told(files)]
    get = "lake exe cache get && " if "mathlib" in names else ""
    where = shlex.quote(str(environments.absolute() / files.environment.key))
    return f"cd {where} && {get}lake build {' '.join(shlex.quote('@' + name) for name in names)}"


def _told(files: Files) -> tuple[Package, ...]:
    try:
        return needed(files)
    except Missing:
        return ()


def prepare(environments: Path, files: Files) -> None:
    """Writes an environment's own files where its folder is not there yet; raises UnsorryError."""
    home = environments.absolute() / files.environment.key
    if not home.exists():
        for name, data in files.contents:
            write_file(home / name, data)


def within(environments: Path | None, files: Files, toolchain: Toolchain) -> Toolchain:
    """The toolchain with a tree's packages in reach, behind its own library; raises Missing."""
    wanted, key = needed(files), files.environment.key
    if not wanted:
        return toolchain
    if environments is None:
        names = ", ".join(package.name for package in wanted[:5]) + (", ..." if len(wanted) > 5 else "")
        raise Missing(key, f"it needs {names}; name the folder of compiled packages with --environments DIR")
    home = environments.absolute() / key
    told = command(environments, files)
    _same(home, key, wanted, told)
    compiled = tuple(_compiled(home, key, package, told) for package in wanted)
    library = (*toolchain.library, *compiled)
    return replace(
        toolchain, library=library, env={**toolchain.env, "LEAN_PATH": os.pathsep.join(map(str, library))},
        readable=(*toolchain.readable, *compiled), digest=sha256(toolchain.digest, key, *map(_listing, compiled)),
    )  # fmt: skip


def _same(home: Path, key: str, wanted: Sequence[Package], told: str) -> None:
    """The folder is that of these packages, and not one that was updated since."""
    if not home.is_dir():
        raise Missing(key, f"there is no {home}", told)
    try:
        there = _packages((home / MANIFEST).read_bytes())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Missing(key, f"{home / MANIFEST} cannot be read: {error}", told) from None
    if {(p.name, p.rev) for p in there} != {(p.name, p.rev) for p in wanted}:
        raise Missing(key, f"{home / MANIFEST} names other packages than the task's: remove {home}", told)


def _compiled(home: Path, key: str, package: Package, told: str) -> Path:
    """The folder with a package's compiled files."""
    if package.kind == "path":
        raise Missing(key, f"the package {package.name} is a folder of the repository: such packages are not supported")
    source = next((p for n in (package.name, f"«{package.name}»") if (p := home / PACKAGES / n).is_dir()), None)
    found = next((p for c in COMPILED if source and (p := source / c).is_dir()), None)
    if source is None or found is None:
        raise Missing(key, f"{package.name} is not compiled in {home}", told)
    head = _head(source)
    if package.rev and head and package.rev != head:
        raise Missing(key, f"{source} is at {head[:12]}, the task's manifest asks for {package.rev[:12]}", told)
    return found.resolve()


def _head(source: Path) -> str:
    """The commit of a package that Lake checked out, "" where it is not told."""
    try:
        said = (source / ".git" / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
    return said if _COMMIT.fullmatch(said) else ""


def _listing(compiled: Path) -> str:
    """What is compiled, without reading it: names, sizes, times."""
    lines = []
    for where, folders, names in os.walk(compiled):
        folders.sort()
        for name in sorted(name for name in names if ".olean" in name):
            facts = os.stat(os.path.join(where, name))
            lines.append(f"{os.path.relpath(where, compiled)}/{name}\0{facts.st_size}\0{facts.st_mtime_ns}")
    return sha256(*lines)


def holds(library: Sequence[Path], module: str) -> bool:
    """Whether a module is compiled in one of these folders."""
    parts = [part.strip("«»") for part in split_name(module)]
    if not parts or any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
        return False
    return any(where.joinpath(*parts[:-1], f"{parts[-1]}.olean").is_file() for where in library)


def link(environments: Path, files: Files, project: Path) -> None:
    """Shows an agent the packages where Lake would have them; `project` is in a repository of ours with one commit."""
    place, wanted = project / PACKAGES, folder(environments, files).resolve()
    try:
        top = next(p for p in (project, *project.parents) if (p / ".git").is_dir())
        write_file(top / ".git" / "info" / "exclude", b".lake\n")
        if place.is_symlink() and Path(os.readlink(place)) != wanted:
            place.unlink()
        if not place.is_symlink() and not place.exists():
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(wanted)
    except OSError as error:
        raise UnsorryError(f"cannot link {place} to {wanted}: {error.strerror or error}") from None
