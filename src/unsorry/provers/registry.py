"""Provers by the names that the command line and recipes use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from unsorry import Prover, UnsorryError

if TYPE_CHECKING:
    from unsorry.provers.formats import Format

NAMES = ("search", "scripted:FILE", "local:FOLDER", "endpoint:URL#MODEL", "vllm:FOLDER")

# What may follow a name as `?option=value&...`, and how it is read.
_LOCAL: dict[str, type] = {
    "format": str,
    "max_tokens": int,
    "batch": int,
    "dtype": str,
    "device": str,
    "fp32_head": int,
}
_ENDPOINT: dict[str, type] = {
    "format": str, "max_tokens": int, "kind": str, "key": str, "concurrency": int, "input": float, "cached": float,
    "output": float, "journal": str,
}  # fmt: skip
_VLLM: dict[str, type] = {"format": str, "max_tokens": int, "tp": int, "length": int, "dtype": str, "fp32_head": int}


def make(name: str, *, workers: int = 1, sandbox: str = "strict") -> Prover:
    """The prover called `name`.

    - `search`
    - `scripted:FILE.json`, proofs by problem id or target
    - `local:FOLDER`, a model that is sampled here; options `?format=plain&max_tokens=512&batch=64&dtype=bfloat16`
    - `endpoint:URL#MODEL`, options `?key=VARIABLE&kind=completions&input=0.4&cached=0.1&output=2&journal=FILE`: the
      variable that holds the key, and dollars for a million tokens
    - `vllm:FOLDER`, options `?tp=2&length=40960`

    `sandbox` names the confinement for the Lean processes that the prover starts.  Raises UnsorryError for a name
    that is not known, and for what is wrong with its folder, endpoint or options.
    """
    kind, _, argument = name.partition(":")
    if kind == "search" and not argument:
        from unsorry.judge.sandbox import choose
        from unsorry.provers.search import SearchProver

        return SearchProver(confinement=choose(sandbox), workers=workers)
    if kind == "scripted" and argument:
        from unsorry.provers.scripted import ScriptedProver

        return ScriptedProver.from_file(Path(argument))
    if kind == "local" and argument:
        return _local(*_options(name, argument, _LOCAL))
    if kind == "endpoint" and argument:
        return _endpoint(name, argument)
    if kind == "vllm" and argument:
        return _vllm(*_options(name, argument, _VLLM))
    raise UnsorryError(f"unknown prover {name!r}: use one of {', '.join(NAMES)}")


def _options(name: str, argument: str, known: dict[str, type]) -> tuple[str, dict[str, Any]]:
    """What stands before the `?`, and the options behind it."""
    before, _, text = argument.partition("?")
    options: dict[str, Any] = {}
    try:
        for key, value in parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text)):
            if key not in known:
                raise UnsorryError(f"prover {name!r}: unknown option {key!r}; known are {', '.join(known)}")
            options[key] = known[key](value)
    except ValueError as error:
        raise UnsorryError(f"prover {name!r}: {error}; write options as ?name=value&name=value") from None
    return before, options


def _local(folder: str, options: dict[str, Any]) -> Prover:
    _need("local", "torch", "transformers")
    from unsorry.provers.local import LocalProver

    # A name is resolved here, at the edge: the prover itself takes any model and knows nothing of training.
    from unsorry.training.model import load_model, weights_digest

    model, tokenizer = load_model(
        folder, dtype=options.pop("dtype", "float32"), device=options.pop("device", "cpu"),
        fp32_head=bool(options.pop("fp32_head", 0)),
    )  # fmt: skip
    form = _format(options, tokenizer)
    version = weights_digest(model)[:16]
    return LocalProver(model, tokenizer, form, id=f"local:{Path(folder).name}", version=version, **options)


def _endpoint(name: str, argument: str) -> Prover:
    url, hash, rest = argument.partition("#")
    model, options = _options(name, rest, _ENDPOINT)
    if not hash or not model:
        raise UnsorryError(f"prover {name!r} names no model: write endpoint:URL#MODEL")
    _need("endpoint", "httpx")
    from unsorry.provers import formats
    from unsorry.provers.endpoint import EndpointProver, Price
    from unsorry.provers.journal import Journal

    kind = options.pop("kind", "chat")
    form = formats.make(options.pop("format", "plain" if kind == "completions" else "goedel"))
    price = Price(options.pop("input", None), options.pop("cached", None), options.pop("output", None))
    journal = options.pop("journal", None)
    return EndpointProver(
        url, model, form, api_key_env=options.pop("key", ""), kind=kind, price=price,
        journal=Journal(Path(journal)) if journal else None, **options,
    )  # fmt: skip


def _vllm(folder: str, options: dict[str, Any]) -> Prover:
    _need("vllm", "transformers", extra="vllm")
    from transformers import AutoTokenizer

    from unsorry.provers.vllm import EngineConfig, VllmProver

    path = Path(folder)
    if not (path / "config.json").is_file():
        raise UnsorryError(f"{folder} is no model folder: it has no config.json")
    try:
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    except (OSError, ValueError) as error:
        raise UnsorryError(
            f"{folder} has no tokenizer that can be read: {' '.join(str(error).split())[:200]}"
        ) from None
    config = EngineConfig(
        tensor_parallel=options.pop("tp", 1), max_model_len=options.pop("length", 40_960),
        dtype=options.pop("dtype", "bfloat16"), fp32_head=bool(options.pop("fp32_head", 0)),
    )  # fmt: skip
    return VllmProver(path, tokenizer, _format(options, tokenizer), config=config, **options)


def _format(options: dict[str, Any], tokenizer: Any) -> Format:
    """The format that is named, or the one that the tokenizer was made for."""
    from unsorry.provers import formats

    return formats.make(options.pop("format", "") or ("goedel" if tokenizer.chat_template else "plain"))


def _need(prover: str, *modules: str, extra: str = "train") -> None:
    """Raises UnsorryError, with the way to get it, for a module that is not installed."""
    from importlib.util import find_spec

    for module in modules:
        if find_spec(module) is None:
            raise UnsorryError(f"the {prover} prover needs {module}: pip install 'unsorry[{extra}]'")
