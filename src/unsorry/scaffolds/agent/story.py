"""A trajectory as what a person reads: who said what, what was called, what it gave, what it cost.

Every text that comes out of here is `visible`: whatever a model, a tool or a file wrote, it moves no cursor, hides
nothing and reverses no line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from unsorry.scaffolds.agent.limits import Spent
from unsorry.scaffolds.agent.trajectory import FROM_LOOP, Trajectory, calls_of

NO_ANSWER = "no answer"  # the status of a call that the run stopped at


@dataclass(slots=True)
class Called:
    """A call and its answer.  `arguments` are names and texts."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    status: str = NO_ANSWER
    text: str = ""
    seconds: float = 0.0
    fault: str = ""


@dataclass(slots=True)
class Entry:
    """One thing that happened.  `kind`: system, user, loop, reply, compaction, start or end."""

    kind: str
    text: str
    title: str = ""
    step: int = 0  # of a reply, from 1 on
    at: float = 0.0  # seconds into the run
    reasoning: str = ""
    figures: str = ""
    prompt: int = 0  # tokens of a reply's prompt
    cached: int = 0
    calls: list[Called] = field(default_factory=list)


def story(trajectory: Trajectory) -> list[Entry]:
    """The entries in order; never raises, whatever texts a trajectory holds."""
    entries = [_said(message, 0.0) for message in trajectory.header.get("messages", ())]
    called: dict[str, Called] = {}
    steps = 0
    for record in trajectory.records:
        at, kind = float(record["at"]), record["type"]
        if kind == "message":
            entries.append(_said(record["message"], at))
        elif kind == "reply":
            steps += 1
            entry = _reply(record, steps, at)
            called = dict(zip((c.id for c in calls_of(record["message"])), entry.calls, strict=True))
            entries.append(entry)
        elif kind == "observation":
            _answer(called.get(str(record["message"]["tool_call_id"])), record["message"])
        elif kind == "compaction":
            entries.append(_compaction(record, at))
        elif kind == "start":
            limits = record.get("limits")
            given = limits if isinstance(limits, Mapping) else {}
            shown = ", ".join(f"{k} {v}" for k, v in given.items() if v is not None)
            entries.append(
                Entry("start", visible(f"{record.get('model', '')}{'; limits: ' + shown if shown else ''}"), at=at)
            )
        elif kind == "end":
            title = " ".join(str(record[k]) for k in ("kind", "which") if record.get(k))
            entries.append(Entry("end", visible(str(record.get("message", ""))), visible(title), at=at))
    return entries


def figures(cost: Any, tokens_in: Any, cached: Any, out: Any, seconds: Any) -> str:
    """What a reply or a run took, on one line."""
    parts = [
        money(cost),
        f"{count(tokens_in)} in" + (f" ({count(cached)} cached)" if cached else ""),
        f"{count(out)} out",
    ]
    return " · ".join([*parts, duration(seconds)])


def totals(spent: Spent) -> str:
    """What a run took so far, on one line."""
    known = None if spent.unknown else spent.price
    text = figures(known, spent.tokens.prompt, spent.tokens.cached, spent.tokens.completion, spent.seconds)
    return f"{spent.turns} turns · {text}" + (f" ({money(spent.price)} known)" if spent.unknown and spent.pico else "")


def money(cost: Any) -> str:
    if type(cost) not in (int, float):
        return "cost unknown"
    return "free" if not cost else f"${cost:.2f}" if cost >= 1 else f"${cost:.4f}"


def count(tokens: Any) -> str:
    return f"{tokens:,}" if type(tokens) in (int, float) else "?"


def duration(seconds: Any) -> str:
    if type(seconds) not in (int, float) or not 0 <= seconds < 1e9:
        return "?"
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def visible(text: str) -> str:
    """The text with everything that does not print as itself shown as an escape; line breaks and tabs stay."""
    text = text.replace("\r\n", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c in "\n\t" or c.isprintable() else repr(c)[1:-1] for c in text)


def _said(message: Mapping[str, Any], at: float) -> Entry:
    role = str(message["role"])
    extra = message.get("extra", {})
    kind = FROM_LOOP if extra.get("from") == FROM_LOOP else role if role in ("system", "user") else "user"
    return Entry(kind, _content(message), at=at)


def _reply(record: Mapping[str, Any], step: int, at: float) -> Entry:
    message = record["message"]
    extra = message["extra"]
    usage = extra["usage"]
    paid = f" (paid then: {money(extra['paid'])})" if "paid" in extra else ""
    cut = " · cut off" if extra.get("finish") == "length" else ""
    shown = figures(
        extra["cost"], usage.get("prompt", 0), usage.get("cached", 0), usage.get("completion", 0), extra.get("seconds")
    )
    prompt, cached = (usage.get(k, 0) for k in ("prompt", "cached"))
    return Entry(
        "reply",
        _content(message),
        visible(str(record.get("model", ""))),
        step,
        at,
        visible(str(message.get("reasoning_content") or "")),
        shown + paid + cut,
        prompt if type(prompt) is int else 0,
        cached if type(cached) is int else 0,
        [Called(visible(str(c.name)), _arguments(c.arguments, c.raw)) for c in calls_of(message)],
    )


def _answer(call: Called | None, message: Mapping[str, Any]) -> None:
    if call is None:
        return
    extra = message.get("extra", {})
    data = extra.get("data")
    call.status, call.text = visible(str(extra.get("status", "ok"))), _content(message)
    call.seconds = extra["seconds"] if type(extra.get("seconds")) in (int, float) else 0.0
    call.fault = visible(str(data.get("fault") or "")) if isinstance(data, Mapping) else ""


def _compaction(record: Mapping[str, Any], at: float) -> Entry:
    summary = next(
        (str(m["extra"]["summary"]) for m in record["messages"] if "summary" in m.get("extra", {})), "no summary"
    )
    title = f"{count(record.get('before'))} tokens became {count(record.get('after'))}, by {record.get('model', '?')}"
    usage = record["usage"]
    shown = figures(
        record["cost"], usage.get("prompt", 0), usage.get("cached", 0), usage.get("completion", 0), record.get("took")
    )
    return Entry("compaction", visible(summary), visible(title), at=at, figures=shown)


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) if isinstance(part, Mapping) else str(part) for part in content)
    return visible(str(content or ""))


def _arguments(arguments: Any, raw: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(arguments, Mapping):
        return (("not readable", visible(str(raw))),)
    return tuple(
        (visible(str(key)), visible(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))
        for key, value in arguments.items()
    )
