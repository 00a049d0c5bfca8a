"""Prompts as token ids: which text may become a special token, and how a conversation goes on token by token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from unsorry import Turn, UnsorryError
from unsorry.provers.formats.base import Tokenizer


def literal(tokenizer: Tokenizer, text: str) -> list[int]:
    """Token ids of text in which nothing is a special token."""
    return tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True) if text else []


def special_id(tokenizer: Tokenizer, token: str) -> int:
    """The id of a special token; raises UnsorryError if the tokenizer has none."""
    found = specials(tokenizer).get(token)
    if found is not None:
        return found
    raise UnsorryError(
        f'the tokenizer has no token {token}, which format "plain" needs: train one with this format, or use a model '
        'with a chat template and format "goedel"'
    )


def encode_pieces(tokenizer: Tokenizer, pieces: Iterable[tuple[str, bool]]) -> tuple[int, ...]:
    """Token ids of (text, whether it is a special token)."""
    ids: list[int] = []
    for text, special in pieces:
        ids += [special_id(tokenizer, text)] if special else literal(tokenizer, text)
    return tuple(ids)


def after_last_answer(messages: Sequence[Mapping[str, str]]) -> Sequence[Mapping[str, str]]:
    """The messages behind the model's last answer."""
    last = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
    return messages[last + 1 :]


def encode_chat(
    tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], turn: Turn | None, format: str
) -> tuple[int, ...]:
    """Token ids of a chat, ready for an answer; with `turn`, that turn's ids and what the template puts behind them.

    Chat templates may rewrite earlier answers (Qwen3's drops their reasoning), so a conversation that goes on is never
    rendered again: only the template's text behind the last answer is new.
    """
    rendered = _Rendered(tokenizer, messages, format)
    if turn is None:
        return tuple(_encode_rendered(tokenizer, rendered))
    last = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
    if last < 0:
        raise UnsorryError("a conversation that goes on needs the model's answer among its messages")
    before = (*turn.prompt_ids, *turn.completion_ids)
    behind = _encode_parts(tokenizer, rendered.parts_behind(last))
    # Of an answer that ended by itself the end token was sampled; one that was cut off gets the template's.
    if turn.finish == "stop" and turn.completion_ids and behind and behind[0] in specials(tokenizer).values():
        behind = behind[1:]
    return before + tuple(behind)


def encode_literal_answer(tokenizer: Tokenizer, answer: str) -> tuple[int, ...]:
    """Token ids of an answer in a chat, and the end token; raises UnsorryError if the tokenizer names none."""
    if tokenizer.eos_token_id is None:
        raise UnsorryError("the tokenizer names no end token (eos_token): answers could not end")
    return (*literal(tokenizer, answer), tokenizer.eos_token_id)


@lru_cache(maxsize=16)
def specials(tokenizer: Tokenizer) -> Mapping[str, int]:
    """The special tokens and their ids."""
    return {str(token): int(index) for index, token in tokenizer.added_tokens_decoder.items() if token.special}


class _Rendered:
    """A chat in its template, with the places where the messages' own text stands."""

    def __init__(self, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], format: str) -> None:
        if not tokenizer.chat_template:
            name = getattr(tokenizer, "name_or_path", "") or "the model"
            raise UnsorryError(f'{name} has no chat template, which format "{format}" needs: use format "plain"')
        self.tokenizer = tokenizer
        self.messages = [{"role": message["role"], "content": message["content"]} for message in messages]
        texts = "".join(message["content"] for message in self.messages)
        number = 0
        while f"answer{number}x" in texts:
            number += 1
        self.marks = [f"answer{number}x{at}x" for at in range(len(self.messages))]

    def text(self) -> str:
        return self._render(self.messages)

    def parts(self) -> list[tuple[str, bool]]:
        """(text, whether it is a message's own), from a rendering in which marks stand for the messages."""
        marked = [{**message, "content": mark} for message, mark in zip(self.messages, self.marks, strict=True)]
        known = dict(zip(self.marks, self.messages, strict=True))
        pieces = re.split("(" + "|".join(map(re.escape, self.marks)) + ")", self._render(marked))
        return [(known[p]["content"], True) if p in known else (p, False) for p in pieces]

    def parts_behind(self, index: int) -> list[tuple[str, bool]]:
        parts = self.parts()
        own = [at for at, (_, mine) in enumerate(parts) if mine]
        if len(own) != len(self.messages):
            raise UnsorryError("the chat template drops or repeats messages: this model cannot be asked to correct")
        return parts[own[index] + 1 :]

    def _render(self, messages: list[dict[str, str]]) -> str:
        try:
            text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        except Exception as error:  # templates are programs, and raise what they like
            raise UnsorryError(f"the chat template refuses these messages: {_one_line(error)}") from None
        return str(text)


def _encode_rendered(tokenizer: Tokenizer, rendered: _Rendered) -> list[int]:
    names = specials(tokenizer)
    if not any(name in message["content"] for message in rendered.messages for name in names):
        return tokenizer.encode(rendered.text(), add_special_tokens=False)
    return _encode_parts(tokenizer, rendered.parts())


def _encode_parts(tokenizer: Tokenizer, parts: Sequence[tuple[str, bool]]) -> list[int]:
    """The ids of a rendered chat in which only the template's own text holds special tokens.

    Text is cut at those alone, as the tokenizer does it, so that text without any gives the same ids as ever.
    """
    names = specials(tokenizer)
    cut = re.compile("(" + "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True)) + ")")
    ids: list[int] = []
    plain = ""
    for text, own in parts:
        for piece in [text] if own or not names else cut.split(text):
            if not own and piece in names:
                ids += [*literal(tokenizer, plain), names[piece]]
                plain = ""
            else:
                plain += piece
    return ids + literal(tokenizer, plain)


def _one_line(error: Any) -> str:
    return " ".join(str(error).split())[:200]
