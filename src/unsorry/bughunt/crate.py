"""What Cargo.toml and the files of a crate say: name, edition, entry, a hash of the sources, examples in the docs."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from unsorry import UnsorryError

MAX_SOURCES = 20_000  # files
MAX_MANIFEST = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class CrateFacts:
    """A crate before its code is read."""

    root: Path
    name: str  # as Rust code writes it, `-` replaced
    package: str
    version: str
    edition: str
    kind: Literal["lib", "bin"]
    entry: Path  # lib.rs or main.rs
    dependencies: tuple[str, ...]
    build_script: bool
    overflow_checks: bool | None  # what [profile.release] says
    source_hash: str  # SHA-256 over Cargo.toml and all .rs files


@dataclass(frozen=True, slots=True)
class DocExample:
    """A code block in documentation that rustdoc would run."""

    code: str  # without the `# ` of hidden lines, which are kept
    flags: tuple[str, ...]  # `should_panic`, `no_run`, …
    line: int  # within the docs, from 1


def read_facts(folder: Path) -> CrateFacts:
    """The facts of the crate in `folder`.  Raises UnsorryError if there is none, or a workspace without a package."""
    root = folder.resolve()
    manifest = root / "Cargo.toml"
    if not manifest.is_file():
        raise UnsorryError(f"{folder}: no Cargo.toml here; give the folder of a crate")
    data = _manifest(manifest)
    package = data.get("package")
    if not isinstance(package, dict) or not isinstance(package.get("name"), str):
        members = data.get("workspace", {}).get("members", []) if isinstance(data.get("workspace"), dict) else []
        hint = f"; it is a workspace: give one of {', '.join(map(str, members[:5]))}" if members else ""
        raise UnsorryError(f"{manifest}: no [package] with a name{hint}")
    lib = data.get("lib") if isinstance(data.get("lib"), dict) else {}
    assert isinstance(lib, dict)
    kind, entry = _entry(root, lib, data)
    name = lib.get("name") if kind == "lib" and isinstance(lib.get("name"), str) else package["name"]
    release = data.get("profile", {}).get("release", {}) if isinstance(data.get("profile"), dict) else {}
    checks = release.get("overflow-checks") if isinstance(release, dict) else None
    return CrateFacts(
        root=root,
        name=str(name).replace("-", "_"),
        package=package["name"],
        version=_text(package.get("version"), "0.0.0"),
        edition=_text(package.get("edition"), "2015"),
        kind=kind,
        entry=entry,
        dependencies=tuple(sorted(data["dependencies"])) if isinstance(data.get("dependencies"), dict) else (),
        build_script=(root / "build.rs").is_file() or isinstance(package.get("build"), str),
        overflow_checks=checks if isinstance(checks, bool) else None,
        source_hash=source_hash(root),
    )


def _manifest(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_MANIFEST:
            raise UnsorryError(f"{path}: more than {MAX_MANIFEST} bytes")
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UnsorryError(f"{path}: not TOML: {str(fault).splitlines()[0][:120]}") from None
    except OSError as fault:
        raise UnsorryError(f"{path}: cannot be read: {fault.strerror}") from None


def _text(value: object, otherwise: str) -> str:
    return value if isinstance(value, str) else otherwise


def _entry(root: Path, lib: dict[str, Any], data: dict[str, Any]) -> tuple[Literal["lib", "bin"], Path]:
    """The file the crate begins with; a library before a program."""
    if lib.get("proc-macro") is True or lib.get("proc_macro") is True:
        raise UnsorryError(f"{root}: a crate of procedural macros has nothing to hunt in")
    given = lib.get("path")
    choices: list[tuple[Literal["lib", "bin"], Path]] = [("lib", root / given)] if isinstance(given, str) else []
    choices += [("lib", root / "src" / "lib.rs"), ("bin", root / "src" / "main.rs")]
    bins = data.get("bin")
    for one in bins if isinstance(bins, list) else []:
        if isinstance(one, dict) and isinstance(one.get("path"), str):
            choices.append(("bin", root / one["path"]))
    for kind, path in choices:
        if path.is_file() and path.resolve().is_relative_to(root):
            return kind, path.resolve()
    raise UnsorryError(f"{root}: neither src/lib.rs nor src/main.rs")


def rust_files(root: Path) -> list[Path]:
    """The .rs files of a crate, sorted; build folders and hidden ones left out.  Raises UnsorryError beyond a limit."""
    found: list[Path] = []
    todo = [root]
    while todo:
        folder = todo.pop()
        for path in folder.iterdir():
            if path.is_symlink() or path.name.startswith("."):
                continue
            if path.is_dir() and not (path.name == "target" and folder == root):
                todo.append(path)
            elif path.suffix == ".rs" and path.is_file():
                found.append(path)
        if len(found) > MAX_SOURCES or len(todo) > MAX_SOURCES:
            raise UnsorryError(f"{root}: more than {MAX_SOURCES} files; give the folder of one crate")
    return sorted(found)


def source_hash(root: Path) -> str:
    """SHA-256 over the names and contents of Cargo.toml and all .rs files: a translation of others is stale."""
    digest = hashlib.sha256()
    for path in [root / "Cargo.toml", *rust_files(root)]:
        try:
            content = path.read_bytes()
        except OSError as fault:
            raise UnsorryError(f"{path}: cannot be read: {fault.strerror}") from None
        name = path.relative_to(root).as_posix().encode()
        digest.update(b"%d %d\n" % (len(name), len(content)) + name + content)
    return digest.hexdigest()


def doc_examples(docs: str) -> Iterator[DocExample]:
    """The code blocks of a doc comment that rustdoc compiles."""
    lines = docs.split("\n")
    start: int | None = None
    fence, flags = "", ()  # type: tuple[str, tuple[str, ...]]
    for n, line in enumerate(lines):
        match = re.match(r"\s{0,3}(```+|~~~+)\s*(.*)$", line)
        if match is None:
            continue
        if start is None:
            start, fence = n, match[1]
            flags = tuple(f for f in re.split(r"[,\s]+", match[2].strip()) if f)
        elif match[1].startswith(fence) and not match[2].strip():
            if all(_is_rust(f) for f in flags):
                code = "\n".join(_shown(each) for each in lines[start + 1 : n])
                yield DocExample(code, tuple(f for f in flags if f != "rust"), start + 2)
            start = None


def _is_rust(flag: str) -> bool:
    known = ("rust", "should_panic", "no_run", "compile_fail", "standalone_crate")
    return flag in known or flag.startswith("edition")


def _shown(line: str) -> str:
    """A line of an example; `# ` hides it from readers only."""
    return re.sub(r"^(\s*)# ?(?!\[|!)", r"\1", line) if re.match(r"\s*#(\s|$)", line) else line
