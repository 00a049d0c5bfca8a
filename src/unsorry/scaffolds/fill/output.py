"""Where the patched file goes: written whole or not at all, checked before the work begins."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from unsorry import UnsorryError


class Output:
    """A file that is replaced atomically.  Raises UnsorryError at once if it will not be possible to write it."""

    def __init__(self, path: Path, original: bytes | None = None) -> None:
        """`original`: what the file must still hold when it is replaced; None to write whatever is there."""
        self.path = path.resolve()  # a link stays a link: what it points to is replaced
        self.expected = original
        folder = self.path.parent
        if self.path.is_dir():
            raise UnsorryError(f"cannot write {path}: it is a folder")
        if not folder.is_dir():
            raise UnsorryError(f"cannot write {path}: there is no folder {folder}")
        if self.path.exists() and not os.access(self.path, os.W_OK):
            raise UnsorryError(f"cannot write {path}: permission denied")
        try:
            with tempfile.NamedTemporaryFile(dir=folder, prefix=".unsorry-"):
                pass
        except OSError as error:
            raise UnsorryError(f"cannot write {path}: {error.strerror or error}") from None

    def write(self, data: bytes) -> None:
        """Replace the file; if someone changed it meanwhile, keep theirs and write beside it."""
        if self.expected is not None and self._current() != self.expected:
            beside = self.path.with_name(self.path.name + ".unsorry")
            self._replace(beside, data)
            raise UnsorryError(f"{self.path} was changed during the work and left alone; the filled file is {beside}")
        self._replace(self.path, data)
        self.expected = data if self.expected is not None else None

    def _current(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except OSError:
            return None

    def _replace(self, path: Path, data: bytes) -> None:
        name = ""
        try:
            mode = path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".unsorry-", delete=False) as file:
                name = file.name
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, mode)
            os.replace(name, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise UnsorryError(f"cannot write {path}: {error.strerror or error}") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
