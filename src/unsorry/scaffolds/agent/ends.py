"""How a run of the agent ends: exceptions, each one line that a person can act on."""

from __future__ import annotations

from typing import ClassVar


class AgentEnd(Exception):
    """The run is over; `kind` names how.  A resumable end loses nothing: the same run can go on from its last step."""

    kind: ClassVar[str] = "ended"
    resumable: ClassVar[bool] = True

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class Submitted(AgentEnd):
    """The agent says that it is done; `text` is what it hands over."""

    kind = "submitted"
    resumable = False

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class LimitExceeded(AgentEnd):
    """A budget is used up; `which` is turns, price, tokens or time."""

    kind = "limit"

    def __init__(self, which: str, message: str) -> None:
        super().__init__(message)
        self.which = which


class Interrupted(AgentEnd):
    """The user stopped it."""

    kind = "interrupted"


class ModelFailed(AgentEnd):
    """The model gave no answer, after whatever retries it makes."""

    kind = "model_failed"


class EnvironmentLost(AgentEnd):
    """What the tools work in is gone (its sandbox, its copy of the repository): no further call is worth its price."""

    kind = "environment_lost"


class Stalled(AgentEnd):
    """The model went on without calling a tool, however often it was told that it must."""

    kind = "stalled"


class ContextOverflow(Exception):
    """The prompt is longer than the model takes.  Not an end: the history is compacted and the model asked again."""
