"""Adapters on disk, in averages and merged; the two reports about merging, with the naive code beside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from peft.tuners.lora import Linear as LoraLinear
from safetensors.torch import load_file, save_file
from training_world import adapted, model, same, weights

from unsorry import UnsorryError
from unsorry.training.averaging import LoraFactors, concatenate, interpolate_lora, lora_delta
from unsorry.training.lora import (
    ADAPTER,
    LoraShape,
    attach,
    factors,
    load_adapter,
    lora_layers,
    merged,
    save_adapter,
    set_factors,
    set_truncated,
)
from unsorry.training.optimiser import trainable

IDS = torch.tensor([[5, 17, 40, 200, 299]])


def test_new_adapter_changes_nothing_and_is_all_that_trains() -> None:
    plain = model()
    before = plain(IDS).logits
    peft = attach(plain, LoraShape(4, 8.0), seed=1)
    assert torch.equal(peft(IDS).logits, before)
    names = [name for name, _ in trainable(peft)]
    assert len(names) == 2 * 7 * 2  # A and B of seven linear layers in two layers
    assert all("lora_" in name and "lm_head" not in name for name in names)


def test_seed_decides_the_factors() -> None:
    first, second, other = (attach(model(), LoraShape(4), seed=seed) for seed in (1, 1, 2))
    assert same(weights(first), weights(second))
    assert not same(weights(first), weights(other))


def test_adapter_of_a_bfloat16_model_is_float32() -> None:
    peft = attach(model().bfloat16(), LoraShape(4), seed=1)
    assert {value.dtype for _, value in trainable(peft)} == {torch.float32}
    assert peft(IDS).logits.dtype == torch.bfloat16


def test_round_trip(tmp_path: Path) -> None:
    peft = adapted()
    save_adapter(peft, tmp_path / "a", base="base-name")
    again = load_adapter(model(), tmp_path / "a", trainable=True)
    assert torch.equal(again(IDS).logits, peft(IDS).logits)
    assert [name for name, _ in trainable(again)] == [name for name, _ in trainable(peft)]
    frozen = load_adapter(model(), tmp_path / "a", trainable=False)
    assert not list(trainable(frozen))
    config = json.loads((tmp_path / "a" / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "base-name"
    assert config["target_modules"] == sorted(config["target_modules"])


def test_files_do_not_depend_on_the_process(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_adapter(adapted(), tmp_path / name)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_factors_are_the_delta(tmp_path: Path) -> None:
    peft = adapted()
    save_adapter(peft, tmp_path / "a")
    in_memory, on_disk = factors(peft), factors(tmp_path / "a")
    assert in_memory.keys() == on_disk.keys()
    for name, layer in lora_layers(peft):
        delta = lora_delta(in_memory[name])
        assert torch.equal(delta, lora_delta(on_disk[name]))
        assert torch.allclose(delta, layer.get_delta_weight(ADAPTER), atol=1e-6)


def test_average_of_products_is_set_and_the_naive_one_is_not_it() -> None:
    """PEFT's "linear" and an average of factors are no average of what the adapters do."""
    first, second = adapted(1, rank=2), adapted(2, rank=2)
    alpha = 0.7
    target = attach(model(1), LoraShape(4, 4.0), seed=5)
    old, new = factors(first), factors(second)
    set_factors(target, {name: concatenate(old[name], new[name], alpha) for name in new})
    for name, value in factors(target).items():
        exact = interpolate_lora(old[name], new[name], alpha)
        assert torch.allclose(lora_delta(value), exact, atol=1e-6)
        naive = LoraFactors(
            (1 - alpha) * old[name].a + alpha * new[name].a,
            (1 - alpha) * old[name].b + alpha * new[name].b,
            new[name].scale,
        )
        assert float((lora_delta(naive) - exact).norm() / exact.norm()) > 0.05


def test_truncated_average_is_the_best_of_its_rank() -> None:
    first, second = adapted(1, rank=2), adapted(2, rank=2)
    target = attach(model(1), LoraShape(2, 4.0), seed=5)
    old, new = factors(first), factors(second)
    joined = {name: concatenate(old[name], new[name], 0.7) for name in new}
    error = set_truncated(target, joined)
    worst = 0.0
    for name, value in factors(target).items():
        whole = lora_delta(joined[name]).double()
        singular = torch.linalg.svdvals(whole)
        best = float(singular[2:].norm() / singular.norm())
        worst = max(worst, best)
        assert float((lora_delta(value) - whole).norm() / whole.norm()) == pytest.approx(best, rel=1e-3)
    assert error == pytest.approx(worst, rel=1e-4)
    assert set_truncated(adapted(1, rank=4), old) < 1e-5


def test_factors_that_do_not_fit() -> None:
    peft = adapted(rank=2)
    held = factors(peft)
    with pytest.raises(UnsorryError, match="1 modules have no counterpart"):
        set_factors(peft, dict(list(held.items())[1:]))
    with pytest.raises(UnsorryError, match="rank 3 do not fit an adapter of rank 2"):
        set_factors(peft, factors(adapted(rank=3)))


def test_merged_is_a_new_float32_model_and_leaves_the_old_one() -> None:
    peft = adapted().eval()
    before, logits = weights(peft), peft(IDS).logits
    new = merged(peft)
    assert not any(isinstance(part, LoraLinear) for part in new.modules())
    assert torch.allclose(new(IDS).logits, logits, atol=1e-4)
    assert same(before, weights(peft))
    assert torch.equal(peft(IDS).logits, logits)


def test_merging_a_bfloat16_model_keeps_the_delta() -> None:
    """W + D in bfloat16 loses part of D (the report: 6.7 % rms at |D| = 2.5 % of |W|); the float32 copy does not."""
    peft = attach(model().bfloat16(), LoraShape(4, 8.0), seed=0)
    with torch.no_grad():
        for _, layer in lora_layers(peft):
            layer.lora_B[ADAPTER].weight.normal_(std=0.01)
    base = {name: layer.base_layer.weight.float() for name, layer in lora_layers(peft)}
    new = dict(merged(peft).named_modules())
    naive = {name: (base[name].bfloat16() + lora_delta(f).bfloat16()).float() for name, f in factors(peft).items()}
    for name, value in factors(peft).items():
        delta = lora_delta(value)
        assert float((new[name].weight.detach() - base[name] - delta).norm() / delta.norm()) < 1e-4
        assert float((naive[name] - base[name] - delta).norm() / delta.norm()) > 0.02


def test_report_6_many_syncs_leave_the_weights_and_merge_unmerge_does_not() -> None:
    """trl#6688: weights sent to a sampler by merge and unmerge in bfloat16 drift; a merged copy touches nothing."""
    naive, ours = (attach(model().bfloat16(), LoraShape(4, 8.0), seed=0) for _ in range(2))
    start = {name: layer.base_layer.weight.clone() for name, layer in lora_layers(ours)}
    generator = torch.Generator().manual_seed(0)
    for _ in range(30):
        for peft in (naive, ours):
            state = generator.get_state()
            for _, layer in lora_layers(peft):
                weight = layer.lora_B[ADAPTER].weight
                with torch.no_grad():
                    weight.copy_(torch.randn(weight.shape, generator=generator) * 0.05)
            if peft is naive:
                generator.set_state(state)  # the same factors for both
        naive.merge_adapter()
        naive.unmerge_adapter()
    merged(ours)
    assert all(torch.equal(layer.base_layer.weight, start[name]) for name, layer in lora_layers(ours))
    drift = [float((layer.base_layer.weight - start[name]).float().norm()) for name, layer in lora_layers(naive)]
    size = [float(start[name].float().norm()) for name, _ in lora_layers(naive)]
    assert min(d / s for d, s in zip(drift, size, strict=True)) > 1e-3


def test_report_9_resumed_adapter_counts_once(tmp_path: Path) -> None:
    """ms-swift#8233: after a resume the first sync merges, the next one adds the adapter on top: W + 2 B A."""
    save_adapter(adapted(), tmp_path / "a")
    wanted = adapted().eval()(IDS).logits
    resumed = load_adapter(model(), tmp_path / "a", trainable=True).eval()
    for _ in range(3):  # syncs
        assert torch.allclose(merged(resumed)(IDS).logits, wanted, atol=1e-4)

    naive = load_adapter(model(), tmp_path / "a", trainable=True).eval()
    base_of_sampler = naive.merge_and_unload()  # the sampler now holds W + B A ...
    twice = load_adapter(base_of_sampler, tmp_path / "a", trainable=False).eval()  # ... and is given the adapter too
    assert float((twice(IDS).logits - wanted).abs().max()) > 0.1

    served_twice = adapted()
    with pytest.raises(UnsorryError, match="already has an adapter"):
        load_adapter(served_twice, tmp_path / "a", trainable=False)


def test_a_merged_adapter_is_not_read_as_factors() -> None:
    peft = adapted()
    peft.merge_adapter()
    with pytest.raises(UnsorryError, match="is merged into its base"):
        factors(peft)


def test_weights_without_a_counterpart_are_an_error(tmp_path: Path) -> None:
    """A wrong prefix leaves the base's output as it was, without a word from the library (vllm#34186 tells of one)."""
    save_adapter(adapted(), tmp_path / "a")
    file = tmp_path / "a" / "adapter_model.safetensors"
    save_file({name.replace("layers", "blocks"): value for name, value in load_file(file).items()}, file)
    with pytest.raises(UnsorryError, match="weights have no counterpart"):
        load_adapter(model(), tmp_path / "a", trainable=False)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("adapter_model.safetensors", "xx", "damaged"),
        ("adapter_config.json", "{", "cannot be read"),
        ("adapter_config.json", None, "is no adapter folder"),
        ("adapter_model.safetensors", None, "is no adapter folder"),
    ],
)
def test_damaged_folders_are_one_line(tmp_path: Path, name: str, text: str | None, found: str) -> None:
    save_adapter(adapted(), tmp_path / "a")
    file = tmp_path / "a" / name
    file.unlink() if text is None else file.write_text(text)
    for read in (lambda path: load_adapter(model(), path, trainable=False), factors):
        with pytest.raises(UnsorryError, match=found) as error:
            read(tmp_path / "a")
        assert "\n" not in str(error.value)


def test_bad_shapes_and_targets() -> None:
    with pytest.raises(UnsorryError, match="out of range"):
        LoraShape(0)
    with pytest.raises(UnsorryError, match="no linear layer 'query'; it has down_proj"):
        attach(model(), LoraShape(4, targets=("query",)), seed=0)
    peft = attach(model(), LoraShape(4, targets=("q_proj", "v_proj")), seed=0)
    assert len(list(lora_layers(peft))) == 4
