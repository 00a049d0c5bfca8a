"""What the agent is for: prompts, tools and settings of a kind of task, as data beside this file."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from unsorry import UnsorryError

NAMES = ("prove", "define", "migrate", "translate")


@dataclass(frozen=True, slots=True)
class Profile:
    """`tools` by name; `compact_at` and `keep_words` in tokens; `bash_seconds` where a command names no time-out."""

    name: str
    description: str
    prompts: tuple[str, ...]
    tools: tuple[str, ...]
    first_look: bool = False
    judge_all: bool = False  # every theorem of the files that the task names, not only those that had a sorry
    temperature: float = 1.0
    compact_at: int = 168_000
    keep_words: int = 20_000
    compact_temperature: float = 0.2
    bash_seconds: float = 1200.0
    failed_attempts: int = 2
    folder: Path | None = None  # of the prompts; None: the package's own

    def system(self) -> str:
        """The system prompt; raises UnsorryError for a prompt that is missing."""
        return "\n".join(self._prompt(name).strip() + "\n" for name in self.prompts)

    def _prompt(self, name: str) -> str:
        try:
            place = (self.folder / name) if self.folder else resources.files(__package__).joinpath(name)
            return Template(place.read_text(encoding="utf-8")).safe_substitute(failed_attempts=self.failed_attempts)
        except (OSError, UnicodeDecodeError) as error:
            raise UnsorryError(f"the prompt {name} of profile {self.name} cannot be read: {error}") from None


def load(name: str) -> Profile:
    """One of `NAMES`, or a TOML file of the same shape, with its prompts beside it; raises UnsorryError."""
    if name in NAMES:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
        return _read(name, text, None)
    path = Path(name)
    if path.suffix != ".toml":
        near = difflib.get_close_matches(name, NAMES, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnsorryError(f"there is no profile {name!r}: use {', '.join(NAMES)} or a .toml file{hint}")
    try:
        return _read(path.stem, path.read_text(encoding="utf-8"), path.parent)
    except (OSError, UnicodeDecodeError) as error:
        raise UnsorryError(f"cannot read the profile {path}: {error}") from None


def _read(name: str, text: str, folder: Path | None) -> Profile:
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnsorryError(f"the profile {name} is not TOML: {error}") from None
    known = {field.name: field.type for field in fields(Profile) if field.name not in ("name", "folder")}
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, list(known), 1)
            raise UnsorryError(f"profile {name}: unknown key {key!r}" + (f"; did you mean {near[0]}?" if near else ""))
        given[key] = _value(name, key, str(known[key]), value)
    for prompt in given.get("prompts", ()):
        if Path(prompt).name != prompt:
            raise UnsorryError(f"profile {name}: the prompt {prompt!r} is no name of a file beside it")
    missing = [key for key in ("description", "prompts", "tools") if key not in given]
    if missing:
        raise UnsorryError(f"profile {name}: {missing[0]} is missing")
    return Profile(name=name, folder=folder, **given)


def _value(profile: str, key: str, kind: str, value: Any) -> Any:
    if kind.startswith("tuple") and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind == type(value).__name__:
        return value
    raise UnsorryError(f"profile {profile}: {key} must be of type {kind}, not {value!r}")
