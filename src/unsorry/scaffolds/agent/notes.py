"""`.unsorry/notes.md`: what the agent wants to know when its context is gone; in a file, so that work survives."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.scaffolds.agent import Observation, ToolSpec
from unsorry.scaffolds.agent.beneath import Beneath

FOLDER = ".unsorry"
PATH = f"{FOLDER}/notes.md"
MAX_BYTES = 1 << 20  # of a file that is read at all
MAX_NOTES = 200_000  # characters; more helps nobody
SHOWN = 20_000  # characters that are put before a model


class Notes:
    """The notes of a project's copy.  Each write replaces the file as a whole, so that it is never half written.

    Whoever wrote the copy may have put a link, a pipe or a device there: none is followed, read or written.
    """

    def __init__(self, root: Path) -> None:
        self.beneath = Beneath(root.resolve(), links=False)

    def read(self) -> str:
        """The notes, "" if there are none; raises UnsorryError if they cannot be read."""
        with self.beneath.find(PATH) as place:
            if place.facts is None:
                return ""
        try:
            return self.beneath.read(PATH, MAX_BYTES).decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnsorryError(f"cannot read {PATH}: {error}; correct or remove it") from None

    def append(self, text: str) -> None:
        """Adds a paragraph."""
        before = self.read().rstrip("\n")
        self.replace(f"{before}\n\n{text.strip()}\n" if before else f"{text.strip()}\n")

    def replace(self, text: str) -> None:
        """Writes the notes anew."""
        if len(text) > MAX_NOTES:
            raise UnsorryError(
                f"the notes would have {len(text)} characters, more than {MAX_NOTES}: replace them by a shorter text"
            )
        try:
            self.beneath.write(PATH, text.encode("utf-8"))
        except UnicodeEncodeError:
            raise UnsorryError(f"cannot write {PATH}: the text is no valid Unicode; the notes are unchanged") from None

    def shown(self) -> str:
        """The notes for a model's eyes: whole, or the end of them."""
        text = self.read().strip()
        if len(text) <= SHOWN:
            return text
        return f"(… {len(text) - SHOWN} characters before this: read {FOLDER}/notes.md)\n{text[-SHOWN:]}"


class TakeNotes:
    """The tool: read and write the notes."""

    spec = ToolSpec(
        "notes",
        "Your notes, which outlive your context: what you tried, what failed and why, what to do next. `append` adds a "
        "paragraph, `replace` writes them anew, `read` shows them.",
        {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["read", "append", "replace"]},
                "text": {"type": "string", "description": "For `append` and `replace`."},
            },
            "required": ["action"],
            "additionalProperties": False,
        },
    )

    def __init__(self, notes: Notes) -> None:
        self.notes = notes

    def run(self, arguments: Mapping[str, Any]) -> Observation:
        action, text = arguments["action"], str(arguments.get("text", ""))
        try:
            if action == "read":
                return Observation(self.notes.read() or "There are no notes yet.")
            if not text.strip() and action == "append":
                return Observation("`append` needs a text", "error")
            (self.notes.append if action == "append" else self.notes.replace)(text)
        except UnsorryError as error:
            return Observation(str(error), "error")
        return Observation(f"Noted; the notes have {len(self.notes.read())} characters.")


def write(path: Path, text: str) -> None:
    """Replaces a file of ours, which no model can reach, by a complete new one; raises UnsorryError, and leaves the old
    one, if that cannot be done."""
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            name = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except (OSError, UnicodeEncodeError) as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        why = error.strerror if isinstance(error, OSError) else "the text is no valid Unicode"
        raise UnsorryError(f"cannot write {path}: {why or error}; what was there is unchanged") from None
