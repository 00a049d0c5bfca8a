"""Every stage on a handful of problems, with real Lean: what it leaves is what it says, and later stages use it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from handful import FIRST, RL, SFT, Handful, built, complaint, handful  # noqa: F401

from unsorry.evaluation import outcomes as counting
from unsorry.judge import certificate
from unsorry.judge.judge import StrictJudge
from unsorry.lean.process import Unconfined
from unsorry.pipeline import shards, weights
from unsorry.pipeline.settings import ModelConfig
from unsorry.pipeline.stages import corpus
from unsorry.problems import jsonl, load
from unsorry.training.model import weights_digest

torch.set_num_threads(1)

NEVER = "noise_multiple = 1000.0\n"  # times the noise: a gate that nothing passes


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def outcomes(run: Handful, stage: str) -> counting.Outcomes:
    return counting.from_json(json.loads(run.artifact(stage, "outcomes").read_text())["outcomes"])


def run_of(built: Path) -> Handful:  # noqa: F811
    return Handful(built)


# the first stages


def test_problems_are_split_by_family_and_all_elaborate(built: Path, embedded: Any) -> None:  # noqa: F811
    folder = run_of(built).stage("problems")
    sets = {name: jsonl.read(folder / f"{name}.jsonl") for name in ("train", "valid", "test", "guard")}
    assert {name: len(found) for name, found in sets.items()} == {"train": 12, "valid": 6, "test": 6, "guard": 2}
    statements = [(p.preamble, p.statement) for found in sets.values() for p in found]
    assert len(set(statements)) == len(statements)
    assert all(p.split == name for name, found in sets.items() for p in found)
    with StrictJudge(embedded, Unconfined()) as judge:
        for problem in [*sets["guard"], *jsonl.read(folder / "false.jsonl")[:2]]:
            assert judge.prepare(problem).digest


def test_the_corpus_holds_proofs_that_the_judge_accepts(built: Path, embedded: Any) -> None:  # noqa: F811
    run = run_of(built)
    documents = corpus.read(run.artifact("corpus", "documents"))
    train = {p.id for p in jsonl.read(run.stage("problems") / "train.jsonl")}
    proofs = [d for d in documents if d.kind == "proof"]
    assert len(proofs) >= 8
    with StrictJudge(embedded, Unconfined()) as judge:
        for document in proofs[:3]:
            problem = document.problem
            assert problem is not None and problem.id in train
            assert judge.judge(problem, problem.source.replace(" by sorry", document.answer, 1)).accepted
    held_out = {p.statement for p in jsonl.read(run.stage("problems") / "test.jsonl")}
    assert not any(text in d.text for text in held_out for d in documents)


def test_a_model_was_made_and_changed_by_training(built: Path) -> None:  # noqa: F811
    run = run_of(built)
    base, trained = (weights.read(run.stage(name) / "model") for name in ("base", "midtrain"))
    assert base.digest == run.entry("base")["metrics"]["weights"] == weights_digest(base.base)
    assert trained.digest == run.entry("midtrain")["metrics"]["weights"] != base.digest
    first, last = run.entry("midtrain")["metrics"]["loss"]
    assert last < first / 4
    before, after = (outcomes(run, name) for name in ("base", "pool"))
    assert before.correct.sum() == 0 < after.correct.sum()


def test_every_attempt_of_the_pool_is_kept_with_its_tokens(built: Path) -> None:  # noqa: F811
    run = run_of(built)
    train = {p.id: p for p in jsonl.read(run.stage("problems") / "train.jsonl")}
    attempts = [a for p in sorted((run.stage("pool") / "attempts").glob("*.jsonl")) for a in shards.read(p)]
    assert len(attempts) == 24
    counted = outcomes(run, "pool").counts
    for problem in train.values():
        mine = [a for a in attempts if a.problem == problem.id]
        assert counted[problem.id].samples == len(mine) == 2
        assert counted[problem.id].correct == sum(a.verdict.accepted for a in mine)
    for attempt in attempts:
        (turn,) = attempt.turns
        assert len(turn.completion_ids) == len(turn.logprobs) > 0 and all(value <= 1e-3 for value in turn.logprobs)
        assert turn.model == weights.read(run.stage("midtrain") / "model").name
        if attempt.verdict.accepted:
            assert attempt.verdict.certificate is not None
            certificate.verify(attempt.verdict.certificate, train[attempt.problem], attempt.submission)


def test_the_filter_keeps_the_band_and_all_counts(handful: Handful) -> None:  # noqa: F811
    handful.stages = FIRST.replace("high = 1.0\nkeep_unsolved = 0.0", "high = 0.5")
    counts = outcomes(handful, "pool").counts
    expected = {name for name, count in counts.items() if 0 < count.correct <= count.samples / 2}
    code = handful.run()
    if not expected:
        assert code == 2
        return
    assert code == 0
    (band,) = [p for p in (handful.out / "stages").glob("filter-*/band.jsonl") if len(load(p)) == len(expected)]
    assert {p.id for p in load(band)} == expected
    stored = json.loads(band.with_name("histories.json").read_text())
    assert set(stored["rounds"]) == set(counts) and set(stored["mixed"]) == set(counts)


# training, gates, what stands for what


def test_sft_learns_only_from_what_was_accepted(handful: Handful) -> None:  # noqa: F811
    handful.stages = FIRST + SFT
    assert handful.run() == 0
    entry = handful.entry("sft")
    attempts = [a for p in (handful.stage("pool") / "attempts").glob("*.jsonl") for a in shards.read(p)]
    solved = {a.problem for a in attempts if a.verdict.accepted}
    assert entry["metrics"]["problems"] == len(solved) > 0
    distinct = {(a.problem, a.turns[-1].completion_ids) for a in attempts if a.verdict.accepted}
    assert entry["metrics"]["proofs"] == len(distinct)
    made = weights.read(handful.stage("sft") / "model")
    assert made.adapter is not None and made.base == weights.read(handful.stage("midtrain") / "model").base
    first, last = entry["metrics"]["loss"]
    assert last < first


def test_a_failed_gate_rolls_back_to_the_model_before(handful: Handful) -> None:  # noqa: F811
    rolled = SFT.replace('"continue"', '"rollback"').replace("[stage.gate]\n", f"[stage.gate]\n{NEVER}", 1)
    after = (
        '[[stage]]\nkind = "average"\nearlier = "midtrain"\nmodel = "sft"\nproblems = "problems"\nreference = "sft"\n'
        '[[stage]]\nkind = "evaluate"\nmodels = ["midtrain", "sft", "average"]\nproblems = "problems"\nsamples = 2\n'
        "ks = [1, 2]\nmax_tokens = 24\n"
    )
    handful.stages = FIRST + rolled + after
    assert handful.run() == 0
    sft = handful.entry("sft")
    assert sft["status"] == "Failed gate" and sft["rolled_back"] and "rolled back" in sft["reason"]
    before = handful.entry("midtrain")["metrics"]["weights"]
    assert sft["metrics"]["weights"] != before
    assert "nothing to average" in handful.entry("average")["ours"]
    assert weights.read(handful.stage("average") / "model").digest == before
    figures = handful.entry("evaluate")["metrics"]
    assert figures["midtrain"] == figures["average"]
    table = (handful.stage("evaluate") / "table.md").read_text()
    assert table.startswith("|") and "pass@2" in table


def test_a_failed_gate_stops_and_goes_on_when_the_recipe_says_so(handful: Handful, capfd) -> None:  # noqa: F811
    strict = SFT.replace('on_fail = "continue"\n', "").replace("[stage.gate]\n", f"[stage.gate]\n{NEVER}", 1)
    evaluate = '[[stage]]\nkind = "evaluate"\nmodels = ["sft"]\nproblems = "problems"\nsamples = 1\nks = [1]\n'
    handful.stages = FIRST + strict + evaluate
    assert handful.run() == 1
    assert "the gate of sft failed" in complaint(capfd.readouterr())
    assert handful.entry("evaluate")["status"] == "Planned"
    handful.stages = handful.stages.replace('kind = "sft"\n', 'kind = "sft"\non_fail = "continue"\n')
    assert handful.run() == 0
    assert "sft: runs" not in capfd.readouterr().err
    assert handful.entry("evaluate")["status"] == "Done"


def test_the_average_lies_between_the_models(handful: Handful) -> None:  # noqa: F811
    average = """
[[stage]]
kind = "average"
earlier = "midtrain"
model = "sft"
problems = "problems.train"
on_fail = "continue"
alphas = [0.25, 0.75]
choose_samples = 2
choose_k = 2
samples = 2
max_tokens = 24
[stage.gate]
k = 2
n = 2
"""
    handful.stages = FIRST + SFT + average
    assert handful.run() == 0
    metrics = handful.entry("average")["metrics"]
    assert set(metrics["scores"]) == {"0.25", "0.75"}
    assert metrics["scores"][f"{metrics['alpha']:g}"] == max(metrics["scores"].values())
    assert metrics["lost"] < 1e-6  # the base is a product of zero, so the rank of the adapter is enough
    config = ModelConfig()

    def loaded(name: str) -> dict[str, torch.Tensor]:
        model, _ = weights.load_sampler(weights.read(handful.stage(name) / "model"), config, "cpu")
        return {key: value.detach().clone() for key, value in model.state_dict().items()}

    old, new, mean = loaded("midtrain"), loaded("sft"), loaded("average")
    moved = [key for key in old if not torch.equal(old[key], new[key])]
    assert moved
    alpha = metrics["alpha"]
    for key in moved:
        torch.testing.assert_close(mean[key], torch.lerp(old[key], new[key], alpha), atol=1e-6, rtol=1e-4)
    chosen, reported = (
        {a.seed for p in (handful.stage("average") / part).rglob("*.jsonl") for a in shards.read(p)}
        for part in ("chosen-on", "reported-on")
    )
    assert chosen and reported and not chosen & reported  # alpha is reported on other samples


def test_rl_trains_on_judged_rollouts_of_its_own_model(handful: Handful) -> None:  # noqa: F811
    handful.stages = FIRST + RL
    assert handful.run() == 0
    folder, entry = handful.stage("rl"), handful.entry("rl")
    steps = json.loads((folder / "metrics.json").read_text())["steps"]
    assert [step["step"] for step in steps] == [1, 2, 3, 4]
    models = set()
    for number, step in enumerate(steps):
        found = [a for p in (folder / "rollouts" / f"{number:05d}").rglob("*.jsonl") for a in shards.read(p)]
        own = {a.turns[0].model for a in found if a.turns}
        assert len(own) == 1
        models |= own
        assert step["attempts"] <= len(found)  # canaries are not trained on
        assert 0 <= step["zero_variance"] <= step["groups"]
        if step["update"] is not None:
            assert step["update"]["mean_ratio"] == pytest.approx(1.0, abs=1e-3)  # sampler and trainer agree
            assert step["update"]["kl"] == pytest.approx(0.0, abs=1e-3)
    assert len(models) == 4  # new weights are another model
    assert entry["metrics"]["zero_variance"] == sum(step["zero_variance"] for step in steps)
    assert any(step["update"] for step in steps)
    assert entry["metrics"]["weights"] != handful.entry("midtrain")["metrics"]["weights"]
    assert "prove or disprove" in entry["ours"]


# what looks at a model


LOOKS = """
[[stage]]
kind = "head"
model = "midtrain"
problems = "problems"
statements = 2
samples = 2
max_tokens = 16

[[stage]]
kind = "scaffold"
model = "midtrain"
problems = "problems.train"
samples = 1
rounds = 2
max_tokens = 24

[[stage]]
kind = "evaluate"
models = ["base", "midtrain"]
problems = "problems.train"
samples = 2
ks = [1, 2]
max_tokens = 24

[[stage]]
kind = "refute"
model = "midtrain"
true = "problems.train"
false = "problems"
properties = 3
tries = 1
seconds = 10.0
max_tokens = 24

[[stage]]
kind = "prove"
model = "midtrain"
problems = "problems.train"
theorems = 2
samples = 4
max_tokens = 24
seconds = 20.0
"""


@pytest.fixture(scope="module")
def looked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Handful:  # noqa: F811
    import shutil

    folder = tmp_path_factory.mktemp("looked")
    shutil.copytree(built / "run", folder / "run")
    made = Handful(folder, FIRST + LOOKS)
    assert made.run() == 0
    return made


def test_the_head_in_both_precisions(looked: Handful) -> None:
    gaps = json.loads((looked.stage("head") / "gaps.json").read_text())["gaps"]
    assert set(gaps) == {"bfloat16 model, bfloat16 head", "bfloat16 model, float32 head"}
    for gap in gaps.values():
        assert gap["tokens"] > 0 and 0 <= gap["mean"] <= gap["max"] < 1
        assert gap["correlation"] > 0.9


def test_the_scaffolds_get_the_same_number_of_answers(looked: Handful) -> None:
    found = {}
    for folder in (looked.stage("scaffold") / "attempts").iterdir():
        found[folder.name] = [a for p in folder.glob("*.jsonl") for a in shards.read(p)]
    single, chains = sorted(found.values(), key=lambda attempts: -len(attempts))
    assert len(single) == 24 and all(len(a.turns) == 1 for a in single)
    assert len(chains) == 12 and all(1 <= len(a.turns) <= 2 for a in chains)
    assert all(len(a.turns) == 1 for a in chains if a.notes["rounds"][0]["status"] == "accepted")
    metrics = looked.entry("scaffold")["metrics"]
    assert metrics["corrected"] == sum(len(a.turns) == 2 for a in chains)
    assert metrics["exact"] == metrics["later"]  # the plain format extends its tokens


def test_models_are_compared_on_the_same_problems(looked: Handful) -> None:
    metrics = looked.entry("evaluate")["metrics"]
    assert metrics["base"]["pass@2"] == 0 < metrics["midtrain"]["pass@1"] <= metrics["midtrain"]["pass@2"]
    change = metrics["change"]
    assert change["value"] == pytest.approx(metrics["midtrain"][f"pass@{change['k']}"])
    assert 0 < change["low"] <= change["value"] <= change["high"]
    table = (looked.stage("evaluate") / "table.md").read_text()
    assert "base" in table and "midtrain" in table
    saved = outcomes(looked, "evaluate")
    assert len(saved.counts) == 12


def test_what_is_refuted_is_false(looked: Handful) -> None:
    findings = json.loads((looked.stage("refute") / "findings.json").read_text())
    assert findings["false_alarms"] == findings["false_proved"] == 0
    assert findings["properties"] == len(findings["findings"]) == findings["planted"] + 3
    by = {name: [f for f in findings["findings"] if f["outcome"] == name] for name in ("proved", "refuted", "open")}
    assert {name: len(part) for name, part in by.items()} == {name: findings[name] for name in by}
    assert findings["found"] >= 1 and all(f["witness"] for f in by["refuted"])
    false = {p.id for p in jsonl.read(looked.stage("problems") / "false.jsonl")}
    assert all(f["property"] in false for f in by["refuted"])


def test_the_proved_file_stands_and_says_who_proved_what(looked: Handful, embedded: Any) -> None:
    folder = looked.stage("prove")
    report = json.loads((folder / "report.json").read_text())
    text = (folder / "Theory.lean").read_text()
    assert report["model"] + report["search"] + report["open"] == report["sorries"] == len(report["proofs"])
    assert report["sorries"] == text.count("theorem t")
    assert {entry["by"] for entry in report["proofs"].values()} <= {"model", "search", ""}
    assert text.count("sorry") == report["open"]
    assert report["model"] + report["search"] >= 1
    first = jsonl.read(looked.stage("problems") / "train.jsonl")[0]
    with StrictJudge(embedded, Unconfined()) as judge:
        if not report["open"]:
            asked = replace(first, header="", preamble="", statement=_stated(text), targets=("t1",))
            assert judge.judge(asked, text).accepted


def _stated(text: str) -> str:
    """The file with the proof of its first theorem taken out again."""
    start = text.index("theorem t1")
    end = text.find("theorem t2")
    head = text[start : text.index(":=", start)]
    return text[:start] + head + ":= by sorry\n" + (text[end:] if end >= 0 else "")


def test_documents_keep_line_ends_that_are_no_newline(tmp_path: Path) -> None:
    """Lean sources may hold U+2028, which `str.splitlines` takes for the end of a line, also inside of JSON."""
    text = "theorem t : True := trivial\u2028\x0c\x85 -- end"
    corpus._write(tmp_path / "d.jsonl", [corpus.Document("source", text), corpus.Document("source", "b")])
    assert [d.text for d in corpus.read(tmp_path / "d.jsonl")] == [text, "b"]
    assert len((tmp_path / "d.jsonl").read_text(encoding="utf-8").splitlines()) > 2  # the naive way


def test_correction_pairs_that_do_not_fit_are_left_out(built: Path, tiered: Any) -> None:  # noqa: F811
    from transformers import AutoTokenizer

    from unsorry.pipeline.failures import FailureConfig
    from unsorry.pipeline.selfdata import SelfData, select
    from unsorry.provers.formats import make

    run = run_of(built)
    attempts = [a for p in (run.stage("pool") / "attempts").glob("*.jsonl") for a in shards.read(p)]
    problems = jsonl.read(run.stage("problems") / "train.jsonl")
    tokenizer = AutoTokenizer.from_pretrained(weights.read(run.artifact("base", "model")).base)
    solved = {a.problem: a for a in attempts if a.verdict.accepted}
    one = next(iter(solved.values()))
    problem = next(p for p in problems if p.id == one.problem)
    wrong = problem.source.replace("by sorry", "by omega")
    turn = replace(one.turns[0], text=" by omega", completion_ids=tuple(tokenizer.encode(" by omega")))
    turn = replace(turn, logprobs=(0.0,) * len(turn.completion_ids))
    failure = replace(one, submission=wrong, verdict=tiered.judge(problem, wrong), turns=(turn,))
    assert not failure.verdict.accepted

    def selected(context: int) -> SelfData:
        return select(
            [one, failure], [problem], judge=tiered, format=make("plain"), tokenizer=tokenizer, per_problem=1,
            correction_share=0.5, limits=FailureConfig(), seed=0, context=context,
        )  # fmt: skip

    (row,) = selected(0).corrections
    length = len(row.input_ids)
    assert [len(r.input_ids) for r in selected(length).corrections] == [length]
    short = selected(length - 1)
    assert short.corrections == () and short.dropped == {"overlong": 1}
