"""Where the agent works: a copy of the user's repository, with everything that is uncommitted in it.

    PLACE/files   the copy; `.git` in it is a pointer, for looking only
    PLACE/git     objects and index of ours; nothing of it can be written from inside
    PLACE/state   what the workspace is, as JSON
    PLACE/lock    held while a process works here: what nobody holds, and nobody asked to keep, the next start removes

A registered `git worktree` would write into the user's `.git`, and share its hooks, filters and configuration with what
a model writes; of it, this shares at most the objects, for reading.  The user's files, index, stash and branches are
only read, once.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from unsorry import UnsorryError
from unsorry.scaffolds.agent import carry, places, sharing
from unsorry.scaffolds.agent.beneath import Beneath, is_git, read_at
from unsorry.scaffolds.agent.git import Entry, Git

FORMAT = 1
OWN = b".unsorry/"  # the agent's notes: state of the work, and no part of its result
MAX_DEPTH = 64  # of folders; what is deeper is named and left out
RACY = 50_000_000  # nanoseconds: what was written so shortly before a look is read again at the next


@dataclass(slots=True)
class Seen:
    """The files of the copy at one moment; `left_out`: what is there and cannot be part of a tree, with the reason."""

    entries: dict[bytes, Entry] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


class Workspace:
    """One attempt's copy.  `create` makes it, `open` goes on with it; to be closed by the process that has it."""

    def __init__(self, place: Path, state: dict[str, Any], lock: int) -> None:
        self.place, self.files = place, place / "files"
        self.git = Git(place / "git")
        self.origin = Path(state["origin"])  # the user's own folder: ask toolchains and settings there, never here
        self.here: str = state["here"]  # the project in it, "" for the top
        self.base: str = state["base"]  # tree of the files as they were
        self.commit: str = state["commit"]  # the user's HEAD, "" where there is none
        self.left_out: dict[str, str] = state["left_out"]  # of the user's files, with the reason
        self.nested: tuple[str, ...] = tuple(state["nested"])
        self.products: tuple[str, ...] = tuple(state["products"])  # shared folders, relative to the top
        self.shared = tuple(Path(p) for p in state["shared"])  # the same in the user's folder, and packages elsewhere
        self.objects = Path(state["objects"]) if state["objects"] else None
        self.temporary: bool = state["temporary"]
        self.beneath = Beneath(self.files, self.shared)
        self._lock = lock
        self._known: dict[bytes, tuple[tuple[int, ...], Entry]] = {}
        self._base: dict[bytes, Entry] | None = None

    @classmethod
    def create(cls, folder: Path, *, place: Path | None = None, history: bool = True) -> Self:
        """A copy of the project in `folder`; without `place` a temporary one, which goes with its process.

        With a `place` (a new folder, on the file system of the caller's choice) it stays until `remove`.  `history`:
        commits of the user's repository can be looked at from inside.  Raises UnsorryError.
        """
        home, temporary = place or places.temporary_home(), place is None
        home = home.absolute()
        if temporary:
            places.sweep(home.parent)
        origin = carry.look(folder, without=home)
        if (home / "state").exists():
            raise UnsorryError(f"{home} holds a workspace already: resume it, or name another folder")
        lock = places.make(home, temporary)
        try:
            state = _fill(home, origin, temporary, history)
        except BaseException as error:
            places.remove(home)
            os.close(lock)
            if isinstance(error, OSError):
                raise UnsorryError(f"cannot make a workspace in {home}: {error.strerror or error}") from None
            raise
        return cls(home, state, lock)

    @classmethod
    def open(cls, place: Path) -> Self:
        """The workspace that an earlier process left in `place`; raises UnsorryError if there is none to go on with."""
        place = place.absolute()
        try:
            state = json.loads((place / "state").read_bytes())
        except (OSError, ValueError):
            raise UnsorryError(f"{place} holds no workspace: it was never complete, or it was removed") from None
        if state.get("format") != FORMAT:
            raise UnsorryError(f"the workspace in {place} is of another version of unsorry: start a new run")
        lock = places.lock(place)
        if lock is None:
            raise UnsorryError(f"another process works in {place}: wait for it, or stop it")
        return cls(place, state, lock)

    def fork(self, place: Path | None = None) -> Workspace:
        """Another workspace that begins where this one began, whatever the user has changed since."""
        home, temporary = (place or places.temporary_home()).absolute(), place is None
        lock = places.make(home, temporary)
        try:
            shutil.copytree(self.git.folder, home / "git")
            files = home / "files"
            files.mkdir()
            _point(files, home / "git")
            for source, target in zip(self.shared, self.products, strict=False):
                sharing.share(source, files / target)
            state = json.loads((self.place / "state").read_bytes()) | {"temporary": temporary}
            _write_state(home, state)
            made = Workspace(home, state, lock)
            made.restore(self.base)
        except BaseException:
            places.remove(home)
            os.close(lock)
            raise
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the workspace up; a temporary one is removed."""
        if self._lock >= 0:
            if self.temporary:
                places.remove(self.place)
            os.close(self._lock)
            self._lock = -1

    def remove(self) -> None:
        """Closes it and removes it, temporary or not."""
        self.temporary = True
        self.close()

    @property
    def project(self) -> Path:
        """The folder of the copy that stands for the one that was given."""
        return self.files / self.here

    @property
    def base_entries(self) -> dict[bytes, Entry]:
        """The files as they were, by path."""
        if self._base is None:
            self._base = self.git.entries(self.base)
        return self._base

    def snapshot(self) -> str:
        """Records the files as they are now: the id of a tree that `restore` takes, also in another process."""
        return self.git.write_tree(self.look().entries.values())

    def restore(self, tree: str) -> None:
        """Makes the files be those of a snapshot; what git ignores stays as it is."""
        now, wanted = self.look().entries, self.git.entries(tree)
        different = [e for path, e in wanted.items() if now.get(path) != e]
        for gone in [*(p for p in now if p not in wanted), *(e.path for e in different)]:
            self.beneath.remove(os.fsdecode(gone))
        for entry, data in zip(different, self.git.read_blobs([e.blob for e in different]), strict=True):
            path = os.fsdecode(entry.path)
            if entry.mode == "120000":
                self.beneath.link(path, os.fsdecode(data))
            else:
                self.beneath.write(path, data, mode=0o755 if entry.mode == "100755" else 0o644)

    def look(self) -> Seen:
        """The files of the copy that count: those of the base, and new ones that no `.gitignore` leaves out."""
        seen, base, fresh = Seen(), self.base_entries, []
        now = places.clock(self.place)
        for path, facts, folder in self._walk(seen):
            entry = self._entry(path, facts, folder, seen, now)
            if entry is not None:
                seen.entries[path] = entry
                if path not in base:
                    fresh.append(path)
                    if len(fresh) > carry.MAX_FILES:
                        raise UnsorryError(
                            f"there are more than {carry.MAX_FILES} new files: remove those that are not part of it"
                        )
        for path in self.git.ignored(fresh, self._patterns(seen) if fresh else {}):
            del seen.entries[path]
        return seen

    def _patterns(self, seen: Seen) -> dict[bytes, bytes]:
        """The `.gitignore`s that are files, as they were just recorded; git itself follows no link to one."""
        files = [
            e for path, e in seen.entries.items() if path.rpartition(b"/")[2] == b".gitignore" and e.mode != "120000"
        ]
        return dict(zip((e.path for e in files), self.git.read_blobs([e.blob for e in files]), strict=True))

    def _walk(self, seen: Seen) -> Iterator[tuple[bytes, os.stat_result, int]]:
        """(path, what it is, open folder) of everything but folders."""
        root = os.fsencode(self.files)
        skipped = {os.fsencode(p) for p in self.products}
        for where, folders, files, handle in os.fwalk(root, follow_symlinks=False):
            prefix = where[len(root) + 1 :] + b"/" if where != root else b""
            here = list(folders)
            folders.clear()
            for name in sorted([*here, *files]):
                path = prefix + name
                if is_git(os.fsdecode(name)):
                    if prefix or name != b".git":
                        seen.left_out[os.fsdecode(path)] = "git takes no such name"
                    continue
                try:
                    facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
                except OSError:
                    continue
                if not stat.S_ISDIR(facts.st_mode):
                    yield path, facts, handle
                elif path in skipped or (name == b".lake" and not self._is_in_base(path)) or path + b"/" == OWN:
                    continue
                elif path.count(b"/") >= MAX_DEPTH:
                    seen.left_out[os.fsdecode(path)] = f"deeper than {MAX_DEPTH} folders"
                else:
                    folders.append(name)

    def _is_in_base(self, folder: bytes) -> bool:
        return any(path.startswith(folder + b"/") for path in self.base_entries)

    def _entry(self, path: bytes, facts: os.stat_result, folder: int, seen: Seen, now: int) -> Entry | None:
        key = (facts.st_mode, facts.st_size, facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns)
        known = self._known.get(path)
        if known is not None and known[0] == key:
            return known[1]
        name, shown = os.fsdecode(path.rpartition(b"/")[2]), os.fsdecode(path)
        try:
            if stat.S_ISLNK(facts.st_mode):
                data, mode = os.fsencode(os.readlink(name, dir_fd=folder)), "120000"
            elif stat.S_ISREG(facts.st_mode):
                data = read_at(folder, name, shown, carry.MAX_FILE)
                mode = "100755" if facts.st_mode & 0o100 else "100644"
            else:
                seen.left_out[shown] = "not a regular file"
                return None
        except (OSError, UnsorryError) as error:
            seen.left_out[shown] = str(error)
            return self.base_entries.get(path)
        entry = Entry(path, mode, self.git.write_blob(data))
        if facts.st_ctime_ns < now - RACY:
            self._known[path] = key, entry
        return entry


def _fill(home: Path, origin: carry.Origin, temporary: bool, history: bool) -> dict[str, Any]:
    for name in ("files", "git"):  # of a start that was cut short
        shutil.rmtree(home / name, ignore_errors=True)
    files = home / "files"
    files.mkdir()
    objects = origin.objects if history and origin.commit else None
    store = Git.make(home / "git", object_format=origin.object_format)
    (store.folder / "info" / "exclude").write_bytes(origin.excludes)
    carried = carry.copy(origin, files, store)
    base = store.write_tree(carried.entries)
    if objects is not None and origin.shallow:
        (store.folder / "shallow").write_bytes(origin.shallow)
    given = store.write_commit(base, origin.commit if objects else "", "The files as they were given")
    store.call("update-ref", "--no-deref", "HEAD", given)
    store.call("read-tree", "HEAD")
    store.call("config", "core.bare", "false")  # for who looks from inside; we say each time what we mean
    _point(files, store.folder)
    products = list(carry.lake_products(origin))
    for name in products:
        sharing.share(origin.top / name, files / name)
    state = {
        "format": FORMAT, "origin": str(origin.top), "here": origin.here, "base": base, "commit": origin.commit,
        "left_out": carried.left_out, "nested": list(origin.nested), "products": products,
        "shared": [str(path) for path in _shared(origin.top, products)],
        "objects": str(objects) if objects else "", "temporary": temporary,
    }  # fmt: skip
    _write_state(home, state)
    return state


def _shared(top: Path, products: list[str]) -> list[Path]:
    """What is shown, read-only: the folders of products, then the packages that are links out of them."""
    found = [(top / name).resolve() for name in products]
    packages = [(top / name / "packages").resolve() for name in products if (top / name / "packages").is_symlink()]
    return [*found, *(path for path in packages if path.is_dir())]


def _point(files: Path, store: Path) -> None:
    (files / ".git").write_text(f"gitdir: {store}\n")


def _write_state(home: Path, state: dict[str, Any]) -> None:
    """Last of all: a folder without it was never a workspace."""
    part = home / "state.part"
    part.write_text(json.dumps(state, indent=1))
    part.replace(home / "state")
