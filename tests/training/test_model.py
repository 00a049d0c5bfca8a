"""Making, reading and writing models; the head in float32; faults in one line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from training_world import model, rows, tokenizer

from unsorry import UnsorryError
from unsorry.training.logprobs import token_logprobs
from unsorry.training.model import (
    Fp32Head,
    ModelShape,
    hidden_and_head,
    is_tied,
    load_model,
    new_model,
    save_model,
    set_fp32_head,
    weights_digest,
)
from unsorry.training.packing import pad

IDS = torch.tensor([[5, 17, 40, 200, 299]])


@pytest.fixture(params=[True, False], ids=["tied", "untied"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return save_model(model(tied=request.param), tokenizer(), tmp_path / "model")


def test_seed_decides_the_weights_and_leaves_the_generator() -> None:
    shape, tokens = ModelShape(1, 16, 2, 1, 32, 64), tokenizer()
    before = torch.get_rng_state()
    first, second, other = (weights_digest(new_model(shape, tokens, seed)) for seed in (1, 1, 2))
    assert first == second != other
    assert torch.equal(before, torch.get_rng_state())


def test_shape_is_what_was_asked(folder: Path) -> None:
    made, tokens = load_model(folder)
    assert (made.config.num_hidden_layers, made.config.hidden_size, made.config.vocab_size) == (2, 32, len(tokens))
    assert made.config.eos_token_id == tokens.eos_token_id
    assert not made.training


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((0, 16, 2, 1, 32, 64), "at least 1"),
        ((1, 18, 4, 1, 32, 64), "multiple of heads"),
        ((1, 16, 4, 3, 32, 64), "kv_heads 3"),
    ],
)
def test_impossible_shapes(shape: tuple[int, ...], text: str) -> None:
    with pytest.raises(UnsorryError, match=text):
        ModelShape(*shape)


def test_round_trip_and_digest(folder: Path) -> None:
    loaded, _ = load_model(folder)
    original = model(tied=is_tied(loaded))
    assert torch.equal(loaded(IDS).logits, original(IDS).logits)
    assert weights_digest(loaded) == weights_digest(original) == weights_digest(folder)
    with torch.no_grad():
        loaded.get_input_embeddings().weight[0, 0] += 1e-6
    assert weights_digest(loaded) != weights_digest(folder)


def test_saving_replaces_the_whole_folder(folder: Path) -> None:
    (folder / "stray").write_text("from before")
    changed = model(seed=9)
    save_model(changed, tokenizer(), folder)
    assert weights_digest(folder) == weights_digest(changed)
    assert not (folder / "stray").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_float32_head_computes_in_float32(folder: Path) -> None:
    plain, _ = load_model(folder, dtype="bfloat16")
    exact, _ = load_model(folder, dtype="bfloat16", fp32_head=True)
    hidden, weight, _ = hidden_and_head(exact, {"input_ids": IDS})
    logits = exact(IDS).logits
    assert hidden.dtype == torch.bfloat16
    assert logits.dtype == torch.float32
    assert torch.equal(logits, hidden.float() @ weight.float().T)
    assert not torch.equal(plain(IDS).logits.float(), logits)  # the naive head rounds its logits to 8 bits
    assert is_tied(exact) == is_tied(plain)


def test_float32_head_of_sampler_and_trainer_agree(folder: Path) -> None:
    """One bfloat16 model read twice: what `forward` samples from is what the chunked loss computes."""
    gaps = {}
    batch = pad(rows(6), "right")
    tokens = batch.loss_tokens()
    for fp32 in (True, False):
        made, _ = load_model(folder, dtype="bfloat16", fp32_head=fp32)
        sampled = made(batch.input_ids).logits.float().log_softmax(-1).flatten(0, 1)[tokens.positions]
        sampled = sampled.gather(1, tokens.targets[:, None])[:, 0]
        hidden, weight, _ = hidden_and_head(made, {"input_ids": batch.input_ids})
        trained = token_logprobs(hidden.flatten(0, 1)[tokens.positions], weight, tokens.targets, fp32_head=True)
        gaps[fp32] = float((sampled - trained).detach().abs().max())
    assert gaps[True] < 1e-4
    assert gaps[False] > 1e-2


def test_float32_head_is_not_rounded_on_loading(tmp_path: Path) -> None:
    """A head trained in float32 keeps its bits through a folder; the naive load rounds it to bfloat16 first."""
    made = model(tied=False).bfloat16()
    set_fp32_head(made)
    with torch.no_grad():
        made.lm_head.weight += 1e-4
    save_model(made, tokenizer(), tmp_path / "m")
    again, _ = load_model(tmp_path / "m", dtype="bfloat16", fp32_head=True)
    assert torch.equal(again.lm_head.weight, made.lm_head.weight)
    naive, _ = load_model(tmp_path / "m", dtype="bfloat16")
    assert not torch.equal(naive.lm_head.weight.float(), made.lm_head.weight)


def test_float32_head_ignores_autocast() -> None:
    made = model(tied=False)
    set_fp32_head(made)
    hidden = torch.randn(3, 32)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = made.lm_head(hidden)
        naive = hidden @ made.lm_head.weight.T
    assert torch.equal(logits, hidden @ made.lm_head.weight.T)
    assert naive.dtype == torch.bfloat16
    assert isinstance(made.lm_head, Fp32Head)


def test_no_folder_no_config_no_weights(tmp_path: Path) -> None:
    with pytest.raises(UnsorryError, match="there is no model folder"):
        load_model(tmp_path / "none")
    with pytest.raises(UnsorryError, match=r"has no config\.json"):
        load_model(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UnsorryError, match=r"has no \.safetensors"):
        load_model(tmp_path)
    with pytest.raises(UnsorryError, match=r"no \.safetensors file"):
        weights_digest(tmp_path)


def _one_line(error: pytest.ExceptionInfo[UnsorryError], folder: Path) -> None:
    assert "\n" not in str(error.value)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize("keep", [0, 7, 100, 5000])
def test_damaged_weights_are_one_line(folder: Path, keep: int) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:keep])
    for read in (load_model, weights_digest):
        with pytest.raises(UnsorryError, match="damaged") as error:
            read(folder)
        _one_line(error, folder)


@pytest.mark.parametrize("text", ["{", "[]", '{"model_type": "no_such_model"}', '{"model_type": 3}'])
def test_damaged_configuration_is_one_line(folder: Path, text: str) -> None:
    (folder / "config.json").write_text(text)
    with pytest.raises(UnsorryError) as error:
        load_model(folder)
    _one_line(error, folder)


def test_missing_weights_are_not_made_up(folder: Path) -> None:
    """The library fills a missing weight with random numbers and says so in a log; here it is an error."""
    state = load_file(folder / "model.safetensors")
    gone = state.pop("model.layers.1.mlp.up_proj.weight")
    assert gone.numel()
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UnsorryError, match=r"no weights for model\.layers\.1\.mlp\.up_proj\.weight") as error:
        load_model(folder)
    _one_line(error, folder)


def test_wrong_shape_is_one_line(folder: Path) -> None:
    state = load_file(folder / "model.safetensors")
    state["model.norm.weight"] = torch.ones(5)
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UnsorryError) as error:
        load_model(folder)
    _one_line(error, folder)


def test_tokenizer_that_does_not_fit(folder: Path) -> None:
    config = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({k: v for k, v in config.items() if k != "eos_token"}))
    with pytest.raises(UnsorryError, match="names no end-of-text token"):
        load_model(folder)
    shutil.rmtree(folder)
    small = new_model(ModelShape(1, 16, 2, 1, 32, 64), tokenizer(), 0)
    small.resize_token_embeddings(280)
    save_model(small, tokenizer(), folder)
    with pytest.raises(UnsorryError, match="the tokenizer has 300 tokens, the model only 280"):
        load_model(folder)


def test_unknown_dtype_is_one_line(folder: Path) -> None:
    with pytest.raises(UnsorryError, match="unknown dtype 'half': use float32 or bfloat16"):
        load_model(folder, dtype="half")
