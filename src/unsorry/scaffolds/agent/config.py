"""Settings of the agent: defaults < user's file < project's file < flags.

    ~/.config/unsorry/agent.toml     the user's ($XDG_CONFIG_HOME, or $UNSORRY_AGENT_CONFIG for another file)
    unsorry.toml, table [agent]      the project's

A project's file comes with the project: what could run programs, send the work somewhere or skip a question is taken
from it only in a folder that the user trusts.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from unsorry import UnsorryError
from unsorry.scaffolds.agent.limits import Limits
from unsorry.scaffolds.agent.profiles import NAMES

PROJECT_FILE = "unsorry.toml"
VARIABLE = "UNSORRY_AGENT_CONFIG"
HARMLESS = ("profile", "limits", "provers")  # what an untrusted project may set: one of ours, tighter, without a model
PROVERS = ("search",)
_LIMITS = {"turns": "turns", "price": "price", "tokens": "tokens", "time": "seconds"}


@dataclass(frozen=True, slots=True)
class ProverSettings:
    """Cheap provers, in the order in which they are tried; seconds for each on a goal."""

    names: tuple[str, ...] = ("search",)
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Compaction:
    """`model` "" is the model itself; `at` and `words` in tokens, None: the profile's."""

    model: str | Mapping[str, Any] = ""
    at: int | None = None
    words: int | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """`model` is a name or a table of `models/registry.py`; `prices` a file; `trusted_folders` only of the user."""

    model: str | Mapping[str, Any] = "search"
    profile: str = "prove"
    prices: str = ""
    limits: Limits = field(default_factory=Limits)
    compaction: Compaction = field(default_factory=Compaction)
    provers: ProverSettings = field(default_factory=ProverSettings)
    unattended: Literal["refuse", "allow"] = "refuse"  # what becomes of a question that nobody is there to answer
    tools: Mapping[str, Any] = field(default_factory=dict)
    mcp_servers: tuple[Any, ...] = ()  # mcp.config.ServerConfig
    trusted_folders: tuple[Path, ...] = ()


def read_config(project: Path) -> tuple[Config, list[str]]:
    """The settings for a project, and lines to tell of what was left aside; raises UnsorryError."""
    told: list[str] = []
    config = Config()
    path = user_file()
    if path.is_file():
        config = merged(config, _toml(path), str(path))
    elif VARIABLE in os.environ:
        raise UnsorryError(f"{VARIABLE} names {path}, which is not there")
    path = project / PROJECT_FILE
    if path.is_file():
        table = _toml(path).get("agent", {})
        if not isinstance(table, Mapping):
            raise UnsorryError(f"{path}: agent must be a table")
        if not _trusted(project, config.trusted_folders):
            table, left = _harmless(table, config, f"{path}: [agent]")
            if left:
                told.append(
                    f"{path}: {', '.join(left)} left aside, as it comes with the project: add {project.resolve()} to "
                    f"trusted_folders in {user_file()} if you trust it"
                )
        elif "trusted_folders" in table:
            raise UnsorryError(f"{path}: a project cannot trust itself: put trusted_folders into {user_file()}")
        config = merged(config, table, f"{path}: [agent]")
    return config, told


def _harmless(table: Mapping[str, Any], config: Config, where: str) -> tuple[dict[str, Any], list[str]]:
    """(what a stranger's project may set, what is left aside).

    A profile that is a file brings prompts from anywhere on the disk; a prover that is more than a name may be an
    endpoint, to which it sends the key of its choice; and a limit of the user's is only made tighter.
    """
    kept: dict[str, Any] = {}
    for key in table.keys() & set(HARMLESS):
        value = kept[key] = table[key]
        read = _READ[key](value, config, f"{where}: {key}")
        if (key == "profile" and read not in NAMES) or (key == "provers" and not set(read.names) <= set(PROVERS)):
            del kept[key]
        elif key == "limits":
            before = {name: getattr(config.limits, own) for name, own in _LIMITS.items()}
            kept[key] = {n: v for n, v in value.items() if (most := before[n]) is None or v < most}
    return kept, [key for key in table if key not in kept]


def user_file() -> Path:
    """Where the user's settings are."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return Path(os.environ.get(VARIABLE) or home / "unsorry" / "agent.toml")


def merged(config: Config, table: Mapping[str, Any], where: str) -> Config:
    """The settings with those of a file over them; raises UnsorryError that names file and key."""
    known = [f.name for f in fields(Config)]
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
            raise UnsorryError(f"{where}: unknown key {key!r}; {hint}")
    values = {key: _READ[key](table[key], config, f"{where}: {key}") for key in table}
    return replace(config, **values)


def _text(value: Any, _: Config, where: str) -> str:
    if not isinstance(value, str):
        raise UnsorryError(f"{where} must be a text, not {value!r}")
    return value


def _model(value: Any, config: Config, where: str) -> str | Mapping[str, Any]:
    return value if isinstance(value, Mapping) else _text(value, config, where)


def _limits(value: Any, config: Config, where: str) -> Limits:
    given = _table(value, tuple(_LIMITS), where)
    for key, number in given.items():
        if not isinstance(number, int | float) or isinstance(number, bool):
            raise UnsorryError(f"{where}.{key} must be a number, not {number!r}")
    return replace(config.limits, **{_LIMITS[key]: number for key, number in given.items()})


def _compaction(value: Any, config: Config, where: str) -> Compaction:
    given = _table(value, ("model", "at", "words"), where)
    for key in ("at", "words"):
        if key in given and (not isinstance(given[key], int) or isinstance(given[key], bool)):
            raise UnsorryError(f"{where}.{key} must be a whole number of tokens, not {given[key]!r}")
    if "model" in given:
        given["model"] = _model(given["model"], config, f"{where}.model")
    return replace(config.compaction, **given)


def _provers(value: Any, config: Config, where: str) -> ProverSettings:
    given = _table(value, ("names", "seconds"), where)
    if "names" in given:
        given["names"] = _texts(given["names"], config, f"{where}.names")
    if "seconds" in given and not isinstance(given["seconds"], int | float):
        raise UnsorryError(f"{where}.seconds must be a number, not {given['seconds']!r}")
    return replace(config.provers, **given)


def _unattended(value: Any, _: Config, where: str) -> str:
    if value not in ("refuse", "allow"):
        raise UnsorryError(f'{where} is "refuse" or "allow", not {value!r}')
    return str(value)


def _tools(value: Any, config: Config, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UnsorryError(f"{where} must hold tables, such as [tools.bash]")
    return {**config.tools, **value}


def _servers(value: Any, config: Config, where: str) -> tuple[Any, ...]:
    try:
        from unsorry.scaffolds.agent.mcp.config import parse_servers
    except ImportError:
        raise UnsorryError(f"{where} needs the MCP SDK: pip install 'unsorry[agent]'") from None
    return (*config.mcp_servers, *parse_servers(value, where.rpartition(":")[0]))


def _texts(value: Any, _: Config, where: str) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(v, str) for v in value):
        raise UnsorryError(f"{where} must be a list of texts")
    return tuple(value)


def _folders(value: Any, config: Config, where: str) -> tuple[Path, ...]:
    return tuple(Path(text).expanduser() for text in _texts(value, config, where))


def _table(value: Any, known: Sequence[str], where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise UnsorryError(f"{where} must be a table with {', '.join(known)}")
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise UnsorryError(f"{where}: unknown key {key!r}; did you mean {near[0] if near else ', '.join(known)}?")
    return dict(value)


def _trusted(folder: Path, folders: Sequence[Path]) -> bool:
    real = folder.resolve()
    return any(real.is_relative_to(given.resolve()) for given in folders)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UnsorryError(f"cannot read {path}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise UnsorryError(f"{path} is not TOML: {error}") from None


_READ: Mapping[str, Callable[[Any, Config, str], Any]] = {
    "model": _model, "profile": _text, "prices": _text, "limits": _limits, "compaction": _compaction,
    "provers": _provers, "unattended": _unattended, "tools": _tools, "mcp_servers": _servers,
    "trusted_folders": _folders,
}  # fmt: skip
