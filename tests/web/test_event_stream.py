"""Event streams by themselves: how they end, and that nothing is left of them."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from tables_helper import in_a_loop

from sheepfold.table.limits import Limits
from sheepfold.web.event_stream import Audience, EventStream


class Heavy:
    """What a stream has: a scene, a compressor."""


async def streamed(told: AsyncIterator[bytes], gone: asyncio.Event, slow: bool = False) -> list[Any]:
    """All that is sent of a stream until it ends, or until its reader is gone; `slow`: nothing of the second thing gets through."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if slow and len(sent) > 2:
            gone.set()
            await asyncio.Event().wait()

    app = SimpleNamespace(state=SimpleNamespace(audience=Audience(Limits())))
    response = EventStream(SimpleNamespace(id="t"), [], told, {})  # type: ignore[arg-type]
    await response({"type": "http", "app": app}, receive, send)
    return sent


@pytest.mark.parametrize("slow", [False, True], ids=["while it waits", "while it sends"])
def test_nothing_is_left_of_a_stream_that_was_cut_off(slow: bool) -> None:
    """It was in a cycle, with its scene and its compressor, until the next great collection of garbage: dozens of them at a time."""

    async def work() -> None:
        gone, refs = asyncio.Event(), []

        async def told() -> AsyncIterator[bytes]:
            heavy = Heavy()
            refs.append(weakref.ref(heavy))
            yield b"first"
            if slow:
                yield b"second"
            gone.set()
            await asyncio.Event().wait()

        assert len(await streamed(told(), gone, slow)) == 2 + slow
        for _ in range(3):  # a generator that was left in the middle is closed by the loop
            await asyncio.sleep(0)
        assert [ref() for ref in refs] == [None]

    gc.collect()
    gc.disable()
    try:
        in_a_loop(work())
    finally:
        gc.enable()


def test_a_stream_ends_by_itself_or_with_what_went_wrong() -> None:
    async def work() -> None:
        async def told(fails: bool) -> AsyncIterator[bytes]:
            yield b"first"
            if fails:
                raise ValueError("a fault")

        sent = await streamed(told(False), asyncio.Event())
        assert [each.get("body") for each in sent] == [None, b"first", b""]
        with pytest.raises(ValueError, match="a fault"):
            await streamed(told(True), asyncio.Event())

    in_a_loop(work())
