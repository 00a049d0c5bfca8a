"""Names of tools: `server_tool`, in the letters that endpoints take for a function, and no two alike."""

from __future__ import annotations

import hashlib
from collections.abc import Container

from unsorry.scaffolds.agent.mcp.config import slug

LONGEST = 64
FIND, CALL = RESERVED = ("mcp_find", "mcp_call")  # tools of our own: catalogue.py


def tool_name(server: str, tool: str, taken: Container[str] = ()) -> str:
    """`server` is a label; a name that is too long, or taken, ends in a piece of its digest."""
    name = f"{server}_{slug(tool) or 'tool'}"
    if len(name) <= LONGEST and name not in taken and name not in RESERVED:
        return name
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()
    for length in range(8, 33):
        candidate = f"{name[: LONGEST - 1 - length]}_{digest[:length]}"
        if candidate not in taken:
            return candidate
    raise AssertionError(f"{name} is taken 25 times")
