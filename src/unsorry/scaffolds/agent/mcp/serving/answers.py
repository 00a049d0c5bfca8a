"""What the tools answer, as JSON objects.  Three-valued: what is not known is never told as success or as failure."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

Says = Literal["accepted", "rejected", "undecided"]


class SorryAnswer(BaseModel):
    """What became of one sorry; line and column from 1."""

    declaration: str
    line: int
    column: int
    verdict: Says
    reason: str  # a code of docs/judge.md
    message: str
    proof: str = Field(default="", description="What to write in its place; given only if it is accepted.")
    axioms: list[str] = []
    seconds: float = 0.0


class ProveAnswer(BaseModel):
    """`accepted`: every sorry asked for is proved; `rejected`: one of them is false, or nothing that can be proved."""

    verdict: Says
    message: str
    filled: int
    total: int
    sorries: list[SorryAnswer]
    diff: str = Field(description="What puts the accepted proofs in; `git apply` takes it if `file` was given.")
    errors: list[str] = Field(description="What is wrong with the text itself.")


class JudgeAnswer(BaseModel):
    """The strict judge's verdict."""

    verdict: Says
    reason: str  # a code of docs/judge.md
    message: str
    target: str = Field(description="The declaration that decided it, if one did.")
    axioms: list[str]
    seconds: float


class Place(BaseModel):
    """The goals at a position; line and column from 1.  `before` and `after` are null where no tactic stands."""

    line: int
    column: int
    declaration: str = ""
    before: list[str] | None = None
    after: list[str] | None = Field(default=None, description="Goals at the end of the line.")
    expected: str = Field(default="", description="The type that a term here must have.")


class GoalAnswer(BaseModel):
    """`unknown`: still elaborating, timed out, changed meanwhile; then no goals are no success."""

    status: Literal["ok", "unknown"]
    message: str = Field(description="All of it, as text.")
    places: list[Place]


class MatchAnswer(BaseModel):
    """A declaration."""

    name: str
    kind: str
    signature: str
    module: str


class SearchAnswer(BaseModel):
    """`unknown`: nothing was found, and not everything was searched; `notes` say what was not."""

    status: Literal["ok", "unknown"]
    total: int
    matches: list[MatchAnswer]
    notes: list[str]
