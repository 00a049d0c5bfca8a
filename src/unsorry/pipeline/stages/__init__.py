"""The stages; a module here registers its own kinds when it is imported."""

from __future__ import annotations

import importlib
import pkgutil

from unsorry import UnsorryError


def load() -> None:
    """Import every module of this package, so that its stages are known."""
    try:
        for module in pkgutil.iter_modules(__path__):
            importlib.import_module(f"{__name__}.{module.name}")
    except ModuleNotFoundError as error:
        raise lacking(error) from None


def lacking(error: ModuleNotFoundError) -> Exception:
    """One line for a package of the extra that is not installed; the error itself where a module of ours is missing."""
    package = (error.name or "").partition(".")[0]
    if package == "unsorry":
        return error
    extra = "vllm" if package == "vllm" else "train"
    return UnsorryError(f"the package {package} is not installed: pip install 'unsorry[{extra}]'")
