"""Refusals for a prompt that is too long, as servers write them, and refusals that are about something else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from unsorry.provers.context_length import Exceeded, exceeded


def openai(message: str, code: Any = None, type: str = "invalid_request_error", **more: Any) -> str:
    return json.dumps({"error": {"message": message, "type": type, "param": "messages", "code": code, **more}})


def flat(message: str, **more: Any) -> str:
    return json.dumps({"object": "error", "message": message, "type": "BadRequestError", "param": None, **more})


TOO_LONG = {
    "OpenAI": (400, openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens "
        "(129500 in the messages, 512 in the functions). Please reduce the length of the messages or functions.",
        "context_length_exceeded"), Exceeded(130_012, 128_000)),
    "OpenAI, with an answer": (400, openai(
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (7000 in the messages, "
        "500 in the functions, 1500 in the completion). Please reduce the length of the messages.",
        "context_length_exceeded"), Exceeded(7500, 8192)),
    "OpenAI, newer": (400, openai(
        "Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300,001 tokens. "
        "Please reduce the length of the messages.", "context_length_exceeded"), Exceeded(300_001, 272_000)),
    "OpenAI, tokens a minute": (429, openai(
        "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000. The input or output "
        "tokens must be reduced in order to run successfully.", "rate_limit_exceeded", "tokens"), Exceeded()),
    "vLLM": (400, flat(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, "
        "1000 in the completion). Please reduce the length of the messages or completion.", code=400),
        Exceeded(4000, 4096)),
    "vLLM, input alone": (400, openai(
        "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please "
        "reduce the length of the input messages.", 400, "BadRequestError"), Exceeded(5000, 4096)),
    "vLLM, an answer that is too long": (400, openai(
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 "
        "tokens and your request has 3000 input tokens (8192 > 4096 - 3000).", 400, "BadRequestError"),
        Exceeded(3000, 4096)),
    "vLLM, decoder": (400, flat(
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that "
        "`max_model_len` is no smaller than the number of text tokens."), Exceeded(5000, 4096)),
    "vLLM, newest": (400, openai(
        "This model's maximum context length is 8192 tokens. However, you requested 0 output tokens and your prompt "
        "contains at least 8193 input tokens, for a total of at least 8193 tokens. Please reduce the length of the "
        "input prompt or the number of requested output tokens. (parameter=input_tokens, value=8193)", 400),
        Exceeded(8193, 8192)),
    "llama.cpp": (400, json.dumps({"error": {
        "code": 400, "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}}), Exceeded(5000, 4096)),
    "llama.cpp, newer": (400, json.dumps({"error": {
        "code": 400, "message": "request (5000 tokens) exceeds the available context size (4096 tokens), try "
        "increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}}),
        Exceeded(5000, 4096)),
    "llama.cpp, older": (500, json.dumps({"error": {
        "code": 500, "message": "the request exceeds the available context size. try increasing the context size or "
        "enable context shift", "type": "server_error"}}), Exceeded()),
    "Mistral": (400, flat(
        "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        code="3051"), Exceeded(65_673, 32_768)),
    "SGLang": (400, flat("The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
               Exceeded(5000, 4096)),
    "text-generation-inference": (422, json.dumps({"error_type": "validation", "error":
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens"}),
        Exceeded(0, 4097)),
    "Anthropic": (400, openai("prompt is too long: 210000 tokens > 200000 maximum"), Exceeded(210_000, 200_000)),
    "Google": (400, openai(
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
        Exceeded(1_200_000, 1_048_576)),
    "LM Studio": (400, json.dumps({"error": "Trying to keep the first 5000 tokens when context the overflows. However, "
        "the model is loaded with context length of only 4096 tokens, which is not enough."}), Exceeded(0, 4096)),
    "a gateway": (413, "<html>413 Request Entity Too Large</html>", Exceeded()),
}  # fmt: skip

OTHER = {
    "an unknown field": (400, openai("Unknown parameter: 'context'.")),
    "an answer that may not be that long": (400, openai("max_tokens is too large: 99999, at most 16384 are supported")),
    "order": (400, flat("Expected last role User or Tool for serving but got assistant", code="3230")),
    "template": (500, openai("'dict object' has no attribute 'arguments'")),
    "schema": (422, json.dumps({"detail": [{"loc": ["body", "stream_options"], "msg": "extra fields not permitted"}]})),
    "rate": (429, openai("Rate limit reached for tokens per min (TPM): Limit 30000, Used 29000, Requested 4000.")),
    "a name": (400, openai("the tool name is too long: at most 64 characters")),
    "nothing": (400, ""),
    "brackets": (400, "[" * 100_000),
}


@pytest.mark.parametrize("server", TOO_LONG)
def test_a_prompt_that_is_too_long(server: str) -> None:
    status, body, expected = TOO_LONG[server]
    assert exceeded(status, body) == expected


@pytest.mark.parametrize("what", OTHER)
def test_other_refusals(what: str) -> None:
    assert exceeded(*OTHER[what]) is None
