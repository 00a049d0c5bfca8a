"""What a submission may change: the Lean files that hold the task's holes, and new Lean files that these import.

All else decides what is compiled, with what, or what others have proved: a submission that changes it scores nothing.
New files that no file of the library imports are nobody's business, and are left out before anything is judged; in mode
`open`, where nobody says which files there are to be, all of Lean's count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from unsorry import UnsorryError
from unsorry.repos.environment import FILES
from unsorry.repos.store import LINK, SUBMODULE, Trees
from unsorry.repos.tasks import Task
from unsorry.scaffolds.agent.git import Entry
from unsorry.scaffolds.agent.trees import Tree

LARGEST = 4 << 20  # bytes of a Lean file
MOST = 200  # new Lean files that count


class Tampered(UnsorryError):
    """The submission changes what it may not; `reason` is a code such as `tampered.build_file`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = f"tampered.{reason}"


def editable(task: Task, files: frozenset[str]) -> frozenset[str]:
    """The files of the stub that a submission may change; in mode `open`, all of Lean's."""
    if task.mode == "open":
        return frozenset(path for path in files if path.endswith(".lean") and not _builds(path))
    return frozenset({hole.file for hole in task.holes} | {o.file for o in task.obligations}) & files


def checked(
    trees: Trees, task: Task, stub: str, result: str, roots: tuple[str, ...], library: Sequence[Path] = (),
) -> str:  # fmt: skip
    """The tree that is judged: the result without new files that do not count; raises Tampered.

    `library`: the folders of compiled modules, whose names no new file may take.
    """
    before = trees.entries(stub)
    may = editable(task, frozenset(path.decode("utf-8", "surrogateescape") for path in before))
    kept = dict(before)
    new: dict[str, Entry] = {}
    for path, (was, now) in trees.changed(stub, result).items():
        if was is None and now is not None:
            if _builds(path):
                raise Tampered("build_file", f"{path} is new: it decides what is compiled, and with what")
            if path.endswith(".lean"):
                if not _plain(now):
                    raise Tampered("link", f"{path} is made a link: only files can be judged")
                new[path] = now
            continue
        _refuse(path, was, now, may)
        assert now is not None
        _small(trees, path, now)
        kept[now.path] = now
    for path in new if task.mode == "open" else list(_counted(trees, kept, new, may, roots)):
        _small(trees, path, new[path])
        _no_shadow(path, roots, library)
        kept[new[path].path] = new[path]
    return trees.git.write_tree(kept.values())


def _refuse(path: str, was: Entry | None, now: Entry | None, may: frozenset[str]) -> None:
    if _builds(path):
        raise Tampered("build_file", f"{path} is changed: it decides what is compiled, and with what")
    if now is None:
        raise Tampered("deleted", f"{path} is deleted: what rests on it could not be judged")
    if not _plain(now):
        raise Tampered("link", f"{path} is made a link: only files can be judged")
    if path not in may:
        raise Tampered("other_file", f"{path} is changed, and holds nothing that the task asks for")
    if was is not None and was.mode != now.mode:
        raise Tampered("mode", f"the mode of {path} is changed from {was.mode} to {now.mode}")


def _plain(entry: Entry) -> bool:
    return entry.mode not in (LINK, SUBMODULE)


def _builds(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in FILES or name.startswith("lakefile") or name == ".gitmodules" or "/.lake/" in f"/{path}"


def _no_shadow(path: str, roots: tuple[str, ...], library: Sequence[Path]) -> None:
    """A file in the place of a compiled module would be what others import under its name."""
    for root in roots:
        inside = path.removeprefix(f"{root}/") if root else path
        compiled = any((folder / inside).with_suffix(".olean").is_file() for folder in library)
        if compiled and (not root or inside != path):
            raise Tampered("shadow", f"{path} has the name of a module that is compiled already, of Lean or a package")


def _small(trees: Trees, path: str, entry: Entry) -> None:
    size = int(trees.git.call("cat-file", "-s", entry.blob))
    if size > LARGEST:
        raise Tampered("size", f"{path} has {size} bytes, more than the {LARGEST} that are judged")


def _counted(
    trees: Trees, kept: dict[bytes, Entry], new: dict[str, Entry], may: frozenset[str], roots: tuple[str, ...]
) -> Iterator[str]:
    """The new files that a file which may be changed imports, through other new ones too."""
    if not new:
        return
    whole = Tree(trees.git, trees.git.write_tree([*kept.values(), *new.values()]), roots)
    todo, seen = [path for path in sorted(may) if path in whole], set[str]()
    while todo:
        try:
            wanted = whole.imports(todo.pop())
        except UnsorryError:
            continue  # no UTF-8: it is told where it is judged
        for path in wanted:
            if path in new and path not in seen:
                seen.add(path)
                todo.append(path)
                if len(seen) > MOST:
                    raise Tampered("size", f"more than {MOST} new files are imported")
                yield path
