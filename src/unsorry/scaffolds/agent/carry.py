"""What of the user's folder goes into a workspace: tracked files as they are, and new ones that git does not ignore.

The folder is only read.  Files are read once, so that what is recorded as the base is what is in the copy, even if the
user saves a file meanwhile.  What git ignores stays behind: build products, environments, files with secrets.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from unsorry import UnsorryError
from unsorry.scaffolds.agent import git
from unsorry.scaffolds.agent.beneath import is_git

MAX_FILE = 64 << 20  # bytes; larger ones stay behind, and are named
MAX_FILES = 200_000
GITLINK = "160000"
LAKEFILES = ("lakefile.lean", "lakefile.toml")
PRODUCTS = (".lake", "build", "lake-packages")  # of Lake, beside a lakefile


@dataclass(frozen=True, slots=True)
class Origin:
    """The user's folder; `top` is its repository's, or the folder itself where there is none."""

    top: Path
    here: str  # the folder that was given, relative to `top`, "" for itself
    paths: tuple[bytes, ...]
    commit: str = ""  # HEAD, "" where there is none
    objects: Path | None = None
    object_format: str = "sha1"
    excludes: bytes = b""  # patterns that the user has outside of the files
    shallow: bytes = b""
    nested: tuple[str, ...] = ()  # repositories inside: their files are carried as plain ones


@dataclass(slots=True)
class Carried:
    """What was copied: entries of the base tree, and what was left out with the reason."""

    entries: list[git.Entry] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def look(folder: Path, *, without: Path | None = None) -> Origin:
    """Lists a user's folder; `without` is a folder in it that is not the user's work.  Raises UnsorryError."""
    folder = folder.resolve()
    if not folder.is_dir():
        raise UnsorryError(f"{folder} is not a folder: name the one that holds the project")
    try:
        top = Path(os.fsdecode(git.of_user(folder, "rev-parse", "--show-toplevel").rstrip(b"\n")))
    except git.GitFailed as failure:
        if git.NOT_A_REPOSITORY in failure.said:
            return _plain(folder, without)
        raise _explained(failure, folder) from None
    found = _repository(top, folder.relative_to(top.resolve()))
    return replace(found, paths=tuple(p for p in found.paths if not _inside(top, p, without)))


def _explained(failure: git.GitFailed, folder: Path) -> UnsorryError:
    if "dubious ownership" in failure.said:
        return UnsorryError(f"{folder} belongs to another user, so git does not trust it: "
                            f"git config --global --add safe.directory {folder}")  # fmt: skip
    if "must be run in a work tree" in failure.said:
        return UnsorryError(f"{folder} has no files to work on: it is a bare repository, or git's own folder")
    return failure


def _inside(top: Path, path: bytes, without: Path | None) -> bool:
    return without is not None and (top / os.fsdecode(path)).is_relative_to(without)


def _repository(top: Path, here: Path) -> Origin:
    def ask(*arguments: str, ok: tuple[int, ...] = (0,)) -> bytes:
        return git.of_user(top, *arguments, ok=ok)

    paths: dict[bytes, None] = {}
    nested: list[str] = []
    found: list[bytes] = []
    for line in filter(None, ask("ls-files", "-z", "--stage").split(b"\0")):
        mode, path = line[:6].decode(), line.split(b"\t", 1)[1]
        found.append(path + b"/" if mode == GITLINK else path)
    found += filter(None, ask("ls-files", "-z", "--others", "--exclude-standard").split(b"\0"))
    for path in found:
        if not path.endswith(b"/"):
            paths[path] = None
        elif (top / os.fsdecode(path) / ".git").exists():  # a submodule, or a repository that git does not look into
            nested.append(os.fsdecode(path[:-1]))
            inner = _repository(top / nested[-1], Path())
            paths |= dict.fromkeys(path + p for p in inner.paths)
            nested += [f"{nested[-1]}/{deeper}" for deeper in inner.nested]
    git_folder = {
        name: Path(os.fsdecode(ask("rev-parse", "--path-format=absolute", "--git-path", name).rstrip(b"\n")))
        for name in ("objects", "info/exclude", "shallow")
    }
    given = os.fsdecode(ask("config", "--path", "--get", "core.excludesFile", ok=(0, 1)).rstrip(b"\n"))
    base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    excludes = (git_folder["info/exclude"], Path(given) if given else base / "git" / "ignore")
    return Origin(
        top,
        "" if here == Path() else here.as_posix(),
        tuple(paths),
        ask("rev-parse", "--quiet", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).decode().strip(),
        git_folder["objects"],
        ask("rev-parse", "--show-object-format").decode().strip(),
        b"\n".join(_optional(path) for path in excludes),
        _optional(git_folder["shallow"]),
        tuple(nested),
    )


def _plain(folder: Path, without: Path | None) -> Origin:
    """A folder without git: all of its files but Lake's products; `.gitignore`s count when they are copied."""
    paths: list[bytes] = []
    for where, folders, files in os.walk(os.fsencode(folder)):
        lake = any(os.fsencode(name) in files for name in LAKEFILES)
        products = {os.fsencode(name) for name in (PRODUCTS if lake else PRODUCTS[:1])}
        links = [f for f in folders if os.path.islink(os.path.join(where, f))]
        folders[:] = sorted(
            f for f in folders
            if f not in products and f not in links and not is_git(os.fsdecode(f))
            and _optional(Path(os.fsdecode(where), os.fsdecode(f), ".gitignore")).strip() != b"*"  # of runs, caches
            and not _inside(folder, os.path.relpath(os.path.join(where, f), os.fsencode(folder)), without)
        )  # fmt: skip
        for name in sorted([*files, *links]):
            if name not in products and not is_git(os.fsdecode(name)):
                paths.append(os.path.relpath(os.path.join(where, name), os.fsencode(folder)))
        if len(paths) > MAX_FILES:
            raise UnsorryError(
                f"{folder} holds more than {MAX_FILES} files: run in the project's folder, or `git init`"
            )
    return Origin(folder, "", tuple(paths))


def copy(origin: Origin, files: Path, store: git.Git) -> Carried:
    """Copies the files into the new folder `files` and records them in `store`."""
    carried = Carried()
    ignored = set() if origin.objects else store.ignored(origin.paths, _patterns(origin))
    solid: dict[str, bool] = {"": True}  # whether a folder is one, and not reached through a link
    for raw in origin.paths:
        if raw in ignored:
            continue
        path = os.fsdecode(raw)
        source, target = origin.top / path, files / path
        if any(part == ".." or is_git(part) for part in path.split("/")):
            carried.left_out[path] = "git's own"
            continue
        try:
            if not _solid(origin.top, path.rpartition("/")[0], solid):
                continue  # to git it is deleted
            facts = source.lstat()
            if stat.S_ISLNK(facts.st_mode):
                data, mode = os.fsencode(os.readlink(source)), "120000"
            elif not stat.S_ISREG(facts.st_mode):
                continue
            elif facts.st_size > MAX_FILE:
                carried.left_out[path] = f"{facts.st_size >> 20} MiB"
                continue
            else:
                data, mode = source.read_bytes(), "100755" if facts.st_mode & 0o100 else "100644"
        except FileNotFoundError:
            continue  # deleted, but not yet in the index
        except OSError as error:
            raise UnsorryError(f"cannot read {source}: {error.strerror or error}") from None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if mode == "120000":
                os.symlink(data, os.fsencode(target))
            else:
                target.write_bytes(data)
                target.chmod(0o755 if mode == "100755" else 0o644)
                os.utime(target, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            carried.entries.append(git.Entry(raw, mode, store.write_blob(data)))
        except OSError as error:
            raise UnsorryError(f"cannot copy {path} to {files}: {error.strerror or error}; free space there") from None
    return carried


def _patterns(origin: Origin) -> dict[bytes, bytes]:
    """The `.gitignore`s of a folder without git; as for git, a link is none."""
    names = (raw for raw in origin.paths if raw.rpartition(b"/")[2] == b".gitignore")
    files = ((raw, origin.top / os.fsdecode(raw)) for raw in names)
    return {raw: _optional(file) for raw, file in files if not file.is_symlink()}


def _solid(top: Path, folder: str, known: dict[str, bool]) -> bool:
    if folder not in known:
        above = _solid(top, folder.rpartition("/")[0], known)
        known[folder] = above and not (top / folder).is_symlink()
    return known[folder]


def lake_products(origin: Origin) -> Iterator[str]:
    """The folders of build products that are not carried, relative to the top."""
    own = set(origin.paths)
    homes = {os.fsdecode(p).rpartition("/")[0] for p in own if os.fsdecode(p).rpartition("/")[2] in LAKEFILES}
    homes |= {origin.here, ""}
    for home in sorted(homes):
        for name in PRODUCTS if any((origin.top / home / f).is_file() for f in LAKEFILES) else PRODUCTS[:1]:
            path = f"{home}/{name}" if home else name
            if (origin.top / path).is_dir() and not _carried(own, path):
                yield path


def _carried(paths: set[bytes], folder: str) -> bool:
    prefix = os.fsencode(folder) + b"/"
    return any(path.startswith(prefix) for path in paths)


def _optional(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""
