"""One call of a tool as the message that answers it."""

from __future__ import annotations

import time

from unsorry.scaffolds.agent import Message, Observation, Submitted, ToolCall
from unsorry.scaffolds.agent.toolbox import Toolbox

_NOT_RUN = "Not run: an earlier call of the same answer ended the run."


def observation(toolbox: Toolbox, call: ToolCall, over: bool) -> tuple[Message, Submitted | None]:
    """The answer to a call, and the end that it brings; `over`: a call before it has ended the run.

    Raises what else a tool ends a run with: then the call has no answer.
    """
    began = time.monotonic()
    if over:
        return answer(call, Observation(_NOT_RUN, "error", {"fault": "not_run"}), 0.0), None
    try:
        found = toolbox.call(call)
    except Submitted as end:
        message = answer(call, Observation("Submitted."), time.monotonic() - began)
        message["extra"]["submitted"] = end.text
        return message, end
    return answer(call, found, time.monotonic() - began), None


def answer(call: ToolCall, found: Observation, seconds: float) -> Message:
    """The message of role tool; anything but success says so first."""
    text = found.text
    if found.status == "unknown":
        text = f"[unknown: neither success nor failure] {text}"
    elif found.status == "error":
        text = f"[error] {text}"
    extra = {"status": found.status, "data": dict(found.data), "seconds": round(seconds, 3)}
    return {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": text, "extra": extra}
