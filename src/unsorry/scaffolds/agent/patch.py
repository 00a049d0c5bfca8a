"""The result: a patch from the files as they were to the files as they are, and the proof that it applies.

It is made between two recorded trees, in our own git folder, so that attributes and drivers of the files mean nothing.
It is checked by `git apply` on the tree of the base alone: what comes out must be the tree of the result.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from unsorry import UnsorryError
from unsorry.scaffolds.agent.git import GitFailed
from unsorry.scaffolds.agent.workspace import OWN, Workspace

RENAMED = "R"
KINDS = {"A": "added", "D": "deleted", "M": "changed", "T": "changed", RENAMED: "renamed"}


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs; `before` is its old path where it was renamed, modes are git's ("" for none)."""

    path: str
    kind: str  # "added" | "deleted" | "changed" | "renamed"
    before: str
    old_mode: str
    new_mode: str

    @property
    def mode_changed(self) -> bool:
        return bool(self.old_mode and self.new_mode and self.old_mode != self.new_mode)


@dataclass(frozen=True, slots=True)
class Patch:
    """`text` is what `git apply` takes; `left_out` names what is in the workspace and cannot be in a patch."""

    text: bytes
    base: str  # trees in the workspace's git folder
    result: str
    changes: tuple[Change, ...]
    left_out: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.changes)


def make_patch(workspace: Workspace, result: str = "") -> Patch:
    """The patch to the workspace as it is now, or to a snapshot of it.  Raises UnsorryError if it does not apply."""
    git, left_out = workspace.git, {}
    if not result:
        seen = workspace.look()
        left_out = seen.left_out
        result = git.write_tree(seen.entries.values())
    result = _without_notes(workspace, result)
    trees = (workspace.base, result)
    names = git.call("diff-tree", "-r", "-z", "-M", "--no-ext-diff", "--no-textconv", *trees)
    text = git.call(
        "diff-tree", "-r", "-p", "-M", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color",
        "--src-prefix=a/", "--dst-prefix=b/", *trees,
    )  # fmt: skip
    patch = Patch(text, workspace.base, result, tuple(_changes(names)), left_out)
    if text:
        _prove(workspace, patch)
    return patch


def _without_notes(workspace: Workspace, tree: str) -> str:
    """The tree with the agent's own notes as they were in the base."""
    entries = workspace.git.entries(tree)
    mine = [path for path in {*entries, *workspace.base_entries} if path.startswith(OWN)]
    if all(entries.get(path) == workspace.base_entries.get(path) for path in mine):
        return tree
    for path in mine:
        entries.pop(path, None)
        if path in workspace.base_entries:
            entries[path] = workspace.base_entries[path]
    return workspace.git.write_tree(entries.values())


def _changes(raw: bytes) -> list[Change]:
    """From `diff-tree -z`: `:modes blobs status NUL path NUL`, with a second path for what was renamed."""
    found, words = [], iter(raw.split(b"\0"))
    for head in words:
        if not head:
            continue
        old_mode, new_mode, _, _, status = head.decode().lstrip(":").split()
        path = before = os.fsdecode(next(words))
        if status[0] == RENAMED:
            path = os.fsdecode(next(words))
        modes = ["" if mode == "000000" else mode for mode in (old_mode, new_mode)]
        renamed = status[0] == RENAMED
        found.append(Change(path, KINDS.get(status[0], "changed"), before if renamed else "", modes[0], modes[1]))
    return found


def _prove(workspace: Workspace, patch: Patch) -> None:
    """Applies the patch to the base with the user's tool; what comes out is compared byte for byte, mode for mode."""
    git = workspace.git
    index = git.folder / f"index.apply.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        git.call("read-tree", patch.base, index=index)
        git.call("apply", "--cached", "--whitespace=nowarn", "-", stdin=patch.text, index=index)
        made = git.call("write-tree", index=index).decode().strip()
    except GitFailed as failure:
        raise UnsorryError(f"the patch does not apply to the files it was made from: {failure}") from None
    finally:
        index.unlink(missing_ok=True)
    if made != patch.result:
        raise UnsorryError("the patch does not give the files that it was made from; they are still in the workspace")
