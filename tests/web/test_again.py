"""What happened, once more: what a viewer was shown since their own last move, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables_helper import QuickTables, a_move, people, with_house

from sheepfold.core.position import SPECTATOR
from sheepfold.game.registry import names
from sheepfold.game.session import SHORT_LOG
from sheepfold.web.again import MOST, frames
from sheepfold.web.differences import Picture
from sheepfold.web.scenes import bare

MOVES = 25


def drawn(table, viewer: int, ply: int) -> str:
    """The picture that a viewer was shown when so much had happened."""
    picture = table.game.picture(table.session.view(viewer, ply), viewer, "bare", table.voice("en"))
    return str(Picture(bare(table.game, picture)))


@pytest.mark.parametrize("game", names())
def test_frames_are_what_the_viewer_was_shown(tmp_path: Path, game: str) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create(game, people("A", "B"), {})
        for _ in range(MOVES):
            if table.status != "playing":
                break
            await tables.move(table.id, *a_move(table, 7 * table.ply))
        for viewer in (0, 1, SPECTATOR):
            found = frames(table, viewer, "en")
            assert 0 < len(found) <= MOST + 1
            assert [each["picture"] for each in found] == [drawn(table, viewer, each["ply"]) for each in found]
            assert found[-1]["ply"] == table.ply
            told = [line for each in table.session.told(viewer, table.voice("en"), found[0]["ply"]) for line in each.lines]
            assert [line for each in found for line in each["lines"]] == told
            earliest = found[0]["ply"]
            if table.session.forgetful:
                assert earliest >= table.ply - SHORT_LOG, "no further back than the log"
            elif viewer >= 0 and len(found) <= MOST:
                assert earliest == 0 or table.events[earliest - 1].who == viewer
                assert any(event.who not in (viewer, -1) for event in table.events[earliest:])

    with_house(tmp_path, work)


def test_before_anybody_else_has_acted_there_is_nothing_to_show(tmp_path: Path) -> None:
    async def work(tables: QuickTables) -> None:
        table = await tables.create("haste-bock", people("A", "B"), {})
        seat = int(table.position.to_act)
        await tables.move(table.id, *a_move(table))
        assert frames(table, seat, "en") == []
        assert len(frames(table, 1 - seat, "en")) > 1

    with_house(tmp_path, work)
