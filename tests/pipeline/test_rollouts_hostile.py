"""Whatever a model writes ends as an attempt that is kept, read back and worth no proof."""

from __future__ import annotations

from pathlib import Path

from scripted_model import ZERO, ScriptedModel
from unsorry import Completion, Prompt
from unsorry.judge.tiered import TieredJudge
from unsorry.pipeline.failures import failures
from unsorry.pipeline.reward import reward
from unsorry.pipeline.rollouts import rollouts
from unsorry.provers.formats import make
from unsorry.scaffolds.prove_or_disprove import ProveOrDisprove

ANSWERS = [
    "\ud800 rfl",
    "rfl \x00",
    "by\r\n  rfl\u2028",
    "<|proof|><|proof|>rfl<|end|><|lemma|><|lemma|>",
    "<|disproof|>",
    "<|disproof|><|lemma|>theorem zero_add_neg : True := trivial",
    "trivial\nend N\n#exit\n",
    "rfl<|lemma|>import Lean",
    "rfl<|lemma|>namespace N",
    "by exact " + "(" * 3000 + "rfl",
    'by /- " -/ rfl',
    "«",
    "🦀 := by rfl theorem zero_add : True :=",
    "sorryAx _ false",
    "by\n" + "  skip\n" * 200,
]


class Rambling(ScriptedModel):
    """Answers a correction with the next text of the list."""

    def _answers(self, prompt: Prompt, n: int) -> list[Completion]:
        if prompt.turn is None:
            return super()._answers(prompt, n)
        following = (ANSWERS.index(prompt.turn.text) + 1) % len(ANSWERS)
        return [self._completion(prompt, ANSWERS[following])]


def test_hostile_answers(tiered: TieredJudge, tmp_path: Path) -> None:
    model = Rambling({"zero_add": [[text] for text in ANSWERS]})
    scaffold = ProveOrDisprove(make("plain"), rounds=2)
    done = rollouts([ZERO], scaffold, model, tiered, n=len(ANSWERS), seed=0, folder=tmp_path)
    attempts = list(done)
    assert [a.turns[0].text for a in attempts] == ANSWERS
    for attempt in attempts:
        assert not attempt.verdict.accepted, attempt
        assert attempt.verdict.reason != "internal", attempt.verdict
        assert reward(attempt, ZERO).verified == 0.0
        failures(attempt)
