"""Files beneath a folder that a hostile process may be changing: nothing outside is read or written, ever.

Every step of a path is opened by itself, from the folder before it, and never through a link; links are read and
followed here, as far as they stay inside.  So a name that is swapped for a link between two looks leads nowhere.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError

MAX_LINKS = 40
MAX_PATH = 4096
MAX_DEPTH = 64  # of folders that are walked through
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: an open folder, the name in it ("" for the folder itself), what is there (None: nothing)."""

    folder: int
    name: str
    shown: str  # relative to the root, `/` between the parts
    facts: os.stat_result | None
    writable: bool
    missing: tuple[str, ...] = ()  # folders to make below `folder` before `name` can be

    @property
    def is_folder(self) -> bool:
        return self.facts is not None and stat.S_ISDIR(self.facts.st_mode)

    @property
    def is_file(self) -> bool:
        return self.facts is not None and stat.S_ISREG(self.facts.st_mode)


class Beneath:
    """The files of `root`; `shared` are folders outside to which links may lead, for reading; without `links`, a path
    through any link is refused."""

    def __init__(self, root: Path, shared: tuple[Path, ...] = (), *, links: bool = True) -> None:
        self.root = root
        self.shared = shared
        self.links = links

    @contextlib.contextmanager
    def find(self, path: str) -> Iterator[Place]:
        """The place of a path, relative or absolute.  Raises UnsorryError for one that leads outside or into git's."""
        opened: list[int] = []
        try:
            yield self._walk(path, opened)
        finally:
            for handle in opened:
                os.close(handle)

    def _walk(self, path: str, opened: list[int]) -> Place:
        if "\0" in path or len(path) > MAX_PATH:
            raise UnsorryError(f"{path[:80]!r} is no path")
        base, todo = self._begin(path, path)
        stack = [(self._open(base, None, opened), "")]
        writable, links = base == self.root, 0
        while todo:
            part = todo.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if len(stack) == 1:
                    raise outside(path)
                stack.pop()
                continue
            if is_git(part):
                raise UnsorryError(f"{path}: git's own files are not part of the workspace")
            folder = stack[-1][0]
            shown = self._shown(base, [*(name for _, name in stack[1:]), part])
            try:
                facts = os.stat(part, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                rest = [p for p in reversed(todo) if p not in ("", ".")]
                if ".." in rest or any(map(is_git, rest)):
                    raise UnsorryError(f"{path}: there is no folder {shown}") from None
                names = [part, *rest]
                shown = "/".join([shown, *rest])
                return Place(folder, names[-1], shown, None, writable, tuple(names[:-1]))
            except OSError as error:
                raise UnsorryError(f"{path}: {error.strerror or error}") from None
            if stat.S_ISLNK(facts.st_mode):
                if not self.links:
                    raise UnsorryError(f"{path} is behind a link and is not used: remove the link {shown}")
                links += 1
                if links > MAX_LINKS:
                    raise UnsorryError(f"{path}: too many links on the way")
                target = _link(part, folder, path)
                if target.startswith("/"):
                    base, more = self._begin(target, path)
                    stack, writable = [(self._open(base, None, opened), "")], base == self.root
                    todo += more
                else:
                    todo += reversed(target.split("/"))
            elif stat.S_ISDIR(facts.st_mode):
                stack.append((self._open(part, folder, opened), part))
            elif any(p not in ("", ".") for p in todo):
                raise UnsorryError(f"{path}: {shown} is a file, not a folder")
            else:
                return Place(folder, part, shown, facts, writable)
        shown = self._shown(base, [name for _, name in stack[1:]])
        return Place(stack[-1][0], "", shown or ".", os.fstat(stack[-1][0]), writable)

    def _begin(self, target: str, path: str) -> tuple[Path, list[str]]:
        """Which folder a path starts from, and its parts, last first."""
        if not target.startswith("/"):
            return self.root, list(reversed(target.split("/")))
        for base in (self.root, *self.shared):
            if target == str(base) or target.startswith(f"{base}/"):
                return base, list(reversed(target[len(str(base)) :].split("/")))
        raise outside(path)

    def _shown(self, base: Path, parts: list[str]) -> str:
        return "/".join(parts if base == self.root else [str(base), *parts])

    def _open(self, name: Path | str, folder: int | None, opened: list[int]) -> int:
        try:
            handle = os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            raise UnsorryError(f"cannot open the folder {name}: {error.strerror or error}") from None
        opened.append(handle)
        return handle

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file of at most `limit` bytes."""
        with self.find(path) as place:
            if place.facts is None:
                raise UnsorryError(f"{path} does not exist")
            if place.is_folder:
                raise UnsorryError(f"{path} is a folder, not a file")
            return read_at(place.folder, place.name, path, limit)

    def walk(self, path: str, suffix: str, closed: Callable[[str], bool]) -> Iterator[str]:
        """The regular files and links below a folder whose name ends in `suffix`, in order, as paths from the root.

        No link is followed on the way, no folder entered whose name is `closed`, nor one deeper than MAX_DEPTH.
        """
        with self.find(path) as place:
            if not place.is_folder:
                return
            prefix = "" if place.shown == "." else f"{place.shown}/"
            for where, folders, files, _ in os.fwalk(".", dir_fd=place.folder, follow_symlinks=False):
                inside = where[2:] + "/" if where != "." else ""
                folders[:] = sorted(f for f in folders if not closed(f)) if where.count("/") < MAX_DEPTH else []
                yield from (prefix + inside + name for name in sorted(files) if name.endswith(suffix))

    def write(self, path: str, data: bytes, *, mode: int | None = None) -> None:
        """Puts a whole file in the place of what was there, or of nothing; its folders are made, its mode is kept."""
        with self.find(path) as place:
            if not place.writable:
                raise UnsorryError(f"{path} belongs to what the workspace shares with your project: it is only read")
            if place.is_folder or place.name == "":
                raise UnsorryError(f"{path} is a folder, not a file")
            if place.facts is not None and not place.is_file:
                raise UnsorryError(f"{path} is not a regular file")
            if mode is None:
                mode = stat.S_IMODE(place.facts.st_mode) & 0o777 if place.facts is not None else 0o644
            try:
                with _made(place.folder, place.missing) as folder:
                    replace_at(folder, place.name, data, mode)
            except OSError as error:
                raise UnsorryError(f"cannot write {path}: {error.strerror or error}") from None

    def link(self, path: str, target: str) -> None:
        """Puts a symbolic link in the place of the file or link that was there."""
        parent, _, name = path.rpartition("/")
        with self.find(parent or ".") as place:
            if not place.writable or (place.facts is not None and not place.is_folder):
                raise UnsorryError(f"{path} cannot be made a link: {parent} is no folder of the workspace")
            missing = (*place.missing, place.name) if place.facts is None else ()
            with _made(place.folder, missing) as folder:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=folder)
                os.symlink(target, name, dir_fd=folder)

    def remove(self, path: str) -> None:
        """Removes a file or a link itself, and the folders that this leaves empty; nothing if it is not there."""
        parent, _, name = path.rpartition("/")
        with self.find(parent or ".") as place:
            if place.is_folder and place.name == "":
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=place.folder)
        while parent:
            outer, _, name = parent.rpartition("/")
            try:
                with self.find(outer or ".") as place:
                    os.rmdir(name, dir_fd=place.folder)
            except (OSError, UnsorryError):
                return
            parent = outer


@contextlib.contextmanager
def _made(folder: int, names: tuple[str, ...]) -> Iterator[int]:
    """The folder below `folder` that `names` lead to, made where it is not there."""
    opened: list[int] = []
    try:
        for name in names:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=folder)
            folder = os.open(name, _FOLDER, dir_fd=folder)
            opened.append(folder)
        yield folder
    finally:
        for handle in opened:
            os.close(handle)


def outside(path: str) -> UnsorryError:
    return UnsorryError(f"{path} leads outside of the workspace; paths are relative to its top folder")


def is_git(part: str) -> bool:
    """Whether git would take the name for its own folder, on any file system."""
    plain = part.rstrip(". ").lower()
    return plain in (".git", "git~1") or plain.startswith(".git:")


def read_at(folder: int, name: str, shown: str, limit: int) -> bytes:
    """The bytes of a regular file in an open folder; links, pipes and devices are not opened for reading."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        why = "it is a link" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise UnsorryError(f"cannot read {shown}: {why}") from None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise UnsorryError(f"{shown} is not a regular file")
        data = file.read(limit + 1) if facts.st_size <= limit else b""
        if facts.st_size > limit or len(data) > limit:
            raise UnsorryError(f"{shown} has {facts.st_size} bytes, more than the {limit} that are read")
        return data


def replace_at(folder: int, name: str, data: bytes, mode: int) -> None:
    """Writes a new file beside and renames it: whole or not at all, and never through a link or a second name."""
    temporary = f".unsorry-{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(temporary, flags, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            os.fchmod(file.fileno(), mode)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _link(name: str, folder: int, path: str) -> str:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError as error:
        raise UnsorryError(f"{path}: {error.strerror or error}") from None
