"""Prices of models from a TOML file, in US dollars for a million tokens (docs/models.md).

[mistral-small-latest]
input = 0.1
cached = 0.01
output = 0.3

["http://127.0.0.1:8000/v1#Qwen/Qwen3-8B"]   # this model at this endpoint
free = true
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unsorry import UnsorryError
from unsorry.provers.price import Price

_KEYS = ("input", "cached", "output")
FREE = Price(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by `MODEL` or `URL#MODEL`."""

    entries: Mapping[str, Price] = field(default_factory=dict)

    def of(self, model: str, base_url: str = "") -> Price:
        """The price of exactly this model, there if it has one of its own there; an unknown one if it has none.

        Never that of a model with a similar name: a free preview is not billed as the model that it is based on.
        """
        found = self.entries.get(f"{base_url.rstrip('/')}#{model}") if base_url else None
        return found or self.entries.get(model) or Price()


def read_prices(path: Path) -> Prices:
    """Raises UnsorryError, naming file and entry, for a file that cannot be read as prices."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnsorryError(f"cannot read the prices in {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnsorryError(f"{path} is not TOML: {error}") from None
    return Prices({_normal(name): _price(entry, f"{path}: [{name}]") for name, entry in raw.items()})


def _normal(name: str) -> str:
    url, mark, model = name.partition("#")
    return f"{url.rstrip('/')}#{model}" if mark else name


def _price(entry: Any, where: str) -> Price:
    if not isinstance(entry, Mapping) or any(isinstance(value, Mapping) for value in entry.values()):
        raise UnsorryError(f"{where} is no price: write a table with input, cached and output; quote names with dots")
    unknown = [key for key in entry if key not in (*_KEYS, "free")]
    if unknown:
        raise UnsorryError(f"{where}: {unknown[0]} is not known; known are {', '.join(_KEYS)}, free")
    if "free" in entry:
        if entry["free"] is not True or len(entry) > 1:
            raise UnsorryError(f"{where}: free = true stands alone; for a price give input, cached and output")
        return FREE
    missing = [key for key in _KEYS if key not in entry]
    if missing:
        hint = " (the price of input, if there is no discount)" if missing[0] == "cached" else ""
        raise UnsorryError(f"{where}: {missing[0]} is missing{hint}; a price that is not known is left out as a whole")
    for key in _KEYS:
        value = entry[key]
        if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
            raise UnsorryError(f"{where}: {key} must be dollars for a million tokens, 0 or more, not {value!r}")
    return Price(*(float(entry[key]) for key in _KEYS))
