"""A history that has grown too long becomes shorter: the user's words as they are, a hand-off summary that a second
model writes, and the last steps if there is room.

It happens between steps only, and a step is kept whole or not at all: no call is parted from its answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unsorry.scaffolds.agent import ContextOverflow, Message, Model, ModelFailed, ToolSpec, Usage
from unsorry.scaffolds.agent.limits import Spent
from unsorry.scaffolds.agent.sizes import cut, estimate, size, tokens
from unsorry.scaffolds.agent.trajectory import FROM_LOOP, known
from unsorry.scaffolds.agent.transcript import transcript

TAG = "compaction_summary"
LEVELS = 4  # each keeps half of what the one before kept
_MOST_SCALE = 4.0  # a count beyond that is no count
_LEAST = 400  # tokens of a transcript below which a summary says nothing

PROMPT = """\
You write a hand-off note. Another engineer, who sees none of this conversation, goes on with the task from your note \
alone. Write down, briefly and exactly:
1. the state: which files were changed and how, which declarations are proved, which are open, what Lean said last;
2. what was tried and failed, and why, so that nobody tries it again;
3. names, lemmas, paths and commands that were found and are needed, letter for letter;
4. decisions that were taken and constraints that were found;
5. the next step.
Do not repeat the user's words: they are kept as they are. Do not go on with the task yourself. Invent nothing."""

_WORDS = "The conversation so far was shortened. What the user said, word for word:"
_GO_ON = "This is where the work stands. Go on with the task."


@dataclass(frozen=True, slots=True)
class Compacted:
    """A shorter history; what it took to write the summary."""

    messages: list[Message]
    usage: Usage
    cost: float | None
    before: int  # tokens, estimated
    after: int


@dataclass(slots=True)
class Compactor:
    """`threshold` in tokens, 0: only when the model's context forces it; `words` and `recent` are tokens kept of the
    user's messages and of the last steps."""

    model: Model
    threshold: int = 0
    words: int = 20_000
    recent: int = 8_000
    prompt: str = field(default=PROMPT)

    def limit(self, context: int) -> int:
        """The tokens from which on a history is too long for a model with this context; 0 if there is no such limit."""
        room = context - min(16_384, context // 4)  # for the answer
        return min(self.threshold or room, room) if context else self.threshold

    def due(self, messages: Sequence[Message], tools: Sequence[ToolSpec], context: int) -> bool:
        limit = self.limit(context)
        return bool(limit) and size(messages, tools) >= limit

    def compact(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], context: int, level: int = 0
    ) -> Compacted:
        """The history, shorter; with each `level` from 0 on less is kept.

        Raises ModelFailed where the second model gives no summary, or where what cannot be left out (the system prompt
        and the tools) does not fit.
        """
        before = size(messages, tools)
        scale = min(max(before / max(estimate(messages, tools), 1), 1.0), _MOST_SCALE)  # where lengths say too little
        limit = int(min(self.limit(context) or before, before) / scale)
        opening, history = _opening(messages)
        fixed = size(opening, tools)
        room = (limit - fixed) >> level
        if room < _LEAST:
            raise ModelFailed(
                f"the context is too small: system prompt and tools take about {fixed} of {limit} tokens; "
                "use fewer tools or a model with a longer context"
            )
        recent, older = _split(history, min(self.recent, room // 4) if level == 0 else 0)
        summary, spent = self._summary(older, limit)
        words = _message(_said(older), min(self.words, room // 3), cut(summary, room // 4))
        found = [*opening, words, *recent]
        cost = None if spent.unknown else spent.price
        return Compacted(found, spent.tokens, cost, before, int(size(found, tools) * scale))

    def _summary(self, history: Sequence[Message], limit: int) -> tuple[str, Spent]:
        """What the second model writes, and what that took; it is shown less where it takes less."""
        spent = Spent()
        if not any(message["role"] == "assistant" or "summary" in message.get("extra", {}) for message in history):
            return "Nothing was done before what follows.", spent
        budget = (self.model.context or max(limit, _LEAST)) * 3 // 5
        while True:
            text = transcript(history, budget)
            asked: list[Message] = [
                {"role": "system", "content": self.prompt},
                {"role": "user", "content": f"{text}\n\nWrite the hand-off note."},
            ]
            try:
                reply = self.model.reply(asked, ())
            except ContextOverflow:
                budget //= 2
                if budget < _LEAST // 2:
                    raise ModelFailed(
                        f"{self.model.id} cannot summarise the conversation: its context is too small even for "
                        "a part of it; use another model for compaction"
                    ) from None
                continue
            spent = spent.plus(reply.usage, known(reply.cost))
            said = str(reply.message.get("content") or "").strip()
            return said or f"(no summary was given; the end of the conversation)\n{transcript(history, _LEAST)}", spent


def _opening(messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """The system prompt, and everything after it."""
    first = next((i for i, m in enumerate(messages) if m["role"] not in ("system", "developer")), len(messages))
    return list(messages[:first]), list(messages[first:])


def _split(history: Sequence[Message], budget: int) -> tuple[list[Message], list[Message]]:
    """The last whole steps that fit, and what stands before them."""
    starts = [index for index, message in enumerate(history) if message["role"] == "assistant"]
    first = len(history)
    for start in reversed(starts):
        if size(_bare(history[start:]), ()) > budget:
            break
        first = start
    return _bare(history[first:]), list(history[:first])


def _bare(messages: Sequence[Message]) -> list[Message]:
    """Kept messages: their tokens were counted in, and their ids belong to, another history."""
    gone = ("usage", "turn")
    return [{**m, "extra": {k: v for k, v in m.get("extra", {}).items() if k not in gone}} for m in messages]


def _said(history: Sequence[Message]) -> list[str]:
    """The user's words, oldest first, those that an earlier compaction kept included."""
    found: list[str] = []
    for message in history:
        extra = message.get("extra", {})
        if message["role"] != "user" or extra.get("from") == FROM_LOOP:
            continue
        found += extra["words"] if "words" in extra else [_text(message)]
    return found


def _words(said: Sequence[str], budget: int) -> list[str]:
    """The first message, which is the task, and the latest ones that fit; one that is too long loses its middle."""
    if not said:
        return []
    whole = sum(map(tokens, said)) <= budget
    if whole:
        return list(said)
    first = cut(said[0], budget if len(said) == 1 else budget // 2)
    left = budget - tokens(first)
    last: list[str] = []
    for text in reversed(said[1:]):
        kept = cut(text, left)
        if not kept or (last and kept != text):
            break
        last.insert(0, kept)
        left -= tokens(kept)
    gap = len(said) - 1 - len(last)
    return [first, *([f"[{gap} messages of the user were left out here]"] if gap else []), *last]


def _message(said: Sequence[str], budget: int, summary: str) -> Message:
    """What stands for the older history; `extra.words` has all words of the user, for the next compaction."""
    words = "\n".join(f"<user_message>\n{text}\n</user_message>" for text in _words(said, budget))
    safe = summary.replace(f"</{TAG}>", f"<\\/{TAG}>")
    content = f"{_WORDS}\n{words}\n\n<{TAG}>\n{safe}\n</{TAG}>\n{_GO_ON}"
    return {
        "role": "user",
        "content": content,
        "extra": {"from": "compaction", "words": list(said), "summary": summary},
    }


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
