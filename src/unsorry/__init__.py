"""unsorry: turn the `sorry`s of Lean 4 into proofs, with Lean as the only teacher.

The map.  Data flows one way; a package may import from those above it in this list and from `lean`:

    lean        everything that touches Lean: toolchains, processes, source text, .olean files, terms
    judge       statement + submission -> Verdict
    problems    problem sets and their importers
    provers     propose proofs
    scaffolds   prover + judge -> attempts
    training    losses, masks, averages; the loops that use them (needs the `train` extra)
    evaluation  pass@k, paired gates, costs: pure functions
    pipeline    recipe -> stages -> ledger -> table
    cli         commands; they parse, call one function, print

Three nouns are shared by all: Problem, Attempt, Verdict.  Three protocols connect them: Prover, Judge, Scaffold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

__version__ = "0.1.0"


class UnsorryError(Exception):
    """A fault the user can act on; `str(e)` is one line: what is wrong, where, what to do.  Ends in exit code 2."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to prove.

    `header` holds imports; `preamble` the definitions, opens and options that the statement needs; `statement` is Lean
    source whose declarations named in `targets` end in `:= by sorry` or `:= sorry`.  The three are concatenated in
    that order, each followed by a newline, to give the text the judge owns (`source`).
    """

    id: str
    statement: str
    targets: tuple[str, ...]
    header: str = ""
    preamble: str = ""
    origin: str = ""  # where it came from: file, data set
    family: str = ""  # for clustered statistics
    split: str = ""

    @property
    def source(self) -> str:
        """The Lean file that states the problem, holes included."""
        return "".join(
            part if part.endswith("\n") else part + "\n"
            for part in (self.header, self.preamble, self.statement)
            if part
        )


class Status(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one submission; `reason` is a code such as `axioms.illegal` (see docs/judge.md)."""

    status: Status
    reason: str
    message: str  # one line a person can act on
    target: str = ""  # the declaration that decided it, if one did
    tier: str = "strict"  # "fast" never says accepted
    axioms: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)  # seconds by stage
    certificate: Mapping[str, Any] | None = None

    @property
    def accepted(self) -> bool:
        return self.status is Status.ACCEPTED


@dataclass(frozen=True, slots=True)
class Cost:
    """What an attempt cost; `money` is in US dollars, None is unknown, 0.0 is free."""

    seconds: float = 0.0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    money: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of a model, token-exact: what it was shown, what it sampled, with which probability.

    `prompt_ids` is the whole context that was shown, earlier turns included; `logprobs[i]` is the natural logarithm of
    the probability with which the sampler drew `completion_ids[i]`.  `finish` is `stop` (an end token was sampled, it
    is the last of `completion_ids`), `length` (cut off) or `error`.  A model behind an endpoint may leave the token
    fields empty: such a turn can be judged, not trained on.
    """

    prompt_ids: tuple[int, ...] = ()
    completion_ids: tuple[int, ...] = ()
    logprobs: tuple[float, ...] = ()
    text: str = ""  # the completion as text, without the end token
    messages: tuple[Mapping[str, str], ...] = ()  # what was shown, as messages
    finish: str = "stop"
    model: str = ""  # the weights that answered, by digest or version
    reasoning: str = ""  # reasoning that an endpoint returns apart from the text


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one problem, as it is stored."""

    problem: str  # Problem.id
    prover: str
    scaffold: str
    submission: str  # the complete Lean source that was judged, "" if none was produced
    verdict: Verdict
    cost: Cost = Cost()
    seed: int = 0
    notes: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()  # of a model prover, oldest first


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a prover is asked: the problem, and for model provers the messages that put it.

    Without `messages` a model prover puts the problem in its own format.  `turn` is the answer that the last message
    reacts to: a local prover extends its tokens as they are and never re-tokenises them.
    """

    problem: Problem
    messages: tuple[Mapping[str, str], ...] = ()
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Sampling:
    """How completions are drawn.  `timeout` is seconds per prompt."""

    temperature: float = 1.0
    top_p: float = 1.0
    max_tokens: int = 0  # of a completion; 0 is the prover's own limit
    timeout: float = 60.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: `text` is a complete Lean source for the prompt's problem, "" if the answer holds none.

    `notes` say how it was found; `turn` is the model's answer that it was taken from.
    """

    text: str
    cost: Cost = Cost()
    notes: Mapping[str, Any] = field(default_factory=dict)
    turn: Turn | None = None


class Prover(Protocol):
    """Proposes submissions; returns for each prompt at most `n` completions, best first."""

    id: str

    def propose(self, prompts: Sequence[Prompt], *, n: int, sampling: Sampling) -> list[list[Completion]]: ...


class Judge(Protocol):
    """Decides.  `judge_many` yields in order, as verdicts become known."""

    def judge(self, problem: Problem, submission: str) -> Verdict: ...

    def judge_many(self, items: Iterable[tuple[Problem, str]]) -> Iterator[Verdict]: ...


class Scaffold(Protocol):
    """Turns a prover and a judge into attempts at a problem."""

    def attempt(self, problem: Problem, prover: Prover, judge: Judge, *, n: int) -> list[Attempt]: ...
