"""Models by the names that the command line uses, and from the tables of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from unsorry import UnsorryError
from unsorry.provers.journal import Journal
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Model
from unsorry.scaffolds.agent.models.text import TextModel
from unsorry.scaffolds.agent.prices import FREE, Prices

NAMES = ("endpoint:URL#MODEL", "local:FOLDER", "scripted:FILE.json")
PROTOCOLS = ("tools", "text")
_ENDPOINT: dict[str, type] = {
    "key": str, "protocol": str, "context": int, "stream": bool, "max_tokens": int, "temperature": float,
    "top_p": float, "seed": int, "reasoning": str, "timeout": float, "each": float, "free": bool, "input": float,
    "cached": float, "output": float, "extra": dict,
}  # fmt: skip
_LOCAL: dict[str, type] = {
    "max_tokens": int, "temperature": float, "top_p": float, "seed": int, "dtype": str, "device": str, "context": int,
}  # fmt: skip
_TRUTH = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
Watch = Callable[[str, str], None]


def make(
    name: str,
    *,
    prices: Prices | None = None,
    journal: Journal | None = None,
    attempt: int = 0,
    watch: Watch | None = None,
) -> Model:
    """The model called `name`; docs/models.md lists the options, written `?option=value&...` behind it.

    `journal` keeps what an endpoint answered; `attempt` tells attempts at one task apart; `watch` is shown the pieces
    of a streamed answer.  Raises UnsorryError for a name, option, folder or file that is wrong.
    """
    kind, _, rest = name.partition(":")
    url, _, named = rest.partition("#")
    target, _, options = (named if kind == "endpoint" else rest).partition("?")
    table = _parsed(name, options, _ENDPOINT if kind == "endpoint" else _LOCAL)
    if kind == "endpoint" and url:
        if not target:
            raise UnsorryError(f"model {name!r} names no model: write endpoint:URL#MODEL")
        table |= {"endpoint": url, "model": target}
    elif kind == "local" and target:
        table["local"] = target
    elif kind == "scripted" and target and not options:
        table["scripted"] = target
    else:
        raise UnsorryError(f"unknown model {name!r}: use one of {', '.join(NAMES)}")
    return from_table(table, prices=prices, journal=journal, attempt=attempt, watch=watch, where=f"model {name!r}")


def from_table(
    table: Mapping[str, Any],
    *,
    prices: Prices | None = None,
    journal: Journal | None = None,
    attempt: int = 0,
    watch: Watch | None = None,
    where: str = "[model]",
) -> Model:
    """A model from a table with `endpoint` and `model`, or `local`, or `scripted`, and options; raises UnsorryError."""
    given = dict(table)
    kinds = [kind for kind in ("endpoint", "local", "scripted") if kind in given]
    if len(kinds) != 1 or not isinstance(target := given.pop(kinds[0]), str):
        raise UnsorryError(f"{where} must name one of endpoint (and model), local, scripted, each a text")
    if kinds[0] == "scripted":
        from unsorry.scaffolds.agent.models.scripted import ScriptedModel

        _check(given, {}, where)
        return ScriptedModel.from_file(Path(target))
    if kinds[0] == "local":
        _check(given, _LOCAL, where)
        return _local(target, given, attempt)
    model = given.pop("model", "")
    if not isinstance(model, str) or not model:
        raise UnsorryError(f"{where} names no model for {target}")
    _check(given, _ENDPOINT, where)
    return _endpoint(target, model, given, prices or Prices(), journal, attempt, watch, where)


def _endpoint(
    url: str, model: str, given: dict[str, Any], prices: Prices, journal: Journal | None, attempt: int,
    watch: Watch | None, where: str,
) -> Model:  # fmt: skip
    _need("httpx", "agent")
    from unsorry.scaffolds.agent.models.endpoint import EndpointModel

    protocol = given.pop("protocol", "tools")
    if protocol not in PROTOCOLS:
        raise UnsorryError(f"{where}: protocol {protocol!r} is not known: use tools or text")
    parts = {key: given.pop(key) for key in ("input", "cached", "output") if key in given}
    price = Price(**{key: float(value) for key, value in parts.items()}) if parts else prices.of(model, url)
    price = FREE if given.pop("free", False) else price
    made = EndpointModel(
        url, model, api_key_env=given.pop("key", ""), price=price, journal=journal, attempt=attempt, watch=watch,
        **given,
    )  # fmt: skip
    return TextModel(made) if protocol == "text" else made


def _local(folder: str, given: dict[str, Any], attempt: int) -> Model:
    _need("torch", "train")
    _need("transformers", "train")
    from unsorry.provers.local import LocalProver
    from unsorry.scaffolds.agent.models.local import Conversation, LocalModel
    from unsorry.training.model import load_model, weights_digest

    model, tokenizer = load_model(folder, dtype=given.pop("dtype", "float32"), device=given.pop("device", "cpu"))
    seed = given.pop("seed", 0) + attempt
    most = {"max_tokens": given.pop("max_tokens")} if given.get("max_tokens") else {}
    prover = LocalProver(
        model, tokenizer, Conversation(), id=f"local:{Path(folder).name}", version=weights_digest(model)[:16], **most
    )
    return TextModel(LocalModel(prover, seed=seed, **given))


def _parsed(name: str, text: str, known: Mapping[str, type]) -> dict[str, Any]:
    """Options behind a name, as values of their types."""
    table: dict[str, Any] = {}
    try:
        for key, value in parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text)):
            kind = known.get(key, str)
            if kind is dict:
                raise UnsorryError(f"model {name!r}: {key} is a table: write it in a configuration file")
            table[key] = _TRUTH[value.lower()] if kind is bool else kind(value)
    except KeyError as error:
        raise UnsorryError(f"model {name!r}: {error} is neither 1 nor 0") from None
    except ValueError as error:
        raise UnsorryError(f"model {name!r}: {error}; write options as ?name=value&name=value") from None
    return table


def _check(given: Mapping[str, Any], known: Mapping[str, type], where: str) -> None:
    for key, value in given.items():
        if key not in known:
            raise UnsorryError(f"{where}: unknown option {key!r}; known are {', '.join(known) or 'none'}")
        kind = known[key]
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not fits and not (kind is float and type(value) is int):
            raise UnsorryError(f"{where}: {key} must be of type {kind.__name__}, not {value!r}")


def _need(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise UnsorryError(f"this model needs {module}: pip install 'unsorry[{extra}]'")
