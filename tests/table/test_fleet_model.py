"""A model of how servers change a table, explored exhaustively: whatever two of them do in whatever order, and however long they sleep.

A server reads the table, makes up its mind, and stores that at any later time; between the two anything may happen. What is stored
remembers the log that its writer had in mind, so a fault shows as a log whose events do not belong to what stands before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

Log = tuple["Stored | None", ...]
"""None is a ply that nobody has stored: a hole."""
SERVERS = range(2)
HOLE, UNKNOWN, CLAIMED = "a hole", "an event after what its writer did not know", "a bot of a server whose table another has claimed"
MOST_PLIES, MOST_REVISIONS = 3, 4


class Stored(NamedTuple):
    """An event as it is stored."""

    server: int
    by_bot: bool
    after: int
    """The log that its writer had in mind, by its hash."""


class Mind(NamedTuple):
    """What a server believes of the table, and what it is about to store."""

    log: Log
    revision: int
    wish: str = ""


class World(NamedTuple):
    """The database, and the servers' minds."""

    log: Log = ()
    revision: int = 0
    writer: int = 0
    overdue: bool = False
    minds: tuple[Mind, ...] = tuple(Mind((), 0) for _ in SERVERS)


class Protocol(NamedTuple):
    """What is checked before something is stored."""

    compares: bool = True
    """A change is stored only at the revision that its writer knew; else, as it was once, wherever nobody has stored that ply."""
    claim_counts: bool = True
    """A claim is a change, too."""


def think(world: World, server: int, mind: Mind) -> World:
    return world._replace(minds=tuple(mind if each == server else old for each, old in enumerate(world.minds)))


def steps(world: World, protocol: Protocol) -> Iterator[World]:
    """Everything that can happen next."""
    if not world.overdue:
        yield world._replace(overdue=True)  # time passes, and nobody has prolonged it
    for server, mind in enumerate(world.minds):
        yield think(world, server, Mind(world.log, world.revision))
        if not mind.wish:
            yield think(world, server, mind._replace(wish="move"))
            if mind.log:
                yield think(world, server, mind._replace(wish="undo"))
            if world.writer == server:
                yield think(world, server, mind._replace(wish="bot"))
            elif world.overdue:
                yield from claims(world, server, protocol)
        elif (after := stored(world, server, mind, protocol)) is not None:
            yield after


def claims(world: World, server: int, protocol: Protocol) -> list[World]:
    mind = world.minds[server]
    if mind.revision != world.revision:
        return []
    revision = world.revision + protocol.claim_counts
    claimed = world._replace(revision=revision, writer=server, overdue=False)
    return [think(claimed, server, mind._replace(revision=revision))]


def stored(world: World, server: int, mind: Mind, protocol: Protocol) -> World | None:
    """The world after a server has stored its wish, if it may."""
    ply, log = len(mind.log), world.log
    if protocol.compares and mind.revision != world.revision:
        return think(world, server, Mind(world.log, world.revision))
    if mind.wish == "undo":
        log = log[: ply - 1]
    elif ply < len(log) and log[ply] is not None:
        return think(world, server, Mind(world.log, world.revision))
    else:
        event = Stored(server, mind.wish == "bot", hash(mind.log))
        log = (*log[:ply], *[None] * (ply - len(log)), event, *log[ply + 1 :])
    changed = world._replace(log=log, revision=world.revision + 1, writer=server, overdue=False)
    return think(changed, server, Mind(log, changed.revision))


def fault(before: World, after: World) -> str:
    """What is wrong with a world that followed from another."""
    for ply, event in enumerate(after.log):
        if event is None:
            return HOLE
        if event.after != hash(after.log[:ply]):
            return UNKNOWN
    new = after.log[-1] if len(after.log) > len(before.log) else None
    if new and new.by_bot and before.writer != new.server:
        return CLAIMED
    return ""


def explore(protocol: Protocol) -> tuple[set[str], int]:
    """The faults that can come about, and how many worlds there are."""
    seen, waiting, faults = {World()}, [World()], set()
    while waiting:
        world = waiting.pop()
        for after in steps(world, protocol):
            if wrong := fault(world, after):
                faults.add(wrong)
            elif after not in seen and len(after.log) <= MOST_PLIES and after.revision <= MOST_REVISIONS:
                seen.add(after)
                waiting.append(after)
    return faults, len(seen)


def test_no_order_of_events_does_harm() -> None:
    faults, worlds = explore(Protocol())
    assert faults == set()
    assert worlds > 1000, "or there was nothing to see"


@pytest.mark.parametrize(
    ("protocol", "wrong"),
    [
        (
            Protocol(compares=False),
            {"a hole", "an event after what its writer did not know", "a bot of a server whose table another has claimed"},
        ),
        (Protocol(claim_counts=False), {CLAIMED}),
    ],
    ids=["as it was once", "claims that do not count"],
)
def test_the_model_finds_the_faults_of_lesser_protocols(protocol: Protocol, wrong: set[str]) -> None:
    assert explore(protocol)[0] == wrong
