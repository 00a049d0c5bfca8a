"""A model whose tokens are ours: a prover's sampler under the agent, so that every turn can be trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unsorry import Problem, Prompt, Prover, Sampling, Turn, UnsorryError
from unsorry.provers.formats import Extracted, Feedback, Messages, Tokenizer, Unsupported
from unsorry.provers.formats.tokens import encode_chat, encode_literal_answer
from unsorry.provers.journal import key_of
from unsorry.scaffolds.agent import ContextOverflow, Message, ModelFailed, Reply, ToolSpec, Usage
from unsorry.scaffolds.agent.models.answers import split_thought

_NOTHING = Problem("agent", "", ())  # provers are asked about problems; the agent's is in its messages


class Conversation:
    """The format of a chat that is shown as it is: what a prover needs to sample an answer to messages."""

    name = "conversation"
    chat = True

    def encode(
        self, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], turn: Turn | None = None
    ) -> tuple[int, ...]:
        return encode_chat(tokenizer, messages, turn, self.name)

    def extract(self, problem: Problem, output: str, *, cut: bool = False) -> Extracted:
        return Extracted(output)

    def encode_answer(self, tokenizer: Tokenizer, answer: str) -> tuple[int, ...]:
        return encode_literal_answer(tokenizer, answer)

    def end_ids(self, tokenizer: Tokenizer) -> frozenset[int]:
        return frozenset()

    def messages(self, problem: Problem) -> Messages:
        raise Unsupported("a conversation states no problem")

    def disprove(self, problem: Problem) -> Messages:
        raise Unsupported("a conversation states no problem")

    def correction(
        self, problem: Problem, messages: Sequence[Mapping[str, str]], output: str, feedback: Feedback, round: int
    ) -> Messages:
        raise Unsupported("a conversation corrects nothing")

    def answer(self, problem: Problem, source: str, *, disproof: bool = False, decide: bool = False) -> str | None:
        return None

    def text(self, messages: Sequence[Mapping[str, str]]) -> str:
        raise Unsupported("a conversation is a chat")


class LocalModel:
    """A prover that samples (`LocalProver`, `VllmProver`) with the format `Conversation`, as a model without tools.

    Wrap it in a `TextModel`.  A conversation that goes on extends the tokens of its last answer, nothing is tokenised
    twice; where the history was rewritten (compaction) or its tokens were not kept, it is rendered anew.  Sampling
    depends on weights, seed and history alone.
    """

    def __init__(
        self, prover: Prover, *, context: int = 0, temperature: float = 1.0, top_p: float = 1.0, seed: int = 0,
        max_tokens: int = 0,
    ) -> None:  # fmt: skip
        self.prover = prover
        self.context = context or int(getattr(prover, "context", 0))
        self.sampling = Sampling(temperature, top_p, max_tokens, seed=seed)
        self._asked: Counter[str] = Counter()

    @property
    def id(self) -> str:
        return self.prover.id

    @property
    def priced(self) -> bool:
        return True  # it runs here

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """One answer, with its `turn`.  Raises ContextOverflow, ModelFailed."""
        if tools:
            raise UnsorryError(f"{self.id} has no tools of its own: wrap it in a TextModel")
        shown = tuple({"role": str(one["role"]), "content": str(one.get("content") or "")} for one in messages)
        digest = key_of(shown)
        number = self._asked[digest]
        seed = self.sampling.seed if not number else int(key_of(self.sampling.seed, number)[:8], 16)
        sampling = replace(self.sampling, seed=seed)
        prompt = Prompt(_NOTHING, shown, _before(messages, shown))
        try:
            ((found,),) = self.prover.propose([prompt], n=1, sampling=sampling)
        except UnsorryError as error:
            raise ModelFailed(str(error)) from None
        if found.turn is None or found.turn.finish == "error":
            why = str(found.notes.get("error") or "it gave no answer")
            if found.notes.get("defect") == "prompt_too_long":
                raise ContextOverflow(why)
            raise ModelFailed(f"{self.id} gave no answer: {why}")
        self._asked[digest] += 1
        turn, cost = found.turn, found.cost
        text, thought = split_thought(turn.text)
        extra: dict[str, Any] = {"finish": turn.finish, "shown": digest, "model": turn.model}
        message: Message = {"role": "assistant", "content": text}
        if thought:
            message["reasoning_content"], extra["reasoning_field"] = thought, "inline"
        message["extra"] = extra
        usage = Usage(cost.tokens_in, cost.tokens_cached, cost.tokens_out)
        return Reply(message, (), usage, cost.money, cost.seconds, turn)


def _before(messages: Sequence[Message], shown: Sequence[Mapping[str, str]]) -> Turn | None:
    """The turn of the last answer, if it was an answer to this very history."""
    last = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
    if last < 0:
        return None
    extra = messages[last].get("extra", {})
    turn = extra.get("turn")
    if not isinstance(turn, Turn) or not turn.completion_ids or extra.get("shown") != key_of(tuple(shown[:last])):
        return None
    return turn
