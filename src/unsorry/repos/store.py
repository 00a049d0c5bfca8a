"""The trees of a run: base trees copied out of the repository once, patches applied to them, files written from them.

The store is a git folder of ours in the run's folder, so that a run can be scored where the repository is not; nothing
of the repository's history is in it but the trees of the bases.  Patches are applied to an index, never to files.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from unsorry import UnsorryError
from unsorry.scaffolds.agent.beneath import is_git
from unsorry.scaffolds.agent.git import Entry, Git, GitFailed

LINK, SUBMODULE = "120000", "160000"
LARGEST_PATCH = 64 << 20  # bytes
MEMORY = 2 << 30  # bytes for applying one: what is packed in it can be far larger


class PatchFailed(UnsorryError):
    """A patch that does not apply to the tree that it is for."""


class Trees:
    """Trees by id; the same folder may be open in several processes."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "HEAD").is_file():
            raise UnsorryError(f"{folder} holds no trees: begin the run again")
        self.git = Git(folder)

    @classmethod
    def make(cls, folder: Path, *, object_format: str = "sha1") -> Trees:
        """A new store, or the one that is there; raises UnsorryError."""
        if not (folder / "HEAD").is_file():
            part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
            shutil.rmtree(part, ignore_errors=True)
            try:
                folder.parent.mkdir(parents=True, exist_ok=True)
                Git.make(part, object_format=object_format)
                part.rename(folder)
            except OSError as error:
                raise UnsorryError(f"cannot make {folder}: {error.strerror or error}") from None
        return cls(folder)

    def has(self, tree: str) -> bool:
        try:
            return self.git.call("cat-file", "-t", tree).strip() == b"tree"
        except GitFailed:
            return False

    def fetch(self, source: Git, tree: str) -> None:
        """Copies a tree with all that is in it; raises UnsorryError where `source` has not all of it."""
        if not self.has(tree):
            packed = source.call("pack-objects", "--revs", "--stdout", "-q", stdin=f"{tree}\n".encode())
            self.git.call("index-pack", "--stdin", "--fix-thin", stdin=packed)

    def apply(self, tree: str, patch: bytes) -> str:
        """The tree with a patch on top; raises PatchFailed."""
        if not patch.strip():
            return tree
        if len(patch) > LARGEST_PATCH:
            raise PatchFailed(f"the patch has {len(patch) >> 20} MiB, more than the {LARGEST_PATCH >> 20} MiB taken")
        index = self.git.folder / f"index.apply.{os.getpid()}.{os.urandom(4).hex()}"
        try:
            self.git.call("read-tree", tree, index=index)
            words = ("apply", "--cached", "--whitespace=nowarn", "-")
            self.git.call(*words, stdin=patch, index=index, memory=MEMORY)
            return self.git.call("write-tree", index=index).decode().strip()
        except GitFailed as failure:
            said = next(iter(failure.said.splitlines()), str(failure))
            raise PatchFailed(f"the patch does not apply: {said}") from None
        finally:
            index.unlink(missing_ok=True)

    def entries(self, tree: str) -> dict[bytes, Entry]:
        return self.git.entries(tree)

    def changed(self, before: str, after: str) -> dict[str, tuple[Entry | None, Entry | None]]:
        """The files that differ, by path: the entry before and after, None where there is none."""
        old, new = self.entries(before), self.entries(after)
        paths = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
        return {os.fsdecode(path): (old.get(path), new.get(path)) for path in paths}

    def read(self, entry: Entry) -> bytes:
        return self.git.read_blobs([entry.blob])[0]

    def write(self, tree: str, folder: Path, *, links: bool = True) -> None:
        """The files of a tree in a folder that is not there yet; submodules are left empty, links made or left out.

        Raises UnsorryError for a tree with a path that leads elsewhere, and writes nothing then.
        """
        part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
        shutil.rmtree(part, ignore_errors=True)
        try:
            part.mkdir(parents=True)
            entries = [e for e in self.entries(tree).values() if e.mode != SUBMODULE]
            for entry in entries:
                _refuse_path(entry.path)
            entries.sort(key=lambda e: e.mode == LINK)  # last: a tree that was made by hand has files behind its links
            for start in range(0, len(entries), 500):
                some = entries[start : start + 500]
                for entry, data in zip(some, self.git.read_blobs([e.blob for e in some]), strict=True):
                    _write(part, entry, data, links)
            part.rename(folder)
        except (OSError, ValueError) as error:  # ValueError: a link to a name with NUL in it
            raise UnsorryError(f"cannot write {folder}: {getattr(error, 'strerror', None) or error}") from None
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _refuse_path(path: bytes) -> None:
    """Trees are anybody's: git itself never makes such paths, and refuses them only where it checks them out."""
    if any(part in (b"", b".", b"..") or is_git(os.fsdecode(part)) for part in path.split(b"/")):
        raise UnsorryError(f"the tree has the path {os.fsdecode(path)!r}, which no folder can have: leave the task out")


def _write(folder: Path, entry: Entry, data: bytes, links: bool) -> None:
    path = folder / os.fsdecode(entry.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if entry.mode == LINK:
        if links:
            path.symlink_to(os.fsdecode(data))
        return
    path.write_bytes(data)
    if entry.mode == "100755":
        path.chmod(0o755)
