"""Build products that a workspace shares with the user's project: links, for hours of compilation are not copied.

Dependencies (`.lake/packages`) are one link.  The project's own compiled files are a link each, with small files beside
them copied: what is built anew takes the place of a link, and what the user has built is never written.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from unsorry import UnsorryError

SMALL = 1 << 20  # bytes: traces, hashes, logs, C files; they are rewritten in place
COMPILED = (".olean", ".olean.server", ".olean.private", ".ilean")
BUILD = "build"
_SKIPPED = ("config",)  # Lake's compiled lakefile, which it makes again for each folder


def share(source: Path, target: Path) -> None:
    """Makes `target` stand for the folder of products `source`; raises UnsorryError where it cannot be written."""
    try:
        if source.name == "lake-packages":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source)
        elif source.name == BUILD:
            _farm(source, target)
        else:
            _lake(source, target)
    except OSError as error:
        raise UnsorryError(f"cannot share {source} with the workspace: {error.strerror or error}") from None


def _lake(source: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for entry in sorted(os.scandir(source), key=lambda e: e.name):
        if entry.name in _SKIPPED:
            continue
        if entry.name == BUILD and entry.is_dir():
            _farm(Path(entry.path), target / BUILD)
        elif entry.is_file(follow_symlinks=False) and entry.stat().st_size <= SMALL:
            shutil.copy2(entry.path, target / entry.name)
        else:
            (target / entry.name).symlink_to(Path(entry.path).resolve())


def _farm(source: Path, target: Path) -> None:
    for where, folders, files in os.walk(source):
        folder = target / os.path.relpath(where, source)
        folder.mkdir(parents=True, exist_ok=True)
        for name in [*files, *(f for f in folders if os.path.islink(os.path.join(where, f)))]:
            path = Path(where, name)
            if name.endswith(COMPILED) or path.is_dir() or path.lstat().st_size > SMALL:
                (folder / name).symlink_to(path.resolve())
            elif path.is_file():
                shutil.copy2(path, folder / name)
