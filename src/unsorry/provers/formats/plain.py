"""The format of small models without a chat template: special tokens around Lean text, as short as can be.

    <|statement|> definitions, statement up to `:=` <|proof|> answer <|end|>
    ... <|end|> <|error|> place: what Lean said <|proof|> answer <|end|>

Asked to prove or disprove, the prompt lacks its last token: the model begins its answer with `<|proof|>` or
`<|disproof|>`.  An answer is the text behind `:=`, then, if it uses lemmas, `<|lemma|>` and their declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from unsorry import Problem, Turn, UnsorryError
from unsorry.lean.source import parse
from unsorry.provers.extraction import extract_proof, owned, take_apart
from unsorry.provers.formats.base import Extracted, Feedback, Messages, Tokenizer, Unsupported
from unsorry.provers.formats.negation import negation
from unsorry.provers.formats.tokens import after_last_answer, encode_pieces, special_id

STATEMENT = "<|statement|>"
PROOF = "<|proof|>"
DISPROOF = "<|disproof|>"
LEMMA = "<|lemma|>"
ERROR = "<|error|>"
END = "<|end|>"
SPECIAL_TOKENS = (STATEMENT, PROOF, DISPROOF, LEMMA, ERROR, END)  # a tokenizer for this format holds each as one token

MAX_PLACE = 80  # characters of the text that an error points at
MAX_ERROR = 300  # characters of Lean's message


class Plain:
    """The plain format."""

    name = "plain"
    chat = False

    def messages(self, problem: Problem) -> Messages:
        return ({"role": "user", "content": _statement(problem), "task": "prove"},)

    def disprove(self, problem: Problem) -> Messages:
        if negation(problem) is None:
            raise Unsupported(f"the statement of {problem.id} cannot be negated: ask for a proof only")
        return ({"role": "user", "content": _statement(problem), "task": "decide"},)

    def correction(
        self, problem: Problem, messages: Sequence[Mapping[str, str]], output: str, feedback: Feedback, round: int
    ) -> Messages:
        task = messages[-1].get("task", "prove") if messages else "prove"
        answer = {"role": "assistant", "content": output}
        return (*messages, answer, {"role": "user", "content": short_error(feedback), "task": task})

    def extract(self, problem: Problem, output: str, *, cut: bool = False) -> Extracted:
        disproof = output.startswith(DISPROOF)
        if cut:  # nothing but its end token tells where such an answer ends
            return Extracted("", disproof, "unterminated")
        answer = output.removeprefix(DISPROOF if disproof else PROOF).removesuffix(END)
        proof, _, lemmas = answer.partition(LEMMA)
        asked = negation(problem) if disproof else problem
        if asked is None:
            return Extracted("", disproof, "unsupported")
        found = extract_proof(asked, proof, lemmas)
        return Extracted(found.source, disproof, found.defect)

    def answer(self, problem: Problem, source: str, *, disproof: bool = False, decide: bool = False) -> str | None:
        asked = negation(problem) if disproof else problem
        if asked is None or len(asked.targets) != 1:
            return None
        try:
            parts = take_apart(owned(asked.source), asked.targets, parse(source))
        except UnsorryError:
            return None
        if parts is None:
            return None
        proof, lemmas = parts.proofs[asked.targets[0]], parts.before[asked.targets[0]]
        text = proof.removeprefix(":=").rstrip()
        if not proof.startswith(":=") or any(token in text + lemmas for token in SPECIAL_TOKENS):
            return None
        choice = (DISPROOF if disproof else PROOF) if decide else ""
        return choice + text + (LEMMA + lemmas if lemmas else "")

    def encode(
        self, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], turn: Turn | None = None
    ) -> tuple[int, ...]:
        if turn is None:
            return encode_pieces(tokenizer, _pieces(messages, first=True))
        ids = (*turn.prompt_ids, *turn.completion_ids)
        if not ids or ids[-1] not in self.end_ids(tokenizer):
            ids = (*ids, special_id(tokenizer, END))
        return ids + encode_pieces(tokenizer, _pieces(after_last_answer(messages), first=False))

    def encode_answer(self, tokenizer: Tokenizer, answer: str) -> tuple[int, ...]:
        return encode_pieces(tokenizer, _answer_pieces(answer))

    def text(self, messages: Sequence[Mapping[str, str]]) -> str:
        for message in messages:
            if message["role"] == "user" and any(token in message["content"] for token in SPECIAL_TOKENS):
                raise Unsupported("the statement holds a special token of format plain, which no text prompt can carry")
        return "".join(text for text, _ in _pieces(messages, first=True))

    def end_ids(self, tokenizer: Tokenizer) -> frozenset[int]:
        return frozenset({special_id(tokenizer, END)})


def _statement(problem: Problem) -> str:
    """Definitions and statement up to `:=`, without the header."""
    if len(problem.targets) != 1:
        raise Unsupported(f"problem {problem.id} has {len(problem.targets)} targets: format plain puts one")
    try:
        own = owned(problem.source)
    except UnsorryError as error:
        raise Unsupported(f"problem {problem.id} cannot be read: {error}") from None
    command = own.declaration(problem.targets[0])
    if command is None or not own.text.startswith(":=", command.body):
        raise Unsupported(f"problem {problem.id} has no `{problem.targets[0]} ... :=` that a proof could follow")
    return own.text[own.header.end : command.body + 2].strip()


def _pieces(messages: Sequence[Mapping[str, str]], *, first: bool) -> Iterator[tuple[str, bool]]:
    """Text and whether it is a special token; `first` says that the first request is the statement."""
    for message in messages:
        if message["role"] == "assistant":
            yield from _answer_pieces(message["content"])
            continue
        yield (STATEMENT if first else ERROR), True
        first = False
        yield message["content"], False
        if message.get("task", "prove") == "prove":
            yield PROOF, True


def _answer_pieces(answer: str) -> Iterator[tuple[str, bool]]:
    for choice in (PROOF, DISPROOF):
        if answer.startswith(choice):
            yield choice, True
            answer = answer.removeprefix(choice)
            break
    proof, lemma, lemmas = answer.partition(LEMMA)
    yield proof, False
    if lemma:
        yield LEMMA, True
        yield lemmas, False
    yield END, True


def short_error(feedback: Feedback) -> str:
    """The first error in a line or two: the text that it points at, and what Lean says of it."""
    if not feedback.errors:
        if feedback.timed_out:
            return "timeout"
        return f"{feedback.reason}: {feedback.message}"[:MAX_ERROR]
    error = feedback.errors[0]
    lines = feedback.submission.split("\n")
    place = ""
    if 1 <= error.line <= len(lines):
        line = lines[error.line - 1]
        end = error.end_column if error.end_line == error.line and error.end_column > error.column else len(line)
        place = line[error.column : end].strip()[:MAX_PLACE]
    said = error.text.strip()
    return f"{place}: {said if len(said) <= MAX_ERROR else said[:MAX_ERROR] + '...'}"
