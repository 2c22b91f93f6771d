"""What pages are sent as a table goes on: by differences they come to the same scene as by a fresh load, whatever happens on the way.

A `Page` here does with what it is sent what table.js does; in a browser the same is checked by test_browser_scenes.py.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import zlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_helper import in_a_loop
from test_leaks import elsewhere
from web_helper import without_stamps

from sheepfold.core.position import OVER, SPECTATOR
from sheepfold.game.conformance import Case, play
from sheepfold.game.game import Game
from sheepfold.game.records import Event
from sheepfold.game.registry import every_game
from sheepfold.table import table as table_module
from sheepfold.table.store import Seat
from sheepfold.table.table import Table, new_table
from sheepfold.web import event_stream
from sheepfold.web import scenes as scenes_module
from sheepfold.web.differences import TAG, Picture, applied, patched, runs
from sheepfold.web.event_stream import STILL_HERE, Rounds, Viewing
from sheepfold.web.scenes import IDLE, KEPT_CHANGES, SLICE, Scenes, Watcher

GAMES = every_game()
TAGS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "/g", "/g", 3, [4]]), max_size=12)


@given(TAGS, TAGS)
def test_a_list_is_made_of_what_it_keeps_and_what_is_new(old: list[Any], new: list[Any]) -> None:
    assert patched(old, json.loads(json.dumps(runs(old, new)))) == new


LINES = st.lists(st.lists(st.sampled_from(["<a>", "<b>", "<c>x", "<d/>", "</g>"]), max_size=4).map("".join), min_size=1, max_size=8)


@given(LINES, LINES, LINES)
def test_a_picture_by_its_lines_is_the_same_picture_by_its_tags(first: list[str], second: list[str], third: list[str]) -> None:
    before = Picture("\n".join(first))
    for lines in (second, third):
        after = Picture("\n".join(lines))
        assert patched(str(before).split(TAG), json.loads(json.dumps(after.since(before)))) == str(after).split(TAG)
        before = after


def test_words_over_several_lines_stay_as_they_are() -> None:
    picture = Picture("<text>two\nlines</text>\n<g></g>")
    assert str(picture) == "<text>two\nlines</text>\n<g></g>"
    after = Picture("<text>one</text>\n<g></g>")
    assert patched(str(picture).split(TAG), after.since(picture)) == str(after).split(TAG)


@given(st.lists(st.text("abcdefgh", min_size=4, max_size=8), min_size=20, max_size=40, unique=True), st.data())
def test_what_moved_or_was_put_between_is_told_alone(old: list[str], data: st.DataObject) -> None:
    new = old[:]
    new.insert(data.draw(st.integers(0, len(new))), new.pop(data.draw(st.integers(0, len(new) - 1))))
    new.insert(data.draw(st.integers(0, len(new))), "NEW")
    assert sum(len(part) for part in runs(old, new) if isinstance(part, list)) <= 2


class Page:
    """A page that watches, compressed as browsers ask for it or not."""

    def __init__(self, scenes: Scenes, token: str, language: str = "en", zipped: bool = True) -> None:
        self.scenes, self.token, self.language, self.zipped = scenes, token, language, zipped
        self.fed: dict[str, Any] = {}
        self.wholes = 0
        self.come()

    def come(self) -> None:
        """Open a stream, with what the page has."""
        tokens = [self.token] if self.token else []
        self.watcher = Watcher(self.scenes, tokens, self.language, None, self.fed.get("stamp", ""), self.zipped)
        self.unpacked = zlib.decompressobj(31)

    def hear(self, table: Table) -> bytes:
        """What has come over the line, as it was before it was compressed."""
        sent = self.watcher(table)
        told = self.unpacked.decompress(sent) if self.zipped else sent
        for text in told.split(b"\n\n")[:-1]:
            if text + b"\n\n" == STILL_HERE:
                continue
            event, stamp, data = (line.split(b": ", 1)[1] for line in text.split(b"\n"))
            found = json.loads(data)
            if event == b"scene":
                self.fed, self.wholes = found, self.wholes + 1
            else:
                assert found["from"] == self.fed["stamp"]
                cut = {**self.fed, "picture": self.fed["picture"].split(TAG)}
                made = applied(cut, found)
                self.fed = {**made, "picture": TAG.join(made["picture"]), "stamp": found["stamp"]}
            assert self.fed["stamp"] == stamp.decode()
        return told


def seated(game: Game, seats: int, seed: object) -> Table:
    people = [Seat("person", name, f"token-{number}") for number, name in enumerate(("Ann", "Bob", "Cy", "Di", "Ed")[:seats])]
    table = Table(replace(new_table(game.name, people, {}), id="table", secret=f"scenes {seed}"))
    table.happened(table.plan_start())
    return table


@pytest.mark.parametrize("game", [game for game in GAMES if not game.colours], ids=lambda game: game.name)
def test_a_secret_colour_marks_no_name_on_any_screen(game: Game) -> None:
    """All viewers have the same marks, the owner too; and no mark changes with what a spectator cannot know."""
    table, rolls = seated(game, game.seats[-1], "marks"), random.Random(1)
    while table.position.to_act != OVER and table.ply < 150:
        known = game.open_colours(table.position.seen_by(SPECTATOR)) or (None,) * len(table.seats)
        for viewer in (SPECTATOR, 0):
            assert tuple(player["colour"] for player in table.scene(viewer, "en", table.ply)["players"]) == known
        table.happened(table.plan(one_of(rolls, table)))


def fresh(table: Table, page: Page) -> dict[str, Any]:
    """What who comes now is shown."""
    other = Page(Scenes(), page.token, page.language, zipped=False)
    other.hear(table)
    return {**other.fed, "stamp": page.fed["stamp"]}


def one_of(rolls: random.Random, table: Table) -> Event:
    """Something that may happen now: mostly what is to be decided, sometimes an interruption."""
    for seat in range(len(table.seats)):
        choices = table.position.interruptions(seat) if table.position.interruptible and seat != table.position.to_act else []
        if choices and rolls.random() < 0.1:
            return Event(seat, int(rolls.choice(choices)), True)
    return Event(int(table.position.to_act), int(rolls.choice(table.position.legal())))


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_by_differences_pages_come_to_the_same_as_by_a_fresh_load(game: Game) -> None:
    """Whole games with undo, chat, seats that change hands, pages that miss something and come back; in all languages."""
    for seats in {game.seats[0], game.seats[-1]}:
        rolls = random.Random(f"{game.name} {seats}")
        table, scenes = seated(game, seats, seats), Scenes()
        pages = [Page(scenes, f"token-{seat}", rolls.choice(["en", "fr", "de"]), seat % 2 == 0) for seat in range(seats)] + [
            Page(scenes, "")
        ]
        for changes in range(120):
            if table.position.to_act == OVER:
                break
            roll = rolls.random()
            if roll < 0.05 and table.ply > 6:
                table.taken_back(table.ply - rolls.randrange(1, 4))
            elif roll < 0.1:
                table.chat.append(("Ann", f"baa {changes}", 0.0))
                table.revision += 1
            elif roll < 0.13:
                table.seat(
                    seats - 1, Seat("bot", "Flossie", "", "ewe") if rolls.random() < 0.5 else Seat("person", "Di", f"token-{seats - 1}")
                )
                table.revision += 1
            else:
                table.happened(table.plan(one_of(rolls, table)))
            for page in pages:
                if rolls.random() < 0.06:
                    page.come()  # the line was cut
                if rolls.random() < 0.9:  # else it hears of this together with what follows
                    page.hear(table)
            page = rolls.choice(pages)
            page.hear(table)
            assert page.fed == fresh(table, page), f"{game.name} {seats}, change {changes}"
        for page in pages:
            page.hear(table)
            assert page.fed == fresh(table, page)
            assert page.wholes < 12, "most of it came by differences"


def test_who_has_missed_more_than_is_kept_or_comes_with_another_seat_gets_the_whole() -> None:
    table, scenes, rolls = seated(GAMES[0], GAMES[0].seats[-1], 1), Scenes(), random.Random(1)
    page, steady = Page(scenes, "token-0"), Page(scenes, "token-0")
    for each in (page, steady):
        each.hear(table)
    for _ in range(KEPT_CHANGES + 1):
        table.happened(table.plan(one_of(rolls, table)))
        steady.hear(table)
    page.hear(table)
    assert (page.wholes, steady.wholes) == (2, 1)
    page.come()
    assert STILL_HERE in page.hear(table), "it has the latest, so there is nothing to send"
    page.token = "token-1"
    page.come()
    page.hear(table)
    assert (page.wholes, page.fed["seat"]) == (3, 1)
    page.language = "de"
    page.come()
    page.hear(table)
    assert page.wholes == 4


def test_who_sees_the_same_shares_one_drawing_and_nobody_else_is_drawn_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(each for each in GAMES if each.seats[-1] >= 3)
    table, scenes, rolls = seated(game, game.seats[-1], 2), Scenes(), random.Random(2)
    pages = [Page(scenes, token) for token in ("token-0", "token-0", "", "", "")]
    drawn = []
    draw = type(game).picture
    monkeypatch.setattr(type(game), "picture", lambda self, view, seat, *more: drawn.append(seat) or draw(self, view, seat, *more))
    for _ in range(5):
        table.happened(table.plan(one_of(rolls, table)))
        drawn.clear()
        assert len({bytes(page.watcher(table)) for page in pages}) == 2
        assert sorted(drawn) == sorted([0, SPECTATOR])


@pytest.mark.parametrize("game", [game for game in GAMES if not game.secrets], ids=lambda game: game.name)
def test_where_nothing_is_hidden_all_read_the_same(game: Game) -> None:
    """So the log is told once for all, and what is expected once to who is to act and once to all others."""
    line = play(Case(game.setup(game.seats[-1])), "told")
    table = seated(game, game.seats[-1], 0)
    table.session.take_back(0)
    for event in line.events[:60]:
        table.happened(table.session.plan(event))
        voice = table.voice("en")
        assert len({str(table.session.told(viewer, voice, table.ply - 1)) for viewer in line.viewers}) == 1
        others = [viewer for viewer in line.viewers if viewer != table.position.to_act or viewer < 0]
        assert len({game.prompt(table.view(viewer), voice) for viewer in others}) == 1


@pytest.mark.parametrize("game", [game for game in GAMES if game.secrets], ids=lambda game: game.name)
def test_differences_tell_no_secrets(game: Game) -> None:
    """Worlds that a viewer cannot tell apart: all that a page is sent while the one or the other goes on is the same, byte for byte."""
    compared = 0
    line = play(Case(game.setup(game.seats[-1])), "differences")
    for viewer in line.viewers:
        for ply in range(8, len(line.events), max(1, len(line.events) // 8)):
            changed = elsewhere(line, ply, viewer)
            if changed is None:
                continue
            heard = []
            for events in (line.events[:ply], changed):
                table, page = (
                    seated(game, game.seats[-1], 0),
                    Page(Scenes(), "" if viewer == SPECTATOR else f"token-{viewer}", zipped=False),
                )
                table.session.take_back(0)
                told = b""
                for number, event in enumerate(events):
                    table.happened(table.session.plan(event))
                    told += page.hear(table) if number >= ply - 8 else b""
                heard.append(without_stamps(told.decode().replace('"from":"', '"stamp":"')))
            assert heard[0] == heard[1], f"{line.where(ply)}, viewer {viewer}"
            compared += 1
    assert compared > 3


def test_viewers_are_told_in_rounds_and_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    table, clock = seated(GAMES[0], GAMES[0].seats[-1], 3), iter(range(1_000_000))
    ticking = SimpleNamespace(perf_counter=lambda: next(clock) / 1000)  # telling one takes a millisecond
    monkeypatch.setattr(event_stream, "time", ticking)
    happened: list[str] = []

    async def work() -> None:
        rounds = Rounds()
        viewings = [Viewing(lambda _, number=number: happened.append(f"told {number}") or b"told", rounds) for number in range(12)]  # type: ignore[misc]
        for viewing in viewings:
            viewing.ring(table)
            viewing.ring(table)  # both together
        while rounds.waiting:
            await asyncio.sleep(0)
            happened.append("others")
        for viewing in viewings:
            viewing.bell.close()

    in_a_loop(work())
    assert [each for each in happened if each != "others"] == [f"told {number}" for number in range(12)]
    assert happened.count("others") >= 3


def test_who_comes_late_is_told_a_long_log_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    game = next(game for game in GAMES if not game.tests_memory(game.setup(game.seats[-1])))
    table, rolls = seated(game, game.seats[-1], 4), random.Random(4)
    while table.ply < 5 * SLICE and table.position.to_act != OVER:
        table.happened(table.plan(one_of(rolls, table)))
    sizes: list[int] = []
    told = type(table.session).told

    def counted(*asked: Any) -> Any:
        found = told(*asked)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(type(table.session), "told", counted)
    reel = in_a_loop(Watcher(Scenes(), ["token-0"], "en", None, "", False).reel(table))
    assert [each["ply"] for each in reel.scene["log"]] == list(range(table.ply))
    assert max(sizes) <= SLICE


def test_scenes_that_nobody_asks_for_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    table, scenes = seated(GAMES[0], GAMES[0].seats[-1], 5), Scenes()
    page = Page(scenes, "token-0")
    page.hear(table)
    assert scenes.of(table).reels
    later = time.monotonic() + 2 * IDLE
    monkeypatch.setattr(scenes_module, "time", SimpleNamespace(monotonic=lambda: later))
    assert not scenes.of(table).reels
    table.happened(table.plan(one_of(random.Random(5), table)))
    page.hear(table)
    assert page.wholes == 2 and page.fed == fresh(table, page)


def test_who_comes_later_is_told_what_is_left_on_the_clock_then(monkeypatch: pytest.MonkeyPatch) -> None:
    table, scenes, now = seated(GAMES[0], GAMES[0].seats[-1], 6), Scenes(), time.time()
    table.settings["seconds"], table.since = 300, now
    monkeypatch.setattr(table_module, "time", SimpleNamespace(time=lambda: now))
    early, late = Page(scenes, "token-0"), Page(scenes, "token-0")
    early.hear(table)
    now += 100
    late.hear(table)
    assert (early.fed["left"], late.fed["left"]) == (300, 200)
    table.happened(table.plan(one_of(random.Random(6), table)))
    early.hear(table)
    assert early.fed == fresh(table, early)
