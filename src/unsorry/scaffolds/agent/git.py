"""Git, called so that nothing that a repository or a model wrote can run.

A workspace has a git folder of its own, outside the files that the model writes, with a configuration of ours: there is
no hook, filter, text conversion, external diff, pager, credential helper or submodule command for it to name.  It is
always named, never looked for, so that a `.git` in the files means nothing.  Paths go through standard input, ended by
NUL, and never through the command line.  The user's own repository is only read.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unsorry import UnsorryError
from unsorry.judge.reasons import one_line

_SETTINGS = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.pager=cat",
    "core.sshCommand=false", "core.editor=false", "core.askPass=false", "credential.helper=", "protocol.allow=never",
    "gc.auto=0", "maintenance.auto=false", "submodule.recurse=false", "core.quotePath=true", "core.autocrlf=false",
    "core.protectHFS=true", "core.protectNTFS=true",
)  # fmt: skip
_KEPT = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES")
SECONDS = 300.0
NOT_A_REPOSITORY = "not a git repository"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a tree: path as bytes, git's mode (`100644`, `100755`, `120000`), the blob's id."""

    path: bytes
    mode: str
    blob: str


class GitFailed(UnsorryError):
    """Git ended with an error; `said` is what it wrote."""

    def __init__(self, message: str, said: str) -> None:
        super().__init__(message)
        self.said = said


def run(
    arguments: Sequence[str], *, cwd: Path, env: dict[str, str], stdin: bytes = b"", ok: Iterable[int] = (0,),
    memory: int = 0,
) -> bytes:  # fmt: skip
    """Standard output; raises GitFailed, one line, for any exit code that is not in `ok`.

    `memory`: bytes that git may take, 0 for any.
    """
    argv = ["git", "--no-pager", "--no-replace-objects", "--no-optional-locks"]
    for setting in _SETTINGS:
        argv += ["-c", setting]
    if memory:
        argv = ["sh", "-c", f'ulimit -v {memory >> 10} && exec "$@"', "git", *argv]
    try:
        done = subprocess.run(
            [*argv, *arguments], cwd=cwd, env=env, input=stdin, capture_output=True, timeout=SECONDS, check=False
        )
    except FileNotFoundError:
        raise UnsorryError("git is not installed: the agent needs it to make patches (apt install git)") from None
    except subprocess.TimeoutExpired:
        raise UnsorryError(f"git {_command(arguments)} did not end within {SECONDS:.0f} s in {cwd}") from None
    except OSError as error:
        raise UnsorryError(f"cannot run git in {cwd}: {error.strerror or error}") from None
    if done.returncode not in ok:
        said = done.stderr.decode("utf-8", "replace").strip()
        first = next(iter(said.splitlines()), f"exit code {done.returncode}")
        raise GitFailed(f"git {_command(arguments)} failed in {cwd}: {one_line(first)}", said)
    return done.stdout


def _command(arguments: Sequence[str]) -> str:
    return arguments[2] if arguments[0] == "-c" else arguments[0]


def of_user(folder: Path, *arguments: str, stdin: bytes = b"", ok: Iterable[int] = (0,)) -> bytes:
    """A reading command in the user's own repository: finds it as the user's git does, and writes nothing."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    return run(arguments, cwd=folder, env=env, stdin=stdin, ok=ok)


class Git:
    """A git folder of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()  # git is called in other folders
        self._hash = "sha256" if b"objectformat = sha256" in _read(folder / "config").lower() else "sha1"

    @classmethod
    def make(cls, folder: Path, *, object_format: str = "sha1") -> Git:
        """A new one, with no other store behind it: git would mark objects there as used, and so write."""
        folder = folder.absolute()
        run(
            ["init", "--quiet", "--bare", "--template=", f"--object-format={object_format}", "--", str(folder)],
            cwd=folder.parent,
            env=_environment(),
        )
        (folder / "info").mkdir(exist_ok=True)
        return cls(folder)

    def call(
        self, *arguments: str, stdin: bytes = b"", files: Path | None = None, index: Path | None = None,
        ok: Iterable[int] = (0,), memory: int = 0,
    ) -> bytes:  # fmt: skip
        """Runs git on this folder; with `files` as its work tree, else as a bare one that reads no attributes."""
        env = {**_environment(), "GIT_DIR": str(self.folder)}
        if files is not None:
            env["GIT_WORK_TREE"] = str(files)
        if index is not None:
            env["GIT_INDEX_FILE"] = str(index)
        settings = ["-c", f"core.bare={'false' if files else 'true'}"]
        return run([*settings, *arguments], cwd=files or self.folder, env=env, stdin=stdin, ok=ok, memory=memory)

    def write_blob(self, data: bytes) -> str:
        """Stores a blob as it is, whatever attributes say; its id."""
        return self._write(b"blob", data)

    def write_commit(self, tree: str, parent: str, message: str) -> str:
        """Stores a commit; its id.  The parent ("" for none) need not be in this store."""
        who = "unsorry <unsorry@localhost> 1000000000 +0000"
        above = f"parent {parent}\n" if parent else ""
        return self._write(b"commit", f"tree {tree}\n{above}author {who}\ncommitter {who}\n\n{message}\n".encode())

    def _write(self, kind: bytes, data: bytes) -> str:
        content = kind + b" %d\0" % len(data) + data
        name = hashlib.new(self._hash, content, usedforsecurity=False).hexdigest()
        path = self.folder / "objects" / name[:2] / name[2:]
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            temporary = path.with_name(f"tmp_{os.getpid()}_{os.urandom(4).hex()}")
            temporary.write_bytes(zlib.compress(content, 1))
            temporary.chmod(0o444)
            temporary.replace(path)
        return name

    def write_tree(self, entries: Iterable[Entry]) -> str:
        """Stores a tree; its id.  Raises GitFailed for a path that git does not take, such as one through `.git`."""
        index = self.folder / f"index.{os.getpid()}.{os.urandom(4).hex()}"
        lines = b"".join(f"{e.mode} {e.blob}\t".encode() + e.path + b"\0" for e in entries)
        try:
            self.call("update-index", "-z", "--index-info", stdin=lines, index=index)
            return self.call("write-tree", index=index).decode().strip()
        finally:
            index.unlink(missing_ok=True)

    def entries(self, tree: str) -> dict[bytes, Entry]:
        """The files of a tree by path."""
        found = {}
        for line in self.call("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
            if line:
                head, path = line.split(b"\t", 1)
                mode, _, blob = head.decode().split()
                found[path] = Entry(path, mode, blob)
        return found

    def read_blobs(self, names: Sequence[str]) -> list[bytes]:
        """The contents of blobs, in order."""
        if not names:
            return []
        out = self.call("cat-file", "--batch", stdin="".join(f"{name}\n" for name in names).encode())
        found, at = [], 0
        for name in names:
            end = out.index(b"\n", at)
            fields = out[at:end].split()
            if len(fields) != 3:
                raise UnsorryError(f"{self.folder} has lost the object {name}: start a new run")
            size = int(fields[2])
            found.append(out[end + 1 : end + 1 + size])
            at = end + 1 + size + 1
        return found

    def ignored(self, paths: Iterable[bytes], patterns: Mapping[bytes, bytes]) -> set[bytes]:
        """Which of the paths are left out by `patterns`: the contents of `.gitignore`s, by their paths.

        Git is shown these alone, in a folder of ours: among a model's files, one may be a pipe that never ends.
        """
        given = b"".join(b"./" + path + b"\0" for path in paths)  # so that none is taken for a pattern with magic
        if not given:
            return set()
        with tempfile.TemporaryDirectory(prefix="ignore-", dir=self.folder) as name:
            for path, data in patterns.items():
                file = Path(name, os.fsdecode(path))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            out = self.call("check-ignore", "-z", "--stdin", "--no-index", stdin=given, files=Path(name), ok=(0, 1))
        return {path.removeprefix(b"./") for path in out.split(b"\0") if path}


def _environment() -> dict[str, str]:
    """The whole environment of a call on our own folder: no configuration but that folder's."""
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LC_ALL": "C",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
    }


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
