"""Requests to an OpenAI-compatible endpoint: retries, deadlines, and errors that a person can act on."""

from __future__ import annotations

import email.utils
import json
import math
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import httpx

from unsorry import UnsorryError
from unsorry.provers.context_length import Exceeded, exceeded

MAX_RESPONSE = 64 << 20  # bytes
CONNECT = 10.0  # seconds
_AGAIN = frozenset({408, 409, 425, 429})
# Groq, llama.cpp, transformers; what they say of it is often all that is left of the answer.
_UNREADABLE = re.compile(
    r"tool_use_failed|failed to (?:parse|call) (?:input at pos|a? ?(?:tool|function))|parse region as", re.IGNORECASE
)


class Fatal(UnsorryError):
    """No request to this endpoint can succeed: a wrong key, model or address."""


class Failed(UnsorryError):
    """One request got no answer, after all retries or at its deadline."""


class TooLong(UnsorryError):
    """The prompt does not fit into the model's context; `exceeded` holds what the server says of its length."""

    def __init__(self, message: str, exceeded: Exceeded) -> None:
        super().__init__(message)
        self.exceeded = exceeded


class Unreadable(UnsorryError):
    """The model answered with a call of a tool that the server could not read; asking again may give it again."""

    def __init__(self, said: str) -> None:
        super().__init__(f"the server could not read a call that the model wrote: {one_line(said)}")
        self.said = said


class _Again(Exception):
    """Worth another try, after `wait` seconds if the server named a time."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent at most, and the seconds to wait: `first`, doubled each time, up to `most`."""

    attempts: int = 6
    first: float = 1.0
    most: float = 60.0


class Client:
    """One endpoint.  Works from any thread; `stop` makes requests that wait give up."""

    def __init__(self, base_url: str, *, api_key_env: str = "", retries: Retries | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        if not self.base_url.startswith(("http://", "https://")):
            raise UnsorryError(f"the endpoint {base_url!r} is no URL: give one like https://host/v1")
        self.api_key_env, self.retries = api_key_env, retries or Retries()
        headers = {"User-Agent": "unsorry"}
        key = ""
        if api_key_env:
            key = os.environ.get(api_key_env, "").strip()
            if not key:
                raise UnsorryError(f"the key for {self.base_url} is not set: put it in the variable {api_key_env}")
            if not key.isascii() or not key.isprintable():
                raise UnsorryError(
                    f"the variable {api_key_env} holds no key: it has characters that no header can hold"
                )
            headers["Authorization"] = f"Bearer {key}"
        self._key = key
        self.stop = threading.Event()
        try:
            # As many connections as threads ask for: the prover limits those.
            self._http = httpx.Client(headers=headers, limits=httpx.Limits(max_connections=None))
        except (ValueError, httpx.InvalidURL) as error:  # a proxy in the environment that is none
            raise UnsorryError(f"cannot set up a connection to {self.base_url}: {one_line(error)}") from None

    def close(self) -> None:
        self.stop.set()
        self._http.close()

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        timeout: float,
        valid: Callable[[Any], str] | None = None,
        each: float = math.inf,
        read: Callable[[Iterator[bytes]], Any] | None = None,
    ) -> tuple[Any, int]:
        """The JSON answer and how often it was asked for.

        `timeout` is seconds for all tries together, `each` for one.  `valid(answer)` says what is wrong with an answer,
        "" for nothing; a bad one is asked for again.  `read` makes the answer of pieces of data as they come, JSON if
        left out; its ValueError is a bad answer, too.  Raises Fatal, TooLong, Unreadable or Failed.
        """
        deadline = time.monotonic() + timeout
        why = "no answer"
        for attempt in range(1, self.retries.attempts + 1):
            wait = min(self.retries.first * 2 ** (attempt - 1), self.retries.most) * random.uniform(0.5, 1.0)  # noqa: S311
            try:
                answer = self._once(path, body, min(deadline, time.monotonic() + each), read or whole_json)
                if not (why := valid(answer) if valid else ""):
                    return answer, attempt
            except _Again as again:
                why = str(again)
                wait = again.wait if again.wait is not None else wait
            left = deadline - time.monotonic()
            if attempt < self.retries.attempts and (left <= wait or self.stop.wait(wait)):
                break
        raise Failed(f"{self.base_url} gave no answer in {attempt} tries and at most {timeout:g} s: {why}")

    def get(self, path: str, *, timeout: float = CONNECT) -> Any:
        """What the server says there, asked for once; None if it does not."""
        try:
            response = self._http.get(self.base_url + path, timeout=timeout)
            return response.json() if response.status_code == 200 else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RuntimeError, RecursionError):
            return None

    def _once(self, path: str, body: Mapping[str, Any], deadline: float, read: Callable[[Iterator[bytes]], Any]) -> Any:
        left = deadline - time.monotonic()
        if left <= 0 or self.stop.is_set():
            raise _Again("no answer in time")
        times = httpx.Timeout(left, connect=min(CONNECT, left))
        try:
            with self._http.stream("POST", self.base_url + path, json=body, timeout=times) as response:
                pieces = _pieces(response, deadline)
                if response.status_code == 200:
                    return _read(pieces, read)
                data = b"".join(pieces)
        except httpx.ConnectError as error:
            raise _Again(f"nothing answers there ({one_line(error)})") from None
        except httpx.TimeoutException:
            raise _Again("no answer in time") from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise Fatal(f"the endpoint {self.base_url} is no URL: {one_line(error)}") from None
        except httpx.HTTPError as error:
            raise _Again(f"the connection broke ({one_line(error) or type(error).__name__})") from None
        except RuntimeError as error:  # the client was closed under us
            raise _Again(one_line(error)) from None
        self._refused(response, data, body)

    def _refused(self, response: httpx.Response, data: bytes, body: Mapping[str, Any]) -> NoReturn:
        """Raises what an HTTP status other than 200 means."""
        code, said = response.status_code, _said(data)
        if self._key:
            said = said.replace(self._key, "(the key)")
        where = f"{self.base_url} (HTTP {code}{said})"
        if found := exceeded(code, data[:65_536].decode("utf-8", "replace")):
            raise TooLong(f"the prompt is too long for {where}", found)
        unreadable(data.decode("utf-8", "replace"))
        if code == 429 and b"insufficient_quota" in data:
            raise Fatal(f"there is no credit left at {where}")
        if code in _AGAIN or code >= 500:
            raise _Again(f"HTTP {code}{said}", _retry_after(response.headers.get("Retry-After", "")))
        if code in (401, 403):
            key = f"the key in {self.api_key_env}" if self.api_key_env else "requests without a key (name its variable)"
            raise Fatal(f"{key} is not accepted by {where}".replace("variable) is", "variable) are"))
        if code == 404:
            raise Fatal(f"no model {body.get('model')!r}, or no such path, at {where}: check both")
        raise Fatal(f"the request is refused by {where}")


def unreadable(body: str) -> None:
    """Raises Unreadable for an error that says that the model's call was."""
    if not _UNREADABLE.search(body[:65_536]):
        return
    try:
        error = json.loads(body)["error"]
        raise Unreadable(str(error.get("failed_generation") or error["message"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Unreadable(body) from None


def whole_json(pieces: Iterator[bytes]) -> Any:
    """The JSON value that the pieces make together; ValueError if they make none."""
    try:
        return json.loads(b"".join(pieces))
    except (ValueError, RecursionError):
        raise ValueError("an answer that is not JSON") from None


def _read(pieces: Iterator[bytes], read: Callable[[Iterator[bytes]], Any]) -> Any:
    try:
        return read(pieces)
    except ValueError as error:
        raise _Again(one_line(error)) from None


def _pieces(response: httpx.Response, deadline: float) -> Iterator[bytes]:
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > MAX_RESPONSE:
            raise _Again(f"an answer of more than {MAX_RESPONSE >> 20} MiB")
        if time.monotonic() > deadline:
            raise _Again("no answer in time")
        yield piece


def _said(data: bytes) -> str:
    """The server's own words, in one line, with a separator before them."""
    text = data[:4096].decode("utf-8", "replace")
    try:
        found = json.loads(data)
        inner = found.get("error", found.get("message", found.get("detail"))) if isinstance(found, dict) else None
        text = inner.get("message", text) if isinstance(inner, dict) else inner if isinstance(inner, str) else text
    except (ValueError, RecursionError):
        pass
    text = one_line(text)
    return f": {text}" if text else ""


def _retry_after(value: str) -> float | None:
    """Seconds that a `Retry-After` header asks for: a number, or a date."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return min(max(0.0, seconds), 86_400.0) if not math.isnan(seconds) else None


def one_line(text: object, most: int = 200) -> str:
    """Text of others for an error message: one line, printable, short."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= most else line[:most] + "..."
