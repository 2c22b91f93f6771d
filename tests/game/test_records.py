"""Records: what is written is read back, whatever is damaged is refused with its line and a reason."""

from __future__ import annotations

import pytest

import sheepfold
from sheepfold.core.errors import BadRecord, SheepfoldError
from sheepfold.core.position import IllegalAction
from sheepfold.game.conformance import Case, play
from sheepfold.game.records import Event, Record, read_record, write_record

GAMES = sheepfold.games()


def short_record(game, events=12):
    setup = game.setup(game.seats[0])
    line = play(Case(setup), "record", most=events)
    return Record(setup, line.events, names=[f"N{seat}" for seat in range(setup.seats)], extra={"place": "the meadow, at noon"})


def refused(text: str) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        read_record(text)
    assert caught.value.line >= 1
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}"
    assert len(caught.value.reason) > 10
    return caught.value


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_names_and_unknown_entries_are_kept(game):
    record = short_record(game)
    again = read_record(write_record(record))
    assert (again.setup, again.events, again.names, again.extra) == (record.setup, record.events, record.names, record.extra)
    assert [position.key() for position in again.positions()][-1] == record.end().key()
    assert again.end(3).key() == record.end(3).key()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_flipped_byte_is_refused(game):
    raw = write_record(short_record(game)).encode()
    for place in range(len(raw)):
        for bit in (0, 3, 5, 7):
            damaged = bytearray(raw)
            damaged[place] ^= 1 << bit
            refused(bytes(damaged).decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_missing_byte_is_refused(game):
    text = write_record(short_record(game, 5))
    for place in range(len(text) - 1):
        refused(text[:place] + text[place + 1 :])


def test_the_line_of_the_damage_is_named():
    text = write_record(short_record(sheepfold.games.find("haste-bock")))
    lines = text.split("\n")
    first = lines.index("") + 1
    lines[first] = "1 wool"
    error = refused("\n".join(lines[:-2]))
    assert error.line == first + 1
    assert "chance is to act here" in error.reason


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("sheepfold record 1", "sheepfold record 2", 1, "a record starts with"),
        ("game: haste-bock", "game: haste-back", 2, "Did you mean haste-bock"),
        ("seats: 2", "seats: 9", 3, "is for 2, 3 or 4 players"),
        ("seats: 2", "seats: two", 3, "whole number"),
        ("seats: 2", "seats: " + "9" * 5000, 3, "whole number"),
        ("options: ", "options: wool=true", 4, "no option 'wool'"),
        ("options: ", "options: seats=3", 4, "name=value"),
        ("options: ", "options: component_file=x", 4, "name=value"),
        ("options: ", "options: first-seat-begins", 4, "name=value"),
        ("names: N0, N1", "names: N0", 6, "2 names are needed"),
        ("place: the meadow, at noon", "Place: x", 7, "key: value"),
        ("place: the meadow, at noon", "game: haste-bock", 7, "a second time"),
        ("place: the meadow, at noon", "result: 1 2", 7, "end before the game does"),
    ],
)
def test_what_is_wrong_is_said(old, new, line, reason):
    text = write_record(short_record(sheepfold.games.find("haste-bock")))
    assert old in text
    damaged = text.replace(old, new, 1)
    error = refused(damaged[: damaged.rindex("sum:")])
    assert error.line == line
    assert reason in error.reason


def test_the_sum_may_be_left_out():
    record = short_record(sheepfold.games.find("haste-bock"))
    text = write_record(record)
    assert read_record(text[: text.rindex("sum:")]).events == record.events


def test_nothing_may_follow_the_sum():
    text = write_record(short_record(sheepfold.games.find("haste-bock")))
    assert "nothing may follow" in refused(f"{text}x").reason


def test_a_finished_game_has_its_result_and_ends_there():
    setup = sheepfold.load("haste-bock", 2)
    line = play(Case(setup), 1)
    text = write_record(line.record())
    result = f"result: {' '.join(str(score) for score in line.last.scores())}"
    assert result in text
    bare = text[: text.rindex("sum:")]
    assert "the game is over" in refused(f"{bare}1 pass\n").reason
    assert "as played ends" in refused(bare.replace(result, "result: 999 0")).reason


def test_another_component_file_is_noticed():
    record = short_record(sheepfold.games.find("haste-bock"))
    text = write_record(record)
    assert "component file" in refused(text[: text.rindex("sum:")].replace(record.setup.digest, "00000000")).reason


def test_an_illegal_event_is_not_written():
    setup = sheepfold.load("haste-bock", 2)
    with pytest.raises((IllegalAction, SheepfoldError, ValueError, IndexError)):
        write_record(Record(setup, [Event(0, 10**9)]))
