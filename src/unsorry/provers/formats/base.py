"""What every format has in common: messages, feedback, what was taken from an answer, and the protocol itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from unsorry import Problem, Turn, UnsorryError
from unsorry.lean.process import Message

Messages = tuple[Mapping[str, str], ...]


class Unsupported(UnsorryError):
    """A problem that a format cannot put; the prover answers it with the defect `unsupported` and goes on."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is known about a failed submission.

    `errors` are Lean's, with positions in `submission` (lines from 1, columns from 0 in codepoints); `reason` and
    `message` are the verdict's.  A submission that timed out or is undecided has feedback too, perhaps without errors.
    """

    submission: str
    reason: str
    message: str
    errors: tuple[Message, ...] = ()
    timed_out: bool = False
    undecided: bool = False


@dataclass(frozen=True, slots=True)
class Extracted:
    """A submission taken from an answer.

    `source` is a complete Lean source on the statement that the judge owns, or "" where the answer holds no proof.
    A disproof is a source for `negation(problem)`.  `defect` is "" or one of DEFECTS; with `sorry` there is a source.
    """

    source: str
    disproof: bool = False
    defect: str = ""


DEFECTS = {
    "no_proof": "the answer holds no Lean code for the target",
    "copied_statement": "the answer repeats the statement with its sorry",
    "sorry": "the proof or a lemma of it still has a sorry",
    "unterminated": "the answer was cut off inside its code",
    "unparsable": "a comment or string in the code does not end",
    "unsupported": "the format cannot put this problem",
    "prompt_too_long": "the prompt leaves no room for an answer in the model's context",
    "error": "the model gave no answer",
}


class Tokenizer(Protocol):
    """What formats use of a tokenizer of the `transformers` library."""

    chat_template: Any
    eos_token_id: int | None
    added_tokens_decoder: Mapping[int, Any]

    def __hash__(self) -> int: ...

    def encode(self, text: str, **options: Any) -> list[int]: ...

    def apply_chat_template(self, conversation: Any, **options: Any) -> Any: ...


class Format(Protocol):
    """How a problem is put to a model and a submission is taken from its answer.  Holds no state."""

    name: str
    chat: bool  # whether it needs a chat template

    def messages(self, problem: Problem) -> Messages:
        """The request for a proof; raises Unsupported."""
        ...

    def disprove(self, problem: Problem) -> Messages:
        """The request for a proof or a disproof; raises Unsupported where the negation cannot be written down."""
        ...

    def correction(
        self, problem: Problem, messages: Sequence[Mapping[str, str]], output: str, feedback: Feedback, round: int
    ) -> Messages:
        """`messages`, the answer `output` to them, and the request to correct it; `round` is 1 for the first one."""
        ...

    def extract(self, problem: Problem, output: str, *, cut: bool = False) -> Extracted:
        """The submission in an answer, which may have been cut off; never raises, whatever the answer."""
        ...

    def answer(self, problem: Problem, source: str, *, disproof: bool = False, decide: bool = False) -> str | None:
        """The shortest answer from which `extract` takes that proof, for training; None if the format has none.

        `decide` says that the request is one to prove or disprove.
        """
        ...

    def encode(
        self, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], turn: Turn | None = None
    ) -> tuple[int, ...]:
        """Token ids of the prompt.

        With `turn`, the answer that the last message reacts to, they begin with its prompt and completion ids as they
        are.  Text inside messages never becomes a special token.
        """
        ...

    def encode_answer(self, tokenizer: Tokenizer, answer: str) -> tuple[int, ...]:
        """Token ids of an answer with its end token, as a model would have sampled it."""
        ...

    def text(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The prompt as text, for endpoints that complete text; raises Unsupported."""
        ...

    def end_ids(self, tokenizer: Tokenizer) -> frozenset[int]:
        """Tokens that end an answer, besides those that model and tokenizer name."""
        ...
