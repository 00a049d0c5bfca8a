"""Provers by name: each kind, its options, and one line for what is wrong."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pytest

from unsorry import Problem, Prompt, Sampling, UnsorryError
from unsorry.provers.endpoint import EndpointProver
from unsorry.provers.local import LocalProver
from unsorry.provers.registry import make
from unsorry.provers.scripted import ScriptedProver
from unsorry.training.model import ModelShape, new_model, save_model, weights_digest
from unsorry.training.tokenizer import train_tokenizer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = train_tokenizer(["theorem t : True := trivial"], 270)
    model = new_model(ModelShape(2, 32, 2, 1, 64, 128), tokenizer, seed=0)
    return save_model(model, tokenizer, tmp_path_factory.mktemp("models") / "small")


def test_search_and_script(tmp_path: Path) -> None:
    assert make("search", sandbox="none").id.startswith("search")
    (tmp_path / "a.json").write_text('{"t": "rfl"}')
    assert isinstance(make(f"scripted:{tmp_path / 'a.json'}"), ScriptedProver)


def test_a_local_model(folder: Path) -> None:
    prover = make(f"local:{folder}")
    assert isinstance(prover, LocalProver)
    assert prover.id == "local:small" and prover.format.name == "plain"
    assert prover.version == weights_digest(folder)[:16]
    (row,) = prover.propose(
        [Prompt(Problem("p", "theorem t : True := sorry", ("t",)))], n=2, sampling=Sampling(max_tokens=4)
    )
    assert all(one.turn is not None and one.turn.model == prover.version for one in row)
    chosen = make(f"local:{folder}?max_tokens=9&batch=3&dtype=bfloat16&fp32_head=1&format=plain")
    assert isinstance(chosen, LocalProver) and (chosen.max_tokens, chosen.batch) == (9, 3)


def test_an_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOME_KEY", "k")
    journal = tmp_path / "answers.jsonl"
    prover = make(
        "endpoint:https://host.example:8000/v1?x=1#org/model-8B:free?key=SOME_KEY&input=0.4&cached=0.1&output=2"
        f"&concurrency=3&max_tokens=50&journal={journal}"
    )
    assert isinstance(prover, EndpointProver)
    assert (prover.base_url, prover.model, prover.kind) == (
        "https://host.example:8000/v1?x=1",
        "org/model-8B:free",
        "chat",
    )
    assert prover.id == "endpoint:org/model-8B:free" and prover.format.name == "goedel"
    assert (prover.price.input, prover.price.cached, prover.price.output) == (0.4, 0.1, 2.0)
    assert (prover.concurrency, prover.max_tokens, prover.api_key_env) == (3, 50, "SOME_KEY") and journal.is_file()
    plain = make("endpoint:http://host/v1#m?kind=completions")
    assert isinstance(plain, EndpointProver) and plain.format.name == "plain" and plain.price.input is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("oracle", "unknown prover 'oracle': use one of search, scripted:FILE, local:FOLDER"),
        ("local:", "unknown prover 'local:'"),
        ("search:x", "unknown prover 'search:x'"),
        ("local:/nowhere", "there is no model folder /nowhere"),
        ("local:FOLDER?heat=1", "unknown option 'heat'; known are format, max_tokens"),
        ("local:FOLDER?batch=many", "write options as"),
        ("local:FOLDER?batch", "write options as"),
        ("local:FOLDER?batch=0", "batch and max_tokens of at least 1"),
        ("local:FOLDER?format=goedel", 'no chat template, which format "goedel" needs: use format "plain"'),
        ("local:FOLDER?format=haiku", "unknown format 'haiku': use one of plain, goedel"),
        ("endpoint:http://host/v1", "names no model: write endpoint:URL#MODEL"),
        ("endpoint:http://host/v1#", "names no model"),
        ("endpoint:host#m", "is no URL"),
        ("endpoint:http://host/v1#m?key=NOT_SET_ANYWHERE", "put it in the variable NOT_SET_ANYWHERE"),
        ("endpoint:http://host/v1#m?kind=telepathy", "unknown kind of endpoint"),
        ("endpoint:http://host/v1#m?input=cheap", "write options as"),
        ("vllm:/nowhere", "is no model folder"),
    ],
)
def test_one_line_for_what_is_wrong(folder: Path, name: str, message: str) -> None:
    with pytest.raises(UnsorryError) as error:
        make(name.replace("FOLDER", str(folder)) if name != "local:FOLDER" else name)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is installed")
def test_vllm_that_is_not_installed(folder: Path) -> None:
    with pytest.raises(UnsorryError, match="vLLM is not installed"):
        make(f"vllm:{folder}?tp=2&length=4096")


def test_a_module_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name in ("torch", "httpx") else real(name, *a)
    )
    with pytest.raises(UnsorryError, match=r"the local prover needs torch: pip install 'unsorry\[train\]'"):
        make(f"local:{folder}")
    with pytest.raises(UnsorryError, match=r"the endpoint prover needs httpx: pip install 'unsorry\[train\]'"):
        make("endpoint:http://host/v1#m")


def test_provers_and_formats_are_light() -> None:
    """The base install has neither torch nor httpx; nor does anyone wait for them who does not use them."""
    code = (
        "import json, sys, unsorry.provers, unsorry.provers.registry, unsorry.provers.formats.goedel\n"
        "import unsorry.provers.formats.plain, unsorry.provers.extraction, unsorry.provers.journal\n"
        "import unsorry.provers.answers, unsorry.provers.vllm\n"
        "print(json.dumps([m for m in ('torch', 'transformers', 'httpx', 'numpy', 'pydantic') if m in sys.modules]))"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == []
