"""What Cargo.toml says of a crate: its name and edition, its root file, how it is compiled, what it needs."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.bughunt.crate import read_files, source_hash, without_tests
from unsorry.bughunt.rustc import Flags

MAX_MANIFEST = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """A crate on disk before its code is read: its files by path relative to `folder`, how it is compiled."""

    folder: Path
    name: str  # as Rust code writes it, `-` replaced
    package: str
    root: str  # lib.rs or main.rs, relative
    library: bool
    flags: Flags
    sources: dict[str, bytes]  # as they are compiled outside of tests
    source_hash: str  # SHA-256 over Cargo.toml and all .rs files
    dependencies: tuple[str, ...] = ()  # of the default features
    build_script: str = ""

    @property
    def edition(self) -> str:
        return self.flags.edition


def read_manifest(folder: Path) -> Manifest:
    """Reads a crate.  Raises UnsorryError, one line, for a folder that is none, and a workspace without a package."""
    folder = folder.resolve()
    path = folder / "Cargo.toml"
    if not path.is_file():
        raise UnsorryError(f"{folder} is no crate: it has no Cargo.toml")
    data = _toml(path)
    package = data.get("package")
    if not isinstance(package, dict):
        members = _table(data, "workspace").get("members")
        named = ", ".join(map(str, members[:5])) if isinstance(members, list) and members else "its members"
        hint = f"; it is a workspace: give one of {named}" if "workspace" in data else ""
        raise UnsorryError(f"{path}: no [package]{hint}")
    lib = _table(data, "lib")
    if lib.get("proc-macro") or lib.get("proc_macro"):
        raise UnsorryError(f"{path}: a crate of procedural macros is not hunted")
    sources = read_files(folder)
    root, library = _root(path, data, lib, sources)
    name = str((library and lib.get("name")) or package.get("name", "")).replace("-", "_")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise UnsorryError(f"{path}: {name!r} is no name of a crate")
    script = package.get("build", "build.rs")
    return Manifest(
        folder,
        name,
        str(package.get("name", name)),
        root,
        library,
        _flags(folder, data, package, name),
        {f: without_tests(text) if f.endswith(".rs") else text for f, text in sources.items()},
        source_hash(path.read_bytes(), sources),
        _dependencies(data),
        str(script) if script is not False and (folder / str(script)).is_file() else "",
    )


def _root(path: Path, data: dict[str, Any], lib: dict[str, Any], sources: dict[str, bytes]) -> tuple[str, bool]:
    """The file that the crate begins with, and whether it is a library, which comes before a program."""
    bins = data.get("bin")
    choices = [(str(lib.get("path", "src/lib.rs")), True)]
    choices += [(str(b["path"]), False) for b in (bins if isinstance(bins, list) else []) if _has_path(b)]
    choices.append(("src/main.rs", False))
    for name, library in choices:
        if (normal := os.path.normpath(name).replace(os.sep, "/")) in sources:
            return normal, library
    raise UnsorryError(f"{path}: there is neither src/lib.rs nor src/main.rs, nor another root inside of the folder")


def _has_path(table: object) -> bool:
    return isinstance(table, dict) and isinstance(table.get("path"), str)


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_MANIFEST:
            raise UnsorryError(f"{path}: more than {MAX_MANIFEST} bytes")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnsorryError(f"{path}: not TOML: {' '.join(str(error).split())[:120]}") from None
    except OSError as error:
        raise UnsorryError(f"{path} cannot be read: {error.strerror}") from None


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _dependencies(data: dict[str, Any]) -> tuple[str, ...]:
    """What cargo would fetch, on any target, for the default features; rustc may do without."""
    table, listed = _table(data, "features"), _table(data, "dependencies")
    enabled = {str(n).removeprefix("dep:").split("/")[0] for f in _features(table) for n in table[f]}
    needed = {n for n, d in listed.items() if not (isinstance(d, dict) and d.get("optional")) or n in enabled}
    for target in _table(data, "target").values():
        if isinstance(target, dict):
            needed |= set(_table(target, "dependencies"))
    return tuple(sorted(needed))


def _flags(folder: Path, data: dict[str, Any], package: dict[str, Any], name: str) -> Flags:
    edition, version = package.get("edition", "2015"), package.get("version", "0.0.0")
    inherited = _inherited(folder) if isinstance(edition, dict) or isinstance(version, dict) else {}
    edition = str(inherited.get("edition", "2021") if isinstance(edition, dict) else edition)
    version = str(inherited.get("version", "0.0.0") if isinstance(version, dict) else version)
    if edition not in ("2015", "2018", "2021", "2024"):
        raise UnsorryError(f"{folder / 'Cargo.toml'}: unknown edition {edition!r}")
    profiles = _table(data, "profile")
    dev, release = _table(profiles, "dev"), _table(profiles, "release")
    assertions = bool(dev.get("debug-assertions", True)), bool(release.get("debug-assertions", False))
    parts = [*re.split(r"[.+-]", version), "0", "0", "0"][:3]
    return Flags(
        edition,
        name,
        _features(_table(data, "features")),
        bool(dev.get("overflow-checks", assertions[0])),
        assertions[0],
        bool(release.get("overflow-checks", assertions[1])),
        assertions[1],
        (
            ("CARGO_PKG_NAME", str(package.get("name", name))),
            ("CARGO_PKG_VERSION", version),
            *((f"CARGO_PKG_VERSION_{k}", v) for k, v in zip(("MAJOR", "MINOR", "PATCH"), parts, strict=True)),
            ("CARGO_CRATE_NAME", name),
        ),
    )


def _inherited(folder: Path) -> dict[str, Any]:
    """`[workspace.package]` of the nearest workspace above."""
    for parent in folder.resolve().parents:
        if (parent / "Cargo.toml").is_file():
            workspace = _table(_toml(parent / "Cargo.toml"), "workspace")
            if workspace:
                return _table(workspace, "package")
    return {}


def _features(table: dict[str, Any]) -> tuple[str, ...]:
    """The default features and what they turn on."""
    found: dict[str, None] = {}
    waiting = ["default"]
    while waiting:
        name = waiting.pop()
        if name in found or not isinstance(table.get(name), list):
            continue
        found[name] = None
        waiting += [n for n in table[name] if isinstance(n, str)]
    return tuple(found)
