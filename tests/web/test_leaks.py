"""Nothing that a viewer gets over HTTP differs when only things differ that the viewer cannot know.

A line of play is stored twice: as it was, and as a world that the viewer cannot tell from it (the walk of the conformance
suite). Page and scene of both must be the same, letter by letter, for every seat and for spectators.
"""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from web_helper import tables_of, without_stamps

from sheepfold.core.position import CHANCE, OVER, SPECTATOR
from sheepfold.game.conformance import Case, Line, Worlds, play
from sheepfold.game.game import Game
from sheepfold.game.records import Event
from sheepfold.game.registry import every_game, find
from sheepfold.table.store import Seat, Stored

GAMES = [game for game in every_game() if game.secrets]
PLIES = 5


def store(client: TestClient, line: Line, events: list[Event], name: str) -> str:
    seats = [Seat("person", f"P{seat}", f"token-{seat}") for seat in range(line.setup.seats)]
    stored = Stored(
        name, line.game.name, seats, line.setup.changed_options(), {}, line.setup.digest, "playing", 0.0, 0.0, events, secret="of both"
    )
    tables_of(client).store.create(stored).result(10)
    return name


def received(client: TestClient, table: str, viewer: int) -> str:
    """All that comes over the wire for that viewer, the table's id aside."""
    cookies = {} if viewer == SPECTATOR else {f"seat_{table}": f"token-{viewer}"}
    header = {"cookie": "; ".join(f"{key}={value}" for key, value in cookies.items())}
    bearer = {} if viewer == SPECTATOR else {"authorization": f"Bearer token-{viewer}"}
    texts = [client.get(f"/t/{table}", headers=header).text, client.get(f"/t/{table}/scene", headers=header).text]
    texts += [client.get(f"/api/tables/{table}{more}", headers=bearer).text for more in ("", "/chance")]
    return without_stamps(re.sub(re.escape(table), "TABLE", "\n".join(texts)))


WAYS = [*((game, {}) for game in GAMES), (find("sheepzzz"), {"memory_game": True})]


@pytest.mark.parametrize(("game", "options"), WAYS, ids=[f"{game.name}{' '.join(options)}" for game, options in WAYS])
def test_what_is_received_tells_no_secrets(client: TestClient, game: Game, options: dict[str, object]) -> None:
    compared = 0
    for seats in {game.seats[0], game.seats[-1]}:
        line = play(Case(game.setup(seats, **options)), f"leaks {seats}")
        for viewer in line.viewers:
            plies = [ply for ply, position in enumerate(line.positions) if int(position.to_act) not in (CHANCE, OVER)]
            for ply in plies[:: max(1, len(plies) // PLIES)]:
                changed = elsewhere(line, ply, viewer)
                if changed is None:
                    continue
                truth = store(client, line, line.events[:ply], f"truth-{seats}-{viewer}-{ply}")
                other = store(client, line, changed, f"other-{seats}-{viewer}-{ply}")
                assert received(client, truth, viewer) == received(client, other, viewer), f"{line.where(ply)}, viewer {viewer}"
                compared += 1
    assert compared > 10


def elsewhere(line: Line, ply: int, viewer: int) -> list[Event] | None:
    """The log of another world that the viewer cannot tell from the line's, if there is one."""
    worlds = Worlds(line, ply, viewer, line.dice("http", viewer, ply))
    truth = line.positions[ply].key()
    if not any(worlds.step() and worlds.world.key() != truth for _ in range(12)):
        return None
    drawn = [event._replace(action=action) for event, action in zip(worlds.events, worlds.actions, strict=True)]
    return [*line.events[: line.turned_up[ply]], *drawn]


def test_the_test_would_see_a_leak(client: TestClient) -> None:
    """Somebody else's view of the two worlds does differ."""
    game = GAMES[0]
    line = play(Case(game.setup(game.seats[-1])), "leaks")
    for ply in range(len(line.positions) // 3, len(line.positions)):
        changed = elsewhere(line, ply, 0) if int(line.positions[ply].to_act) >= 0 else None
        if changed is None:
            continue
        truth, other = store(client, line, line.events[:ply], f"truth-{ply}"), store(client, line, changed, f"other-{ply}")
        if any(received(client, truth, seat) != received(client, other, seat) for seat in range(1, line.setup.seats)):
            return
    raise AssertionError("no world differed for anybody")
