"""The files of a crate, their hash, the examples in docs."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError

MAX_BYTES = 32 << 20
MAX_FILES = 3000
SKIPPED = {"target", "tests", "benches", "examples", "node_modules", "unsorry_hunt"}


@dataclass(frozen=True, slots=True)
class DocExample:
    """A code block in documentation that rustdoc would run."""

    code: str  # without the `# ` of hidden lines, which are kept
    flags: tuple[str, ...]  # `should_panic`, `no_run`, …
    line: int  # within the docs, from 1


def read_files(folder: Path) -> dict[str, bytes]:
    """By path relative to the crate: its Rust files, every file under src, and the Markdown beside Cargo.toml.

    Links that lead out of the crate are left out.  Raises UnsorryError beyond a limit.
    """
    found: dict[str, bytes] = {}
    total = 0
    base = folder.resolve()
    for where, folders, files in os.walk(folder):
        here = Path(where)
        top = here == folder
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (top and f in SKIPPED))
        folders[:] = [f for f in folders if not (here / f / "Cargo.toml").is_file()]
        inside = not top and here.relative_to(folder).parts[:1] == ("src",)
        for name in sorted(files):
            path = here / name
            wanted = inside or name.endswith(".rs") or (top and name.endswith(".md"))  # docs may include it
            if not wanted or not path.is_file() or not path.resolve().is_relative_to(base):
                continue
            try:
                data = path.read_bytes()
            except OSError as error:
                raise UnsorryError(f"{path} cannot be read: {error.strerror}") from None
            total += len(data)
            if total > MAX_BYTES or len(found) >= MAX_FILES:
                raise UnsorryError(f"{folder}: more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB; this is too large")
            found[path.relative_to(folder).as_posix()] = data
    return found


def source_hash(cargo: bytes, files: Mapping[str, bytes]) -> str:
    """SHA-256 over the names and contents of Cargo.toml and all .rs files: a translation of others is stale."""
    digest = hashlib.sha256()
    for name, content in (("Cargo.toml", cargo), *sorted(files.items())):
        if name == "Cargo.toml" or name.endswith(".rs"):
            digest.update(b"%d %d\n" % (len(name.encode()), len(content)) + name.encode() + content)
    return digest.hexdigest()


def without_tests(data: bytes) -> bytes:
    """A file as it is compiled outside of tests: the crate's own tests may need crates that are not here.

    Every byte keeps its place, but for a byte order mark, which is no part of the text.
    """
    text = data.removeprefix(b"\xef\xbb\xbf")
    return re.sub(rb"#!?\[\s*cfg(?:_attr)?\s*\([^\]\n]*", lambda m: re.sub(rb"\btest\b", b"tes_", m.group()), text)


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
