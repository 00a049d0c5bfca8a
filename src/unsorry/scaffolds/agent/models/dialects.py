"""What a server refuses that others want: learned from its refusal, once, so that the request can be put again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_PROTOCOL = "if this server cannot do tools with this model, use the text protocol (docs/models.md)"


@dataclass(slots=True)
class Dialect:
    """What is known of a server's wishes."""

    completion_limit: bool = False  # `max_completion_tokens`, and not `max_tokens`
    own_temperature: bool = False  # no `temperature`: these models have one of their own
    no_usage_option: bool = False  # no `stream_options`: usage comes by itself, or not at all
    no_reasoning: bool = False  # no reasoning in what is sent
    no_signatures: bool = False  # nothing beside calls that another server signed them with
    short_ids: bool = False  # ids of calls are nine letters and digits
    bridge: bool = False  # no user message right after the result of a tool

    def learn(self, refusal: str, body: Mapping[str, Any]) -> bool:
        """Whether the refusal names something that can be put in another way, which is done from now on."""
        said = refusal.lower()
        assistants = [message for message in body["messages"] if message["role"] == "assistant"]
        thoughts = any(
            {"reasoning", "reasoning_content", "reasoning_details"} & message.keys() for message in assistants
        )
        parts = any(isinstance(message.get("content"), list) for message in assistants)
        wishes = {
            "completion_limit": "max_tokens" in body and "max_completion_tokens" in said,
            "own_temperature": "temperature" in body and "temperature" in said and "support" in said,
            "no_usage_option": "stream_options" in body and "stream_options" in said,
            "no_reasoning": (thoughts and "reasoning" in said) or (parts and "thinking" in said),
            "no_signatures": "extra_content" in said,
            "short_ids": "tool call id" in said and "length of 9" in said,
            "bridge": re.search(r"unexpected role '?user'? after role '?tool", said) is not None,
        }
        for wish, wanted in wishes.items():
            if wanted and not getattr(self, wish):
                setattr(self, wish, True)
                return True
        return False


def advice(fault: str, body: Mapping[str, Any]) -> str:
    """The fault, with what is likely behind it where the tools of the request are."""
    said = fault.lower()
    results = any(message["role"] == "tool" for message in body["messages"])
    if "tools" in body and ("tool" in said or "template" in said):
        return f"{fault}; {_PROTOCOL}"
    if results and "http 5" in said:  # templates that fail on the first result of a tool
        return f"{fault}; the conversation holds results of tools: {_PROTOCOL}"
    if "tools" in body and "http 5" in said:  # parsers that fail on a call that is not quite one
        return f"{fault}; perhaps at a call that it could not read: {_PROTOCOL}"
    return fault
