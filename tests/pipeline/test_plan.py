"""The plan's arithmetic against figures that were computed or measured elsewhere; what it says is missing."""

from pathlib import Path

import pytest
from rich.console import Console

from unsorry.pipeline import machine, plan
from unsorry.pipeline.arithmetic import GIB, Dimensions, kv_tokens, sampling_bound, training_memory, training_rate
from unsorry.pipeline.plan_view import show
from unsorry.pipeline.recipe import load, missing_data

QWEN3_8B = Dimensions(layers=36, hidden=4096, heads=32, kv_heads=8, head_dim=128, intermediate=12_288, vocab=151_936)
RECIPE = Path(__file__).parents[2] / "recipes" / "goedel-8b-4xa10g.toml"
BOX = """
[model]
context = 40960
[model.shape]
layers = 36
hidden = 4096
heads = 32
kv_heads = 8
head_dim = 128
intermediate = 12288
vocab = 151936
[resources]
gpus = 4
gpu_memory_gib = 22.3
gpu_bandwidth_gbs = 600.0
gpu_tflops = 70.0
tensor_parallel = 2
data_parallel = 2
"""
STAGES = """
[[stage]]
kind = "t-numbers"
name = "n"
[stage.expect]
sampled = 62_464_000
context = 40960
prompt_tokens = 400
completion_tokens = 8000
[[stage]]
kind = "t-grow"
name = "train"
numbers = "n"
[stage.expect]
trained = 16_000_000
rank = 32
length = 40960
row_tokens = 8192
"""


def test_the_size_of_qwen3_8b() -> None:
    assert QWEN3_8B.parameters == pytest.approx(8.19e9, rel=1e-3)
    assert QWEN3_8B.weight_bytes() / GIB == pytest.approx(15.26, abs=0.005)
    assert QWEN3_8B.kv_bytes() == 147_456
    assert QWEN3_8B.kv_bytes(40_960) / GIB == pytest.approx(5.6, abs=0.05)
    assert QWEN3_8B.kv_bytes(200_000) / GIB == pytest.approx(27.5, abs=0.05)


@pytest.mark.parametrize(("rank", "millions", "gib"), [(16, 44, 0.65), (32, 87, 1.3), (64, 175, 2.6)])
def test_the_size_of_a_lora(rank: int, millions: int, gib: float) -> None:
    assert round(QWEN3_8B.lora_parameters(rank) / 1e6) == millions
    memory = training_memory(QWEN3_8B, length=1024, rank=rank, cards=1, offload=False)
    assert memory.optimiser / GIB == pytest.approx(gib, abs=0.05)


@pytest.mark.parametrize(
    ("length", "hidden", "logits", "petaflops", "rate"),
    [(8192, 2.3, 2.3, 0.46, 2000), (16_384, 4.5, 4.6, 1.1, 1700), (40_960, 11.25, 11.6, 4.1, 1100)],
)
def test_training_at_a_length(length: int, hidden: float, logits: float, petaflops: float, rate: float) -> None:
    assert QWEN3_8B.checkpoint_bytes(length) / GIB == pytest.approx(hidden, abs=0.051)
    assert QWEN3_8B.logits_bytes(length) / GIB == pytest.approx(logits, abs=0.05)
    assert QWEN3_8B.logits_bytes(length, 4) / GIB == pytest.approx(2 * logits, abs=0.1)
    assert QWEN3_8B.train_flops(length) / 1e15 == pytest.approx(petaflops, rel=0.02)
    assert training_rate(QWEN3_8B, length=length, flops=70e12, mfu=0.4, cards=4) == pytest.approx(rate, rel=0.025)


@pytest.mark.parametrize(("tensor", "data", "tokens"), [(1, 4, 4 * 29_600), (2, 2, 340_000), (4, 1, 451_000)])
def test_the_kv_cache_that_fits(tensor: int, data: int, tokens: int) -> None:
    fits = kv_tokens(QWEN3_8B, card_bytes=22.3 * GIB, utilisation=0.92, tensor_parallel=tensor, data_parallel=data)
    assert fits == pytest.approx(tokens, rel=0.003)


def test_a_card_that_cannot_hold_the_weights_holds_no_tokens() -> None:
    assert kv_tokens(QWEN3_8B, card_bytes=12 * GIB, utilisation=0.92, tensor_parallel=1, data_parallel=4) == 0
    assert (
        sampling_bound(QWEN3_8B, tokens=0, mean_context=4000, bandwidth=6e11, tensor_parallel=1, data_parallel=4) == 0
    )


def test_bandwidth_bounds_a_pair_of_cards_at_about_a_thousand_tokens_a_second() -> None:
    pair = sampling_bound(
        QWEN3_8B, tokens=170_000, mean_context=4500, bandwidth=6e11, tensor_parallel=2, data_parallel=1
    )
    assert pair == pytest.approx(1000, rel=0.15)


def test_40k_fits_a_24_gb_card_only_with_offload() -> None:
    with_offload = training_memory(QWEN3_8B, length=40_960, rank=32, cards=4, offload=True)
    without = training_memory(QWEN3_8B, length=40_960, rank=32, cards=4, offload=False)
    assert with_offload.card < 22.3 * GIB < without.card
    assert with_offload.host == 4 * QWEN3_8B.checkpoint_bytes(40_960)
    assert with_offload.weights / GIB == pytest.approx(3.8, abs=0.02)
    assert training_memory(QWEN3_8B, length=4096, rank=0, cards=4, offload=True).optimiser / GIB > 30  # all weights


def test_parameters_are_those_of_a_real_model() -> None:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    for tied in (False, True):
        config = Qwen3Config(
            vocab_size=97,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=16,
            tie_word_embeddings=tied,
        )
        model = Qwen3ForCausalLM(config)
        ours = Dimensions(3, 32, 4, 2, 16, 48, 97, tied)
        assert ours.parameters == sum(p.numel() for p in model.parameters())
        maps = [m for name, m in model.named_modules() if type(m).__name__ == "Linear" and name != "lm_head"]
        assert ours.lora_parameters(8) == sum(8 * (m.in_features + m.out_features) for m in maps)


def test_a_plan_adds_up(bench) -> None:
    bench.write(STAGES, head=BOX)
    made = plan.make(bench.load("resources.sample_tokens_per_second=1450.0"))
    sampling, training = made.stages
    assert sampling.hours.sampling == pytest.approx(12, abs=0.05)  # 244 x 32 proofs of 8,000 tokens
    assert sampling.sequences == 8
    assert training.hours.training == pytest.approx(16e6 / 1990 / 3600, rel=0.01)
    assert made.hours == pytest.approx(sampling.hours.sampling + training.hours.training)
    assert made.complete and not made.faults[1:]
    assert made.faults == ("train: training takes 25.9 GiB a card of 22.3",)
    assert not plan.make(bench.load("stage.train.offload=true")).faults
    bound = plan.make(bench.load()).stages[0].sample_rate
    assert bound == pytest.approx(1450, rel=0.1)  # the share of the bound was chosen by this figure
    assert plan.as_json(made)["stages"][1]["training"]["card"] == training.training.card


def test_what_is_unknown_is_said_and_not_counted_as_nothing(bench) -> None:
    bench.write(STAGES)
    made = plan.make(bench.load())
    assert made.stages[0].hours.total is None and not made.complete
    text = shown(made)
    assert "unknown" in text and "give resources.sample_tokens_per_second" in text
    assert "total: 0.0 box-hours (0.0 days) and what is not known" in text


def test_a_stage_without_expectations_is_unknown_not_free() -> None:
    made = plan.make(load(RECIPE, sets=["stage.pool.expect={}"]))
    (pool,) = [stage for stage in made.stages if stage.name == "pool"]
    assert pool.work is not None and pool.work.sampled is None and pool.hours.total is None
    assert not made.complete
    assert "no [stage.expect] says how many tokens these take: pool" in shown(made)


def test_skipped_stages_are_planned_and_not_counted(bench) -> None:
    bench.write(STAGES.replace('name = "train"', 'name = "train"\nskip = "too dear"'), head=BOX)
    made = plan.make(bench.load("resources.sample_tokens_per_second=1450.0"))
    assert made.hours == pytest.approx(12, abs=0.05)
    assert "not run: train: too dear (by this plan's rates 2 box-hours, 0 days)" in shown(made)


def test_what_this_machine_lacks_is_named_with_what_to_do(bench, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(machine, "_memory_of_cards", lambda: [24.0])
    head = BOX.replace("context", 'path = "Goedel-LM/Goedel-Prover-V2-8B"\ncontext')
    head = head.replace("[resources]", '[judge]\nproject = "no-such-project"\n[resources]\nsampler = "vllm"')
    needs = '["dataset:a/b", "program:no-such-program", "package:no_such_package"]'
    first = f'name = "n"\nsource = "nowhere.txt"\nneeds = {needs}'
    bench.write(STAGES.replace('name = "n"', first), head=head)
    lacks = [m.what for m in plan.make(bench.load()).missing]
    for wanted in (
        "4 GPUs (CUDA); here are 1",
        "the model Goedel-LM/Goedel-Prover-V2-8B",
        "a Lake project with Mathlib at no-such-project",
        "the data set a/b",
        "the program no-such-program",
        "the package no_such_package",
    ):
        assert wanted in lacks
    assert any("`source`: no such file or folder" in line for line in lacks)
    for kind, name in (("models", "Goedel-LM--Goedel-Prover-V2-8B"), ("datasets", "a--b")):
        (tmp_path / "hub" / f"{kind}--{name}" / "snapshots" / "0").mkdir(parents=True)
    monkeypatch.setattr(machine, "_memory_of_cards", lambda: [24.0] * 3 + [10.0])
    lacks = [m.what for m in plan.make(bench.load()).missing]
    assert "22.3 GiB a card; the smallest here has 10.0" in lacks
    assert not [line for line in lacks if "Goedel" in line or "a/b" in line]


def test_dimensions_come_from_a_model_folder_too(bench, tmp_path: Path) -> None:
    from transformers import Qwen3Config

    Qwen3Config(vocab_size=151_936, num_hidden_layers=36).save_pretrained(tmp_path / "model")
    bench.write(STAGES, head=f'[model]\npath = "{tmp_path / "model"}"')
    assert plan.make(bench.load()).dimensions is not None
    bench.write(STAGES, head='[model]\npath = "no/model"')
    assert "the model's dimensions are not known" in shown(plan.make(bench.load()))


def test_the_8b_recipe_is_sound_and_its_plan_fits_its_box() -> None:
    recipe = load(RECIPE)
    made = plan.make(recipe)
    assert made.dimensions == QWEN3_8B
    assert not made.faults
    assert made.complete
    stages = {stage.name: stage for stage in made.stages}
    assert stages["baseline"].hours.sampling == pytest.approx(12, abs=0.1)
    assert stages["pool"].hours.sampling == pytest.approx(25, abs=1)
    assert stages["midtrain"].skip and stages["midtrain"].hours.training / 24 == pytest.approx(34, abs=1)
    assert {s.row for s in recipe.stages} >= {"Base", "Mid-training", "SFT", "Prompt filter", "RL", "Averaging"}
    rl = recipe.stage("rl").config
    assert (rl.top_p, rl.c_abs, recipe.model.context) == (1.0, 5.0, 40_960)
    assert len(missing_data(recipe)) == 4  # the four splits, which a person makes
    assert "total:" in shown(made)


def shown(made: plan.Plan) -> str:
    console = Console(width=180, record=True)
    with console.capture() as capture:
        console.print(show(made))
    return capture.get()
