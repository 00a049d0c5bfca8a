"""A second opinion: an independent type checker for the constants that a proof adds.

It shares no code with Lean's kernel and no process with Lean.  It answers agree, disagree (an incident) or undecided;
it never turns a rejection into an acceptance.
"""

from unsorry.judge.second.check import Opinion, OpinionKind, second_opinion

__all__ = ["Opinion", "OpinionKind", "second_opinion"]
