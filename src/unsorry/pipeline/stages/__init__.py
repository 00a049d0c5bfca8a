"""The stages; a module here registers its own kinds when it is imported."""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Import every module of this package, so that its stages are known."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
