"""Answers that come as a stream of server-sent events, put together into what they would have been as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from unsorry.provers.openai_api import one_line

Watch = Callable[[str, str], None]  # ("text" | "reasoning", piece): what is shown while it comes
_JOINED = ("content", "reasoning_content", "reasoning")


class Stream:
    """Takes chunks.  `finished` once one named why the answer ended; only then is it whole."""

    def __init__(self, watch: Watch | None = None) -> None:
        self.watch = watch
        self.finished = False
        self._whole: dict[str, Any] = {}
        self._message: dict[str, Any] = {"role": "assistant", "content": None}
        self._calls: list[dict[str, Any]] = []
        self._places: dict[Any, int] = {}  # index that the server gives -> place in the list
        self._finish: str | None = None

    def take(self, chunk: Any) -> None:
        """One chunk; ValueError for one that is none, or that holds an error."""
        if not isinstance(chunk, dict):
            raise ValueError("a chunk of a stream that is no object")
        for key in ("id", "model", "usage", "error"):
            if chunk.get(key):
                self._whole[key] = chunk[key]
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            if chunk.get("object") == "error" or {"message", "code"} <= chunk.keys():
                self._whole.setdefault("error", chunk.get("message") or "an error without words")
            return
        for choice in choices:
            if not isinstance(choice, dict):
                raise ValueError("a chunk of a stream with a choice that is none")
            delta = choice.get("delta") or choice.get("message")
            if isinstance(delta, dict):
                self._take_delta(delta)
            if choice.get("finish_reason"):
                self._finish, self.finished = choice["finish_reason"], True

    def answer(self) -> dict[str, Any]:
        """The answer as an endpoint gives it that does not stream."""
        if "error" in self._whole:
            return {"error": self._whole["error"]}
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = self._calls
        return {**self._whole, "choices": [{"index": 0, "message": message, "finish_reason": self._finish}]}

    def _take_delta(self, delta: Mapping[str, Any]) -> None:
        for key in _JOINED:
            piece = delta.get(key)
            if isinstance(piece, str) and piece:
                self._join(key, piece)
                self._show("text" if key == "content" else "reasoning", piece)
            elif isinstance(piece, list):
                self._message[key] = _parts(self._message.get(key), piece, self._show)
        if isinstance(delta.get("reasoning_details"), list):
            self._message.setdefault("reasoning_details", []).extend(delta["reasoning_details"])
        for number, given in enumerate(delta.get("tool_calls") or ()):
            if not isinstance(given, dict):
                raise ValueError("a chunk of a stream with a call that is none")
            self._take_call(given, number)

    def _join(self, key: str, piece: str) -> None:
        before = self._message.get(key)
        if isinstance(before, list):
            self._message[key] = _parts(before, [{"type": "text", "text": piece}], lambda *_: None)
        else:
            self._message[key] = (before or "") + piece

    def _take_call(self, given: Mapping[str, Any], number: int) -> None:
        """A piece of a call: by its index; servers that leave it out send whole calls, each with an id of its own."""
        key = given.get("index")
        if key is None:
            key = given.get("id") or number
        function = given.get("function") if isinstance(given.get("function"), dict) else {}
        assert isinstance(function, dict)
        place = self._places.get(key)
        other = (
            place is not None
            and given.get("id")
            and function.get("name")
            and self._calls[place]["id"] not in (None, given["id"])
        )
        if place is None or other:  # some number every call 0, and tell them apart by their ids
            place = self._places[key] = len(self._calls)
            self._calls.append({"id": None, "type": "function", "function": {"name": "", "arguments": ""}})
        call = self._calls[place]
        call["id"] = call["id"] or given.get("id")
        if given.get("extra_content"):
            call["extra_content"] = given["extra_content"]
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and name != call["function"]["name"]:
            call["function"]["name"] += name
        if isinstance(arguments, str):
            call["function"]["arguments"] += arguments
        elif isinstance(arguments, dict):
            call["function"]["arguments"] = json.dumps(arguments, ensure_ascii=False)

    def _show(self, kind: str, piece: str) -> None:
        if self.watch is not None:
            self.watch(kind, piece)


def _parts(before: Any, pieces: list[Any], show: Watch) -> list[Any]:
    """Mistral's content of parts; those of one kind that follow each other are one."""
    parts: list[Any] = before if isinstance(before, list) else [{"type": "text", "text": before}] if before else []
    for piece in pieces:
        kind = piece.get("type") if isinstance(piece, dict) else None
        value = piece.get(kind) if isinstance(piece, dict) and kind in ("text", "thinking") else None
        text = "".join(one.get("text", "") for one in value) if isinstance(value, list) else value
        if not isinstance(text, str):
            continue
        show("reasoning" if kind == "thinking" else "text", text)
        if parts and parts[-1].get("type") == kind:
            parts[-1] = {"type": kind, kind: parts[-1][kind] + text}
        else:
            parts.append({"type": kind, kind: text})
    return parts


def events(pieces: Iterator[bytes]) -> Iterator[str]:
    """The data of each event, as it is complete; a body that is no stream is one event."""
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith("data:"):
            if data and _complete(data):  # servers that end an event with one line break
                yield "\n".join(data)
                data = []
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("error:"):  # older llama.cpp
            data.append('{"error":' + line[6:] + "}")
        elif line.lstrip().startswith(("{", "[")) or (data and not line.startswith((":", "event:", "id:", "retry:"))):
            data.append(line)
    if data:
        yield "\n".join(data)


def _complete(data: list[str]) -> bool:
    try:
        json.loads("\n".join(data))
    except (ValueError, RecursionError):
        return False
    return True


def read(pieces: Iterator[bytes], watch: Watch | None = None) -> dict[str, Any]:
    """The whole answer of a stream; ValueError where it is cut short or damaged.

    What follows the chunk that ends the answer (usage, the mark of the end) may be missing: the answer is whole.
    """
    stream = Stream(watch)
    found = False
    try:
        for event in events(pieces):
            if event.strip() == "[DONE]":
                break
            try:
                chunk = json.loads(event)
            except (ValueError, RecursionError):
                if event.startswith('{"error"'):  # its text put in without being escaped
                    return {"error": event[8:].strip(':"} ')}
                raise ValueError(f"a stream that is not JSON: {one_line(event, 60)}") from None
            if not found and isinstance(chunk, dict) and "message" in _first(chunk):
                return chunk  # a server that does not stream
            found = True
            try:
                stream.take(chunk)
            except (TypeError, AttributeError, KeyError):  # a value of another type somewhere in it
                raise ValueError(f"a chunk of a stream that is none: {one_line(event, 60)}") from None
    except Exception:
        if not stream.finished:
            raise
    answer = stream.answer()
    if not stream.finished and "error" not in answer:
        raise ValueError("a stream that broke off before its end" if found else "an answer without anything in it")
    return answer


def _first(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = chunk.get("choices")
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}


def _lines(pieces: Iterator[bytes]) -> Iterator[str]:
    """Lines as they are complete, whatever their ends; characters are never cut."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest:
        yield rest.removesuffix(b"\r").decode("utf-8", "replace")
