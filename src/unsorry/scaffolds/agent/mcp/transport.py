"""Transports of the SDK with what it leaves out: word when a connection ends, which HTTP status refused us."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client

MAX_EVENT = 64 << 20  # bytes of one event of an HTTP server


@asynccontextmanager
async def http(url: str, headers: Mapping[str, str], answered: Callable[[int], None]) -> AsyncIterator[Any]:
    """Streamable HTTP; `answered` is given the status of each response."""

    async def remember(response: httpx2.Response) -> None:
        answered(response.status_code)

    times = httpx2.Timeout(30.0, read=None)  # an answer may take as long as its call may
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=times, event_hooks={"response": [remember]}) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=MAX_EVENT) as streams,
    ):
        yield streams


@asynccontextmanager
async def watched(transport: AbstractAsyncContextManager[Any], ended: asyncio.Event) -> AsyncIterator[Any]:
    """The transport; `ended` is set when nothing more can be read, which the SDK itself tells at the next call only."""
    async with transport as (reading, writing):
        yield _Reading(reading, ended), writing


class _Reading:
    """A stream of messages that says when it ends."""

    def __init__(self, inner: Any, ended: asyncio.Event) -> None:
        self._inner, self._ended = inner, ended

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Any:
        try:
            return await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._ended.set()
            raise

    def __aiter__(self) -> _Reading:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> _Reading:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *reason: Any) -> Any:
        return await self._inner.__aexit__(*reason)


def first_fault(error: BaseException) -> BaseException:
    """The fault itself, out of the exception groups that it comes in; cancellations are consequences."""
    leaves = [leaf for leaf in _leaves(error) if not isinstance(leaf, asyncio.CancelledError)]
    return leaves[0] if leaves else error


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for part in error.exceptions for leaf in _leaves(part)]
    return [error]
