"""A model that needs none: it has the cheap provers try file after file and submits.  `--model search`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from unsorry.scaffolds.agent import Message, ModelFailed, Reply, ToolCall, ToolSpec, Usage
from unsorry.scaffolds.agent.targets import Target

TOOL = "try_provers"
MIGRATE = "migrate_diagnose"


class SearchModel:
    """One turn for each file, twice where the first round closed something: its lemmas may help the rest; then submit.

    What comes next follows from the history alone, so that a run can be resumed.
    """

    id = "search"
    context = 0
    priced = True

    def __init__(self, targets: Sequence[Target], seconds: float = 20.0, rounds: int = 2) -> None:
        self.targets, self.seconds, self.rounds = tuple(targets), seconds, rounds

    def reply(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        """Raises ModelFailed where the profile has no provers or no way to submit."""
        names = {spec.name for spec in tools}
        if {MIGRATE, "submit"} <= names:
            return self._migrate(messages)
        if not {TOOL, "submit"} <= names:
            raise ModelFailed(f"the model search needs the tools {TOOL} and submit: use another profile or model")
        tried = [m for m in messages if m["role"] == "tool" and m.get("name") == TOOL]
        at, todo = len(tried), list(self.targets)
        for _ in range(self.rounds - 1):
            if at < len(todo):
                break
            at, done = at - len(todo), tried[: len(todo)]
            tried = tried[len(todo) :]
            todo = _again(todo, done) if any(_closed(m) for m in done) else []
        if at < len(todo):
            target = todo[at]
            arguments: dict[str, object] = {"file": target.file, "seconds": self.seconds}
            if target.declaration:
                arguments["declaration"] = target.declaration
            if target.line:
                arguments["line"] = target.line
            return self._call(len(messages), f"The provers on {target.file}.", TOOL, arguments)
        summary = "The automatic provers were tried on every sorry; what is left is open."
        return self._call(len(messages), "Nothing is left to try.", "submit", {"summary": summary})

    def _migrate(self, messages: Sequence[Message]) -> Reply:
        """Each file once: the fix that is recommended is written."""
        done = sum(m["role"] == "tool" and m.get("name") == MIGRATE for m in messages)
        files = list(dict.fromkeys(target.file for target in self.targets))
        if done < len(files):
            arguments: dict[str, object] = {"file": files[done], "apply": "recommended"}
            return self._call(len(messages), f"What broke {files[done]}?", MIGRATE, arguments)
        summary = "The recommended fixes were written; the diagnoses name cause, reach, and the other fixes."
        return self._call(len(messages), "Every file was diagnosed.", "submit", {"summary": summary})

    def _call(self, number: int, text: str, name: str, arguments: dict[str, object]) -> Reply:
        raw = json.dumps(arguments)
        call = ToolCall(f"search{number:06}", name, arguments, raw)
        message: Message = {
            "role": "assistant",
            "content": text,
            "tool_calls": [{"id": call.id, "type": "function", "function": {"name": name, "arguments": raw}}],
        }
        return Reply(message, (call,), Usage(), 0.0, 0.0)


def _data(message: Message) -> dict[str, object]:
    found = message.get("extra", {}).get("data", {})
    return found if isinstance(found, dict) else {}


def _closed(message: Message) -> bool:
    return bool(_data(message).get("closed"))


def _again(targets: Sequence[Target], messages: Sequence[Message]) -> list[Target]:
    """Those with sorries that are still open."""
    found = zip(targets, map(_data, messages), strict=False)
    return [target for target, data in found if "file" in data and data.get("closed") != data.get("asked")]
