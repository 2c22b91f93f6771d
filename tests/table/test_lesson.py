"""Guided first games: every lesson can be played to its end as asked, left alone, gone astray from and come back to."""

from __future__ import annotations

import pytest
from tables_helper import QuickTables, until, with_house

from sheepfold.core.errors import BadRecord
from sheepfold.core.position import CHANCE, OVER
from sheepfold.game.records import Event, Record, happen
from sheepfold.game.registry import every_game, find
from sheepfold.game.session import NotYourTurn
from sheepfold.messages import Voice, languages
from sheepfold.table.lesson import LEARNER, lesson, read_lesson
from sheepfold.table.table import Table
from sheepfold.table.tables import bot_seat, person_seat

GAMES = [game for game in every_game() if lesson(game)]
one_of_each = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def test_all_five_games_have_a_lesson():
    assert [game.name for game in GAMES] == [game.name for game in every_game()]


@one_of_each
def test_every_step_is_asked_for_in_english_and_french(game):
    for language in ("en", "fr"):
        assert language in languages()
        voice = Voice([game.folder / "locale"], language)
        asked = [voice.message(f"guide.{step.name}.ask") for step in lesson(game).steps] + [voice.message("guide.over")]
        assert len(set(asked)) == len(asked)
        assert all(15 < len(text) < 300 for text in asked)


@one_of_each
def test_every_text_belongs_to_a_step(game):
    from sheepfold.messages import catalogue

    names = {step.name for step in lesson(game).steps}
    keys = [str(message.id) for message in catalogue(game.folder / "locale", "en") if str(message.id).startswith("guide.")]
    assert {key.split(".")[1] for key in keys} == names | {"over"}


@one_of_each
def test_where_a_learner_is_follows_from_the_log(game):
    course = lesson(game)
    for ply, item in enumerate(course.items):
        place = course.place(course.events[:ply])
        assert place.asked == item.step and place.astray is None and not place.done
        assert (place.given is None) == (item.step is not None)
    assert course.place(course.events).done


@one_of_each
def test_what_a_step_points_at_is_in_the_picture(game):
    course = lesson(game)
    position = course.setup.start()
    for item, event in zip(course.items, course.events, strict=True):
        if item.step:
            view = position.seen_by(LEARNER)
            picture = game.picture(view, LEARNER, "auto", Voice([game.folder / "locale"]))
            for name in (*game.targets(view, event.action), *item.step.point):
                assert f'id="{name}"' in picture, (item.step.name, name)
        happen(position, event)


@one_of_each
def test_whatever_else_is_wanted_or_fine_leads_to_the_end_as_well(game):
    course = lesson(game)
    for ply, item in enumerate(course.items):
        if not item.step:
            continue
        before = Record(course.setup, list(course.events[:ply])).end()
        for action in before.legal():
            text = game.write(before, action)
            log = [*course.events[:ply], Event(LEARNER, action)]
            if not item.step.takes(text):
                assert course.place(log).astray == ply and course.place(log).asked == item.step
                continue
            position = Record(course.setup, log).end()
            while len(log) < len(course.items):
                following = course.event(course.items[len(log)], position)
                assert following, (item.step.name, text, course.items[len(log)])
                happen(position, following)
                log.append(following)
            assert course.place(log).done


def test_a_lesson_that_cannot_be_played_is_refused():
    with pytest.raises(BadRecord, match="'slam b1 w 1' by 0 is not possible"):
        read_lesson(find("haste-bock"), {
            "seats": 4, "options": {"first-seat-begins": True}, "start": "chance flock byr gkb yrg\nchance die blue",
            "step": [{"name": "ram", "want": ["slam b1 w 1"]}],
        })  # fmt: skip


async def begun(tables: QuickTables, name: str) -> Table:
    course = lesson(find(name))
    seats = [person_seat("Anna"), *(bot_seat("lamb", f"Bot {number}") for number in range(1, course.setup.seats))]
    return await tables.create(name, seats, course.setup.changed_options(), {"guide": "on"})


def asked(table: Table):
    return table.lesson.place(table.events)


@one_of_each
def test_a_table_gives_the_lesson_to_its_end(game, tmp_path):
    async def work(tables: QuickTables) -> None:
        table = await begun(tables, game.name)
        heard = [*table.session.notations(LEARNER, 0)]
        with tables.listeners.ringing(table.id, lambda table: heard.extend(table.session.notations(LEARNER, len(heard)))):
            for step in table.lesson.steps:
                await until(lambda step=step: asked(table).asked == step)
                await tables.move(table.id, LEARNER, table.ply, step.want[0])
            await until(lambda: asked(table).done)
        assert [who for who, _ in heard] == [event.who for event in table.events[: len(heard)]] and len(heard) >= len(table.lesson.items)
        assert tuple(table.events[: len(table.lesson.items)]) == table.lesson.events
        if table.position.to_act != OVER:
            await until(lambda: table.position.to_act == LEARNER or table.status == "over")  # and the bots play on
        again = Table(tables.store.load(table.id))
        assert again.events == table.events and again.lesson.place(again.events).done

    with_house(tmp_path, work)


def test_another_move_waits_to_be_taken_back_or_shown(tmp_path):
    async def work(tables: QuickTables) -> None:
        table = await begun(tables, "haste-bock")
        ply = table.ply
        await tables.move(table.id, LEARNER, ply, "slam b2 w 2")
        assert asked(table).astray == ply
        assert not tables.bots.seats_to_ask(table)  # nobody goes on while the learner is astray
        await tables.guide(table.id, LEARNER, "again")
        assert table.ply == ply and asked(table).astray is None
        await tables.move(table.id, LEARNER, ply, "slam b1 s 2")
        await tables.guide(table.id, LEARNER, "show")
        assert table.events[ply] == table.lesson.events[ply]
        await until(lambda: asked(table).asked and asked(table).asked.name == "card")
        await tables.undo(table.id, LEARNER)
        assert table.ply == ply  # the last thing that was asked, not what the lesson did since

    with_house(tmp_path, work)


def test_who_leaves_a_lesson_plays_on_against_bots(tmp_path):
    async def work(tables: QuickTables) -> None:
        table = await begun(tables, "te-kuiti")
        await tables.guide(table.id, LEARNER, "leave")
        assert table.lesson is None
        await tables.move(table.id, LEARNER, table.ply, "fence c1 n")
        await tables.move(table.id, LEARNER, table.ply, "fence c1 e")
        await until(lambda: table.position.to_act == LEARNER)
        with pytest.raises(NotYourTurn):
            await tables.guide(table.id, LEARNER, "show")
        assert Table(tables.store.load(table.id)).lesson is None

    with_house(tmp_path, work)


def test_chance_of_a_lesson_is_its_own_and_else_the_dice_s(tmp_path):
    async def work(tables: QuickTables) -> None:
        table = await begun(tables, "sheepzzz")
        dealt = [event.action for event in table.events if event.who == CHANCE]
        assert dealt == [event.action for event in table.lesson.events[: len(dealt)]]
        await tables.guide(table.id, LEARNER, "leave")
        await tables.move(table.id, LEARNER, table.ply, "down")

    with_house(tmp_path, work)
