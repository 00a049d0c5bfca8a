"""Git objects of a repository that may be anybody's, read through a git folder of ours.

The repository's own configuration is never in force: its hooks, filters, drivers, monitors, pagers, remotes and
submodules mean nothing, and nothing is fetched, not even an object that a partial clone has promised.  Git is asked in
the repository once, by `rev-parse`, where things are; all else is one `git cat-file --batch` in a folder of ours that
has the repository's objects behind it.  An object that is missing or damaged is told, and the process goes on.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from unsorry import UnsorryError
from unsorry.scaffolds.agent import git

LARGEST = 64 << 20  # bytes of an object that is read
LARGEST_FOLDER = 8 << 20  # bytes of a folder's list, and of a commit
CACHED = 8 << 20  # bytes of folders' lists that are kept
MOST_FOLDERS = 50_000  # that are looked into for one comparison: a small tree can hold more than anybody has time for
DEEPEST = 100
TREE = "40000"
LINK = "120000"
SUBMODULE = "160000"
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_NOTHING_RUNS = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false", "HOME": "/nonexistent", "LC_ALL": "C",
}  # fmt: skip


class Unreadable(UnsorryError):
    """An object that is not there, is damaged, or is too large to be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a tree: git's mode without leading zeros (`100644`, `120000`, `160000`, `40000`), and the id."""

    mode: str
    id: str

    @property
    def is_file(self) -> bool:
        return self.mode.startswith("100")


class Repository:
    """Reads objects of the repository that `path` is in; to be closed, or used in `with`."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise UnsorryError(f"{path} is no folder: name a git repository")
        self.path = path.resolve()
        objects, shallow, form = (self._ask(*words) for words in (
            ("--path-format=absolute", "--git-path", "objects"), ("--path-format=absolute", "--git-path", "shallow"),
            ("--show-object-format",),
        ))  # fmt: skip
        self.objects = Path(objects)
        self.shallow = Path(shallow).is_file()
        self.wide = form == "sha256"  # the ids
        self.folder = Path(tempfile.mkdtemp(prefix="unsorry-objects-"))
        try:
            self.git = git.Git.make(self.folder / "git", object_format=form)
            (self.git.folder / "objects" / "info").mkdir(parents=True, exist_ok=True)
            (self.git.folder / "objects" / "info" / "alternates").write_bytes(_quoted(self.objects))
        except BaseException:
            self.close()
            raise
        self._batch: subprocess.Popen[bytes] | None = None
        self._trees: OrderedDict[str, tuple[int, dict[bytes, Entry]]] = OrderedDict()
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _ask(self, *words: str) -> str:
        """What `git rev-parse` says in the repository, whoever owns it: it runs nothing that a repository names."""
        try:
            out = git.run(["-c", "safe.directory=*", "rev-parse", *words], cwd=self.path, env=environment())
        except git.GitFailed as failure:
            if git.NOT_A_REPOSITORY in failure.said:
                raise UnsorryError(f"{self.path} is no git repository: name one that has a history") from None
            raise
        return os.fsdecode(out.rstrip(b"\n"))

    def resolve(self, name: str) -> str:
        """The commit of a branch, a tag or an id; raises UnsorryError."""
        try:
            found = self._ask("--verify", "--quiet", "--end-of-options", name)
        except git.GitFailed:
            raise UnsorryError(f"{self.path} has no commit {name!r}: name a branch, a tag or an id") from None
        for _ in range(16):
            if not _ID.fullmatch(found):
                break
            kind, data = self.read(found)
            if kind == "commit":
                return found
            if kind != "tag" or not data.startswith(b"object "):
                break
            found = data.split(b"\n", 1)[0][7:].decode("ascii", "replace")
        raise UnsorryError(f"{name!r} is no commit in {self.path}")

    # Objects.

    def _start(self) -> subprocess.Popen[bytes]:
        if self._batch is None or self._batch.poll() is not None:
            self._stop()
            argv = ["git", "--no-replace-objects", "-c", "core.bigFileThreshold=8m", "cat-file", "--batch"]
            env = {**environment(), "GIT_DIR": str(self.git.folder)}
            try:
                self._batch = subprocess.Popen(
                    argv, env=env, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )  # fmt: skip
            except OSError as error:
                raise UnsorryError(f"cannot run git: {error.strerror or error}") from None
        return self._batch

    def _stop(self) -> None:
        batch: subprocess.Popen[bytes] | None = getattr(self, "_batch", None)
        if batch is not None:
            self._batch = None
            batch.kill()
            batch.wait()
            for pipe in (batch.stdin, batch.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def read(self, id: str, limit: int = LARGEST) -> tuple[str, bytes]:
        """(type, content); raises Unreadable."""
        batch = self._start()
        assert batch.stdin is not None and batch.stdout is not None
        try:
            batch.stdin.write(id.encode("ascii") + b"\n")
            batch.stdin.flush()
            fields = batch.stdout.readline().split()
            if len(fields) != 3:
                if fields[-1:] == [b"missing"]:
                    raise Unreadable(f"the object {id[:12]} is missing")
                raise OSError
            size = int(fields[2])
            if size > limit:
                left = size + 1
                while left and (skipped := len(batch.stdout.read(min(left, 1 << 20)))):
                    left -= skipped
                if left:
                    raise OSError
                raise Unreadable(f"the object {id[:12]} has {size >> 20} MiB, more than the {limit >> 20} MiB read")
            data = batch.stdout.read(size + 1)
            if len(data) != size + 1:
                raise OSError
        except (OSError, ValueError):  # git has ended: it does so where an object is damaged
            self._stop()
            raise Unreadable(f"the object {id[:12]} is damaged") from None
        return fields[1].decode(), data[:-1]

    def blob(self, id: str, limit: int = LARGEST) -> bytes:
        kind, data = self.read(id, limit)
        if kind != "blob":
            raise Unreadable(f"the object {id[:12]} is a {kind}, not a file")
        return data

    def tree(self, id: str) -> dict[bytes, Entry]:
        """The entries of one folder by name; raises Unreadable."""
        if id in self._trees:
            self._trees.move_to_end(id)
            return self._trees[id][1]
        kind, data = self.read(id, LARGEST_FOLDER)
        if kind != "tree":
            raise Unreadable(f"the object {id[:12]} is a {kind}, not a folder")
        found, at, width = {}, 0, len(id) // 2
        while at < len(data):
            space, end = data.find(b" ", at), data.find(b"\0", at)
            if not at < space < end or end + width >= len(data) + 1:
                raise Unreadable(f"the folder {id[:12]} is damaged")
            mode = sys.intern(data[at:space].decode("ascii", "replace").lstrip("0"))
            found[data[space + 1 : end]] = Entry(mode, data[end + 1 : end + 1 + width].hex())
            at = end + 1 + width
        self._trees[id] = len(data), found
        self._size += len(data)
        while self._size > CACHED and len(self._trees) > 1:
            self._size -= self._trees.popitem(last=False)[1][0]
        return found

    def find(self, tree: str, path: str) -> Entry | None:
        """What a tree has at a path; raises Unreadable."""
        parts = os.fsencode(path).split(b"/") if path else []
        entry: Entry | None = Entry(TREE, tree)
        for part in parts:
            if entry is None or entry.mode != TREE:
                return None
            entry = self.tree(entry.id).get(part)
        return entry

    def differences(self, before: str, after: str) -> Iterator[tuple[bytes, Entry | None, Entry | None]]:
        """(path, entry before, entry after) of each file that differs between two trees, in no order.

        Folders that are equal are not looked into.  Raises Unreadable.
        """
        todo: list[tuple[bytes, str, str]] = [(b"", before, after)]
        looked = 0
        while todo:
            prefix, old_id, new_id = todo.pop()
            looked += 1
            if looked > MOST_FOLDERS or prefix.count(b"/") > DEEPEST:
                raise Unreadable(f"more than {MOST_FOLDERS} folders differ, or they are deeper than {DEEPEST}")
            old = self.tree(old_id) if old_id else {}
            new = self.tree(new_id) if new_id else {}
            for name in old.keys() | new.keys():
                was, now = old.get(name), new.get(name)
                if was == now:
                    continue
                path = prefix + name
                folders = [e.id if e is not None and e.mode == TREE else "" for e in (was, now)]
                if any(folders):
                    todo.append((path + b"/", folders[0], folders[1]))
                was = None if was is None or was.mode == TREE else was
                now = None if now is None or now.mode == TREE else now
                if was or now:
                    yield path, was, now


def environment() -> dict[str, str]:
    """The whole environment of a call of git: no configuration of anybody's, no network."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), **_NOTHING_RUNS}


def _quoted(path: Path) -> bytes:
    """A line of `alternates`; quoted as git wants it where it begins with a quote or a hash."""
    raw = os.fsencode(path)
    if b"\n" in raw:
        raise UnsorryError(f"the path {str(path)!r} has a line break: move the repository")
    if raw.startswith((b'"', b"#")):
        raw = b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    return raw + b"\n"
