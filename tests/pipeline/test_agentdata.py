"""Training rows from an agent's runs: judged again, token by token, faulty calls left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from unsorry import Problem, Turn, UnsorryError
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.agentdata import Run, select
from unsorry.scaffolds.agent import Reply, Submitted, ToolCall, ToolSpec, Usage
from unsorry.scaffolds.agent.loop import Agent, opening
from unsorry.scaffolds.agent.recorder import Recorder, header
from unsorry.scaffolds.agent.toolbox import Toolbox
from unsorry.training.tokenizer import train_tokenizer

PROBLEM = Problem("p", "theorem p (n : Nat) : n + 0 = n := by sorry", ("p",))
TOKENIZER: Any = train_tokenizer(["theorem p := rfl submit"] * 3, 270)


class Submit:
    repeatable: ClassVar = True
    spec: ClassVar = ToolSpec("submit", "Hand over.", {"type": "object", "required": ["proof"]})

    def run(self, arguments: Any) -> Any:
        raise Submitted(arguments["proof"])


class Sampled:
    """Says texts with the tokens that they have; a prompt goes on from the tokens before it."""

    id, context, priced = "ours", 0, True

    def __init__(self, *answers: tuple[str, ToolCall]) -> None:
        self.answers = list(answers)

    def reply(self, messages: Any, tools: Any) -> Reply:
        text, call = self.answers.pop(0)
        last = next((m["extra"]["turn"] for m in reversed(messages) if "turn" in m.get("extra", {})), None)
        shown = last.prompt_ids + last.completion_ids if last else ()
        prompt = (*shown, *TOKENIZER.encode(messages[-1]["content"], add_special_tokens=False))
        ids = (*TOKENIZER.encode(text, add_special_tokens=False), TOKENIZER.eos_token_id)
        turn = Turn(prompt, ids, (-1.0,) * len(ids), text, model="weights")
        return Reply({"role": "assistant", "content": text}, (call,), Usage(len(prompt), 0, len(ids)), 0.0, 0.1, turn)


def submit(proof: str) -> ToolCall:
    return ToolCall("", "submit", {"proof": proof}, json.dumps({"proof": proof}))


def run(path: Path, *answers: tuple[str, ToolCall]) -> Run:
    with Recorder(path, header(messages=opening("Prove.", PROBLEM.statement))) as recorder:
        end = Agent(Sampled(*answers), Toolbox([Submit()]), recorder).run()
        assert isinstance(end, Submitted)
        return Run(recorder.trajectory, PROBLEM, PROBLEM.statement.replace("by sorry", end.text))


def test_what_is_learned(tiered: TieredJudge, tmp_path: Path) -> None:
    wrong = ToolCall("", "submit", None, "{", "cut off")
    good = run(tmp_path / "good", ("oops {", wrong), ("the proof is rfl", submit("rfl")))
    bad = run(tmp_path / "bad", ("the proof is 3", submit("by exact 3")))
    found = select([good, bad], judge=tiered.strict, tokenizer=TOKENIZER, model="weights")
    (row,) = found.rows
    learned = TOKENIZER.decode([t for t, learn in zip(row.input_ids, row.loss_mask, strict=True) if learn])
    assert learned == "the proof is rfl" + TOKENIZER.eos_token  # not the call that could not be read
    assert "oops {" in TOKENIZER.decode(row.input_ids) and "could not be read" in TOKENIZER.decode(row.input_ids)
    assert (found.runs, found.dropped) == (1, {"judged rejected": 1}) and row.group == "p"
    long = select([good], judge=tiered.strict, tokenizer=TOKENIZER, context=len(row.input_ids) - 1)
    assert long.rows == () and long.runs == 0
    with pytest.raises(UnsorryError, match="not by other"):
        select([good], judge=tiered.strict, tokenizer=TOKENIZER, model="other")


def test_a_file_that_was_edited(tiered: TieredJudge, tmp_path: Path) -> None:
    good = run(tmp_path / "good", ("the proof is rfl", submit("rfl")))
    from unsorry.scaffolds.agent.trajectory import read

    text = (tmp_path / "good").read_text()
    (tmp_path / "good").write_text(text.replace('"text":"the proof is rfl"', '"text":"I know nothing"'))
    edited = Run(read(tmp_path / "good"), PROBLEM, good.submission)
    with pytest.raises(UnsorryError, match="does not say what its tokens say, at turn 1"):
        select([edited], judge=tiered.strict, tokenizer=TOKENIZER)
