"""Patches between trees that are made of a few files, many of them by one process.

Trees hold only the files that differ; objects of ours are written beside the repository's, never into it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import zlib
from collections.abc import Mapping

from unsorry import UnsorryError
from unsorry.repos.objects import TREE, Entry, Repository, environment

MANY = 20_000  # objects of ours, after which they are removed


class Patches:
    """Makes patches for a repository; to be closed."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._objects = repository.git.folder / "objects"
        self._written = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._empty = self._write(b"tree", b"")

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def blob(self, data: bytes) -> str:
        """Stores a file of ours; its id, good until the next `forget`."""
        return self._write(b"blob", data)

    def forget(self) -> None:
        """Removes what was stored, if it is much."""
        if self._written > MANY:
            self.close()
            for folder in self._objects.iterdir():
                if len(folder.name) == 2:
                    shutil.rmtree(folder, ignore_errors=True)
            self._written = 0
            self._empty = self._write(b"tree", b"")

    def between(self, before: Mapping[bytes, Entry], after: Mapping[bytes, Entry]) -> bytes:
        """What `git apply` takes to make the files of `before` those of `after`; b"" where they are equal."""
        trees = self._tree(before), self._tree(after)
        if trees[0] == trees[1]:
            return b""
        process = self._start()
        assert process.stdin is not None and process.stdout is not None
        end = f"end {os.urandom(16).hex()}\n".encode()  # no id: it is given back as it is, behind the patch
        found: list[bytes] = []
        try:
            process.stdin.write(f"{trees[0]} {trees[1]}\n".encode() + end)
            process.stdin.flush()
            for line in process.stdout:
                if line.endswith(end):  # behind a file whose last line does not end
                    found.append(line.removesuffix(end))
                    break
                found.append(line)
            else:
                raise OSError
        except OSError:
            self.close()
            raise UnsorryError(f"git cannot make a patch in {self.repository.path}: an object is damaged") from None
        return b"".join(found[1:])  # the first line names the trees

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [
                    "git", "--no-replace-objects", "diff-tree", "--stdin", "-r", "-p", "--binary", "--full-index",
                    "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/",
                    "--dst-prefix=b/", "--submodule=short",
                ],
                env={**environment(), "GIT_DIR": str(self.repository.git.folder)}, cwd=self.repository.folder,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        return self._process

    def _tree(self, files: Mapping[bytes, Entry]) -> str:
        """The tree of these files by path."""
        here: dict[bytes, Entry] = {}
        below: dict[bytes, dict[bytes, Entry]] = {}
        for path, entry in files.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                below.setdefault(name, {})[rest] = entry
            else:
                here[name] = entry
        for name, inner in below.items():
            here[name] = Entry(TREE, self._tree(inner))
        order = sorted(here.items(), key=lambda item: item[0] + (b"/" if item[1].mode == TREE else b""))
        return self._write(b"tree", b"".join(
            entry.mode.encode() + b" " + name + b"\0" + bytes.fromhex(entry.id) for name, entry in order
        ))  # fmt: skip

    def _write(self, kind: bytes, data: bytes) -> str:
        content = kind + b" %d\0" % len(data) + data
        algorithm = "sha256" if self.repository.wide else "sha1"
        name = hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()
        path = self._objects / name[:2] / name[2:]
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(zlib.compress(content, 1))
            self._written += 1
        return name
