"""Whether a server refuses a request because it does not fit into the model's context: servers say it in many ways."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_CODES = ("context_length_exceeded", "exceed_context_size_error", "context_window_exceeded")
# vLLM, llama.cpp, OpenAI, Mistral, SGLang, text-generation-inference, LM Studio, Anthropic and Google, in their words.
_SAID = re.compile(
    r"maximum (?:context|model|input) length|longer than the (?:maximum )?model's (?:maximum )?(?:context|model) length"
    r"|exceeds?(?: the)?(?: model's)?(?: maximum| available| allowed| configured)? context (?:length|window|size|limit)"
    r"|too large for model with \d+|prompt (?:is )?too long|input is too long|request too large"
    r"|input tokens exceed the configured limit|token count \(\d+\) exceeds the maximum number of tokens"
    r"|tokens \+ `max_new_tokens` must be <=|context the overflows|loaded with context length of only"
    r"|reduce the length of the (?:messages|input|prompt)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"(?:context|model) length (?:is|of)(?: only)? (\d+)|context length \((\d+)|model with (\d+) maximum context"
    r"|context size \((\d+)|configured limit of (\d+)|tokens allowed \((\d+)\)|> (\d+) maximum|must be <= (\d+)"
    r"|n_ctx\D{1,4}(\d+)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"(\d+) in the (?:messages|functions|prompt)")
_PROMPT = re.compile(
    r"messages resulted in (\d+)|(?:has|least) (\d+) input tokens|prompt contains (?:at least )?(\d+)"
    r"|request \((\d+) tokens|(?:prompt|input) \((?:length )?(\d+)|too long: (\d+) tokens|token count \((\d+)\)"
    r"|n_prompt_tokens\D{1,4}(\d+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Exceeded:
    """Tokens that the server names, 0 where it does not: of the prompt, and of prompt and answer together."""

    prompt: int = 0
    context: int = 0


def exceeded(status: int, body: str) -> Exceeded | None:
    """What an HTTP error says of the context, None if it is about something else."""
    code = ""
    try:
        found = json.loads(body)
        error = found.get("error", found) if isinstance(found, dict) else None
        code = " ".join(str(error.get(key, "")) for key in ("code", "type")) if isinstance(error, dict) else ""
    except (ValueError, RecursionError):
        pass
    text = re.sub(r"(?<=\d),(?=\d{3})", "", body)
    if status != 413 and not any(known in code for known in _CODES) and not _SAID.search(text):
        return None
    parts = sum(int(part) for part in _PARTS.findall(text))
    return Exceeded(_first(_PROMPT, text) or parts, _first(_CONTEXT, text))


def _first(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return int(next(group for group in match.groups() if group)) if match else 0
