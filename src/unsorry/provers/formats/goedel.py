"""The format of Goedel-Prover-V2 (arXiv 2508.03613), and a good one for any model that chats.

The request for a whole proof and the request to correct it are those that the model was trained on, byte for byte.
What is around them is our own: the released code cuts statements at the first `:= by`, replaces the first theorem of
an answer, takes `--` in strings for comments, drops `open` and `set_option` lines and forgets what timed out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unsorry import Problem, Turn, UnsorryError
from unsorry.lean.process import Message
from unsorry.provers.extraction import owned
from unsorry.provers.formats.base import Extracted, Feedback, Messages, Tokenizer, Unsupported
from unsorry.provers.formats.fences import extract_answer
from unsorry.provers.formats.negation import negation
from unsorry.provers.formats.tokens import encode_chat, encode_literal_answer

MAX_ERRORS = 8
LINES_BEFORE = 4
SPAN_LINES = 6  # of a longer error: its first line and five more, then its last

_PLAN = (
    "Before producing the Lean 4 code to formally prove the given theorem, provide a detailed proof plan outlining the "
    "main proof steps and strategies.\n"
    "The plan should highlight key ideas, intermediate lemmas, and proof structures that will guide the construction "
    "of the final formal proof."
)
_REQUEST = "Complete the following Lean 4 code:\n\n```lean4\n{statement}```\n\n" + _PLAN
_CORRECTION = (
    "The proof (Round {round}) is not correct. Following is the compilation error message, where we use "
    "<error></error> to signal the position of the error.\n\n{errors}\n\n"
    "Before producing the Lean 4 code to formally prove the given theorem, provide a detailed analysis of the error "
    "message."
)
_DECIDE = (
    "The following Lean 4 code states a theorem and its negation; one of the two is true:\n\n"
    "```lean4\n{statement}\n\n{negated}```\n\n"
    "Decide which one and complete its proof. Answer with Lean 4 code for that one alone.\n" + _PLAN
)


class Goedel:
    """The format of Goedel-Prover-V2."""

    name = "goedel"
    chat = True

    def messages(self, problem: Problem) -> Messages:
        return _ask(_REQUEST.format_map({"statement": statement(problem)}))

    def disprove(self, problem: Problem) -> Messages:
        negated = negation(problem)
        if negated is None:
            raise Unsupported(f"the statement of {problem.id} cannot be negated: ask for a proof only")
        return _ask(_DECIDE.format_map({"statement": statement(problem), "negated": negated.statement}))

    def correction(
        self, problem: Problem, messages: Sequence[Mapping[str, str]], output: str, feedback: Feedback, round: int
    ) -> Messages:
        asked = _CORRECTION.format_map({"round": round - 1, "errors": render_errors(feedback)})
        return (*messages, {"role": "assistant", "content": output}, {"role": "user", "content": asked})

    def extract(self, problem: Problem, output: str, *, cut: bool = False) -> Extracted:
        return extract_answer(problem, output, negation(problem))

    def answer(self, problem: Problem, source: str, *, disproof: bool = False, decide: bool = False) -> str | None:
        asked = negation(problem) if disproof else problem
        if asked is None:
            return None
        code = f"```lean4\n{source.strip()}\n```"
        found = self.extract(problem, code)
        return code if found.source and not found.defect and found.disproof == disproof else None

    def encode(
        self, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], turn: Turn | None = None
    ) -> tuple[int, ...]:
        return encode_chat(tokenizer, messages, turn, self.name)

    def encode_answer(self, tokenizer: Tokenizer, answer: str) -> tuple[int, ...]:
        return encode_literal_answer(tokenizer, answer)

    def text(self, messages: Sequence[Mapping[str, str]]) -> str:
        raise Unsupported('format "goedel" is a chat: use an endpoint of the kind "chat", or format "plain"')

    def end_ids(self, tokenizer: Tokenizer) -> frozenset[int]:
        return frozenset()


def _ask(content: str) -> Messages:
    return ({"role": "user", "content": content},)


def statement(problem: Problem) -> str:
    """The problem's source with each open target ending in `:= by sorry`, however its hole was written."""
    try:
        own = owned(problem.source)
    except UnsorryError as error:
        raise Unsupported(f"problem {problem.id} cannot be read: {error}") from None
    text = own.text
    for target in problem.targets:
        command = own.declaration(target)
        if command is None:
            raise Unsupported(f"problem {problem.id} does not declare its target {target}")
    holes = [hole for hole in own.holes if own.commands[hole.command].name in problem.targets]
    for hole in reversed(holes):
        command = own.commands[hole.command]
        value = text[command.body : hole.end]
        if command.end == hole.end and value.split() in ([":=", "sorry"], [":=", "by", "sorry"]):
            text = text[: command.body] + ":= by sorry" + text[hole.end :]
    return text.strip()


def render_errors(feedback: Feedback) -> str:
    """Lean's first errors with the code that they point at; without any, the verdict's reason."""
    if not feedback.errors:
        said = "Lean did not finish in time." if feedback.timed_out else f"{feedback.reason}: {feedback.message}"
        return f"\nError Message: {said}\n"
    lines = feedback.submission.split("\n")
    shown = [
        f"\nError {number}:\n\nCorresponding Code:\n```lean4\n{_marked(lines, error)}\n```\n\n"
        f"Error Message: {error.text}\n"
        for number, error in enumerate(feedback.errors[:MAX_ERRORS], 1)
    ]
    if (more := len(feedback.errors) - MAX_ERRORS) > 0:
        shown.append(f"\n... [Omitted {more} more errors] ...\n")
    return "".join(shown)


def _marked(lines: Sequence[str], error: Message) -> str:
    """The lines around an error, each ended by a newline, with `<error>` and `</error>` around what it points at."""

    def line(at: int) -> str:
        return lines[at] if 0 <= at < len(lines) else ""

    first, last = error.line - 1, max(error.end_line, error.line) - 1
    shown = [line(at) for at in range(max(0, first - LINES_BEFORE), first)]
    start, end = error.column, error.end_column
    if last == first:
        text = line(first)
        end = max(start, end)
        shown.append(f"{text[:start]}<error>{text[start:end]}</error>{text[end:]}")
    else:
        shown.append(f"{line(first)[:start]}<error>{line(first)[start:]}")
        inner = [line(at) for at in range(first + 1, min(last, first + SPAN_LINES))]
        shown += inner
        if last > first + SPAN_LINES:
            shown += ["", " " * (len(inner[-1]) - len(inner[-1].lstrip(" "))) + "... --[Truncated]-- ..."]
        shown.append(f"{line(last)[:end]}</error>{line(last)[end:]}")
    if last + 1 < len(lines):
        shown.append(lines[last + 1])
    return "".join(text + "\n" for text in shown)
