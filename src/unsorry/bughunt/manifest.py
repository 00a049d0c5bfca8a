"""What Cargo.toml says of how a crate is compiled; a crate that needs other crates or a build script is refused."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.bughunt.rustc import Flags

MAX_BYTES = 32 << 20
MAX_FILES = 3000
SKIPPED = {"target", "tests", "benches", "examples", "node_modules", "unsorry_hunt"}


@dataclass(frozen=True, slots=True)
class Manifest:
    """A crate on disk: its files by path relative to `folder`, the root file, how it is compiled."""

    folder: Path
    name: str  # as Rust code writes it
    root: str
    library: bool
    flags: Flags
    sources: dict[str, bytes]


def read_manifest(folder: Path) -> Manifest:
    """Reads a crate.  Raises UnsorryError, one line, for a folder that is none and a crate that is not hunted."""
    path = folder / "Cargo.toml"
    data = _toml(path)
    package = data.get("package")
    if not isinstance(package, dict):
        what = "a workspace, not a crate: name one of its members" if "workspace" in data else "no [package]"
        raise UnsorryError(f"{path}: {what}")
    _refuse_dependencies(path, data)
    script = package.get("build", "build.rs")
    if script is not False and (folder / str(script)).is_file():
        raise UnsorryError(f"{path}: the crate has a build script, {script}; crates with one are not hunted")
    lib = _table(data, "lib")
    if lib.get("proc-macro"):
        raise UnsorryError(f"{path}: a crate of procedural macros is not hunted")
    bins = data.get("bin") if isinstance(data.get("bin"), list) else []
    candidates = [(str(lib.get("path", "src/lib.rs")), True)]
    candidates += [(str(b["path"]), False) for b in bins or [] if isinstance(b, dict) and "path" in b]
    candidates += [("src/main.rs", False)]
    root, library = next(((p, is_lib) for p, is_lib in candidates if (folder / p).is_file()), ("", False))
    if not root:
        raise UnsorryError(f"{path}: there is neither src/lib.rs nor src/main.rs")
    name = str(lib.get("name") or package.get("name", "")).replace("-", "_")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise UnsorryError(f"{path}: {name!r} is no name of a crate")
    sources = _sources(folder)
    if os.path.normpath(root) not in sources:
        raise UnsorryError(f"{path}: {root} is not inside the crate's folder")
    return Manifest(folder, name, os.path.normpath(root), library, _flags(folder, data, package, name), sources)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UnsorryError(f"{path.parent} is no crate: it has no Cargo.toml") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnsorryError(f"{path} cannot be read: {' '.join(str(error).split())}") from None


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _refuse_dependencies(path: Path, data: dict[str, Any]) -> None:
    needed = {n for n, d in _table(data, "dependencies").items() if not (isinstance(d, dict) and d.get("optional"))}
    for target in _table(data, "target").values():
        if isinstance(target, dict):
            needed |= set(_table(target, "dependencies"))
    if needed:
        raise UnsorryError(
            f"{path}: the crate needs {', '.join(sorted(needed))}; only crates without dependencies are hunted"
        )


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


def _sources(folder: Path) -> dict[str, bytes]:
    """The crate's Rust files, and every file under src; links that lead out of the crate are left out."""
    found: dict[str, bytes] = {}
    total = 0
    base = folder.resolve()
    for where, folders, files in os.walk(folder):
        here = Path(where)
        top = here == folder
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (top and f in SKIPPED))
        folders[:] = [f for f in folders if not (here / f / "Cargo.toml").is_file()]
        inside = here != folder and here.relative_to(folder).parts[:1] == ("src",)
        for name in sorted(files):
            path = here / name
            if not (name.endswith(".rs") or inside) or not path.is_file() or not path.resolve().is_relative_to(base):
                continue
            try:
                data = path.read_bytes()
            except OSError as error:
                raise UnsorryError(f"{path} cannot be read: {error.strerror}") from None
            total += len(data)
            if total > MAX_BYTES or len(found) >= MAX_FILES:
                raise UnsorryError(f"{folder}: more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB; this is too large")
            found[str(path.relative_to(folder))] = without_tests(data) if name.endswith(".rs") else data
    return found


def without_tests(data: bytes) -> bytes:
    """A file as it is compiled outside of tests: the crate's own tests may need crates that are not here.

    Every byte keeps its place, but for a byte order mark, which is no part of the text.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    return re.sub(rb"#!?\[\s*cfg(?:_attr)?\s*\([^\]\n]*", lambda m: re.sub(rb"\btest\b", b"tes_", m.group()), text)
