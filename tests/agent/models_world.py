"""Tools, a task and a model for the tests of models; a history as the loop keeps it."""

from __future__ import annotations

from typing import Any

from openai_server import Server

from unsorry.provers.openai_api import Retries
from unsorry.provers.price import Price
from unsorry.scaffolds.agent import Message, Reply, ToolSpec
from unsorry.scaffolds.agent.models.endpoint import EndpointModel

FAST = Retries(attempts=4, first=0.01, most=0.02)
SPEC = ToolSpec("read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
OTHER = ToolSpec("list", "List files.", {"type": "object", "properties": {}})
TOOLS = (SPEC, OTHER)
ASKED: list[Message] = [
    {"role": "system", "content": "You prove."},
    {"role": "user", "content": "Prove it.", "extra": {"from": "user"}},
]
PRICE = Price(1.0, 0.25, 4.0)
COST = (600 * 1.0 + 400 * 0.25 + 200 * 4.0) / 1e6


def model(server: Server, **options: Any) -> EndpointModel:
    return EndpointModel(server.url, "m", **{"retries": FAST, "timeout": 60.0, **options})


def continued(messages: list[Message], reply: Reply, *results: str) -> list[Message]:
    """A history with an answer and what its calls gave, as the loop keeps it."""
    answers = [{"role": "tool", "tool_call_id": c.id, "content": t} for c, t in zip(reply.calls, results, strict=True)]
    message = {**reply.message, "extra": {**reply.message["extra"], "cost": reply.cost, "seconds": reply.seconds}}
    return [*messages, message, *answers]
