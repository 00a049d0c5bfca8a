"""A small world of inductive problems, and a model that answers from a script, token by token.

Its tokens are the bytes of the text it is shown and writes; 256 ends an answer.  What it is asked is kept in `asked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unsorry import Completion, Cost, Problem, Prompt, Sampling, Turn
from unsorry.provers.answers import completion
from unsorry.provers.formats import Format, make

END = 256
PREAMBLE = """inductive N where
  | z : N
  | s (n : N) : N

def add : N → N → N
  | a, .z => a
  | a, .s b => .s (add a b)

"""


def problem(name: str, claim: str) -> Problem:
    return Problem(name, f"theorem {name} {claim} := by sorry", (name,), preamble=PREAMBLE, family="add")


ZERO = problem("zero_add", "(a : N) : add .z a = a")
SUCC = problem("succ_add", "(a b : N) : add (.s a) b = .s (add a b)")
FALSE = problem("add_self", "(a : N) : add a a = a")
PROOFS = {
    "zero_add": "by\n  induction a with\n  | z => rfl\n  | s n h => simp [add, h]",
    "succ_add": "by\n  induction b with\n  | z => rfl\n  | s n h => simp [add, h]",
}
REFUTATION = "by\n  intro h\n  have h := h (.s .z)\n  simp [add] at h"


class ScriptedModel:
    """For each problem its samples, each the texts of its turns; a chain is known by what it wrote before.

    `broken` forgets earlier turns from its context, as chat templates do that drop reasoning.
    """

    def __init__(
        self,
        script: Mapping[str, Sequence[Sequence[str]]],
        format: Format | None = None,
        *,
        broken: bool = False,
        id: str = "scripted-model",
    ) -> None:
        self.id = id
        self.script = script
        self.format = format or make("plain")
        self.broken = broken
        self.asked: list[tuple[list[Prompt], int, int]] = []  # prompts, n, seed

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]:
        self.asked.append((list(prompts), n, sampling.seed))
        return [self._answers(prompt, n) for prompt in prompts]

    def _answers(self, prompt: Prompt, n: int) -> list[Completion]:
        samples = self.script[prompt.problem.id]
        said = [m["content"] for m in prompt.messages if m["role"] == "assistant"]
        if not said:
            return [self._completion(prompt, turns[0]) for turns in samples[:n]]
        following = next((t for t in samples if list(t[: len(said)]) == said and len(t) > len(said)), None)
        return [self._completion(prompt, following[len(said)])] if following is not None else []

    def _completion(self, prompt: Prompt, text: str) -> Completion:
        before: tuple[int, ...] = ()
        if prompt.turn is not None and not self.broken:
            before = prompt.turn.prompt_ids + prompt.turn.completion_ids
        ids = (*before, *prompt.messages[-1]["content"].encode("utf-8", "surrogatepass"))
        answer = (*text.encode("utf-8", "surrogatepass"), END)
        logprobs = tuple(-1.0 / (3 + i % 7) for i in range(len(answer)))  # no short decimals
        turn = Turn(ids, answer, logprobs, text, prompt.messages, "stop", "script")
        return completion(self.format, prompt, turn, Cost(0.0, len(ids), len(before), len(answer), 0.0))
