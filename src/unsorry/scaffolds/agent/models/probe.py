"""Whether a model can do what the agent needs of it, by two short questions: a call under instructions, its result."""

from __future__ import annotations

from unsorry.doctor import Finding
from unsorry.scaffolds.agent import ContextOverflow, Message, Model, ModelFailed, Reply, ToolSpec

_TOOL = ToolSpec(
    "lookup",
    "Look up the number of a name.",
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
# Longer than a line on purpose: with some servers and templates calls vanish behind real instructions.
_ASKED: list[Message] = [
    {
        "role": "system",
        "content": "You work in a repository, with tools. Read before you write. Do one thing at a time, and look at "
        "its result before you do the next. Do not guess what a tool can tell you. If a result is an error, read it, "
        "and mend the call. Say in one short sentence what you do, then call the tool. Do not ask the user anything. "
        "When you know the answer, say it in one short sentence, and stop.",
    },
    {"role": "user", "content": "Which number does the name `plum` have? Look it up with the tool `lookup`."},
]
_SAID = "plum has the number 4711."
_TEXT = "add ?protocol=text to its name (docs/models.md)"
_PARSER = f"start its server with a tool-call parser, or {_TEXT}"


def probe(model: Model) -> list[Finding]:
    """What works, most important first.  Asks, and pays, twice; never raises for what a model or server does."""
    try:
        first = model.reply(_ASKED, (_TOOL,))
    except (ModelFailed, ContextOverflow) as error:
        return [Finding("model", False, str(error))]
    findings = [Finding("model", True, f"{model.id} answered in {first.seconds:.1f} s"), _call(first)]
    if first.calls:
        findings.append(_result(model, first))
    return [*findings, _usage(first), _price(model), _context(model)]


def _call(reply: Reply) -> Finding:
    extra = reply.message.get("extra", {})
    if not reply.calls:
        return Finding("calls", False, "asked to call a tool it only wrote text", _PARSER)
    call = reply.calls[0]
    if call.arguments is None:
        return Finding("calls", False, f"its call cannot be read: {call.error}", _PARSER)
    if call.name != _TOOL.name or call.arguments.get("name") != "plum":
        return Finding("calls", False, f"it called {call.name} with {call.raw[:80]}", "take a more capable model")
    if extra.get("rescued"):
        return Finding("calls", None, "its server leaves calls in the text; they are read all the same", _PARSER)
    return Finding("calls", True, "it calls tools")


def _result(model: Model, first: Reply) -> Finding:
    answers: list[Message] = [
        {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": _SAID} for call in first.calls
    ]
    try:
        second = model.reply([*_ASKED, dict(first.message), *answers], (_TOOL,))
    except (ModelFailed, ContextOverflow) as error:
        return Finding("results", False, f"the result of a tool is not taken: {error}", _TEXT)
    if "4711" in str(second.message.get("content")):
        return Finding("results", True, "it reads what tools answer")
    return Finding("results", None, "it did not repeat what the tool answered", "look at what its template does")


def _usage(reply: Reply) -> Finding:
    if reply.message.get("extra", {}).get("usage_estimated"):
        return Finding("usage", None, "tokens are not told: costs stay unknown, limits of tokens are estimates")
    told = reply.usage
    return Finding("usage", True, f"{told.prompt} tokens in, {told.cached} of them cached, {told.completion} out")


def _price(model: Model) -> Finding:
    if model.priced:
        return Finding("price", True, "known")
    return Finding("price", None, "unknown: a price limit cannot be kept", "add the model to a price file (--prices)")


def _context(model: Model) -> Finding:
    if model.context:
        return Finding("context", True, f"{model.context} tokens")
    fix = "add ?context=N to its name"
    return Finding("context", None, "unknown: histories are shortened only when the server refuses one", fix)
