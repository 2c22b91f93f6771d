"""Games, options and component files: found by name, checked before anything starts, and refused with what would be right."""

from __future__ import annotations

import copy
import pickle
import re
import tomllib

import pytest
import toy_grass

import sheepfold
from sheepfold.core.dice import Dice
from sheepfold.core.errors import AmbiguousAction, BadComponents, BadOption, BadSeats, UnknownGame, UnreadableAction, listed, nearest
from sheepfold.game.component_file import ComponentFile
from sheepfold.game.game import Option, tidy
from sheepfold.game.records import Event, Record

GAMES = sheepfold.games()


def test_the_shelf():
    import sheepfold.games.haste_bock as module

    assert [game.name for game in sheepfold.games()] == list(sheepfold.game.registry.names())
    assert sheepfold.games.find("haste-bock") is module.GAME is sheepfold.games.haste_bock.GAME
    assert len({game.title for game in GAMES}) == len(GAMES)


@pytest.mark.parametrize("spelling", ["haste-bock", "Haste Bock?", "haste_bock", " HASTE-BOCK "])
def test_games_are_found_however_they_are_spelt(spelling):
    assert sheepfold.games.find(spelling).name == "haste-bock"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_mistyped_name_suggests_the_game(game):
    typo = game.name[:2] + game.name[3:]
    with pytest.raises(UnknownGame, match=re.escape(game.name)):
        sheepfold.load(typo)


def test_a_name_that_is_like_none_lists_all():
    with pytest.raises(UnknownGame, match="There are haste-bock"):
        sheepfold.load("zzqqxx")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seats", [0, -1, 1000, True, 2.5, "2"])
def test_impossible_seats_are_refused(game, seats):
    with pytest.raises(BadSeats, match="players, not"):
        game.setup(seats)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_options_are_checked(game):
    with pytest.raises(BadOption, match="has no option"):
        game.setup(wool=True)
    for option in game.options:
        typo = option.name[:-2]
        with pytest.raises(BadOption, match=option.name):
            game.setup(**{typo: option.default})
        for wrong in ["wool", 77, None, 1.5]:
            with pytest.raises(BadOption, match=option.name):
                game.setup(**{option.name: wrong})
        for seats in game.seats:
            for value in option.values:
                if value in option.values_for(seats):
                    assert game.setup(seats, **{option.name.replace("-", "_"): str(value)}).options[option.name] == value
                else:
                    with pytest.raises(BadOption, match="players"):
                        game.setup(seats, **{option.name: value})


def test_an_option_names_a_seat_that_there_is():
    option = Option("begins", 1, (1, 2, 3, "drawn"), names_seat=True)
    assert option.values_for(2) == (1, 2, "drawn") and option.values_for(3) == option.values
    assert Option("begins", 1, (1, 2, 3), seats=(3,), names_seat=True).values_for(2) == (1,)


def test_options_understand_words():
    option = Option("turn", False)
    assert [option.check(text) for text in ("yes", "ON", "1", "no", "off", "0")] == [True, True, True, False, False, False]
    assert Option("length", 3, (3, 5)).check("5") == 5
    with pytest.raises(BadOption, match="length is 3 or 5, not True"):
        Option("length", 3, (3, 5)).check(True)


def test_text_is_read_with_help():
    position = toy_grass.GAME.setup(2).start()
    assert toy_grass.GAME.read(position, "  DRAW   4 ") == 4
    with pytest.raises(AmbiguousAction) as caught:
        toy_grass.GAME.read(position, "draw")
    assert caught.value.candidates == ["draw 3", "draw 4", "draw 5"]
    with pytest.raises(UnreadableAction, match="Did you mean"):
        toy_grass.GAME.read(position, "drwa 4")
    with pytest.raises(UnreadableAction):
        toy_grass.GAME.read(position, "")


def test_a_beginning_is_enough_where_only_one_text_goes_on():
    position = toy_grass.GAME.setup(2).start()
    position.apply(3)
    assert toy_grass.GAME.read(position, "take") == 0


def test_small_helpers():
    assert tidy("  A  b\tC ") == "a b c"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "and") == "a, b and c"
    assert nearest("shep", ["sheep", "goat"]) == " Did you mean sheep?"
    assert nearest("x", []) == ""


# Component files.


def spelt(value) -> str:
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(spelt, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{spelt(key)} = {spelt(one)}" for key, one in value.items()) + "}"
    return repr(value)


def toml(data: dict) -> str:
    return "\n".join(f"{spelt(key)} = {spelt(value)}" for key, value in data.items())


@pytest.fixture
def refuses(tmp_path):
    def refuses(game, text: str, about: str) -> None:
        path = tmp_path / "components.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadComponents) as caught:
            game.setup(component_file=path)
        assert about in str(caught.value), str(caught.value)
        assert "components.toml" in str(caught.value)

    return refuses


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_own_components_written_anew_are_read(game, tmp_path):
    data = tomllib.loads((game.folder / "components.toml").read_text(encoding="utf-8"))
    path = tmp_path / "components.toml"
    path.write_text(toml(data), encoding="utf-8")
    assert game.setup(component_file=path).start().legal() == game.setup().start().legal()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_wrong_components_are_refused(game, refuses):
    data = tomllib.loads((game.folder / "components.toml").read_text(encoding="utf-8"))
    refuses(game, "wool = [", "not a TOML file")
    refuses(game, toml({**data, "wool": {"source": "rulebook"}}), "wool")
    for name, table in data.items():
        refuses(game, toml({other: value for other, value in data.items() if other != name}), name)
        refuses(game, toml({**data, name: 3}), name)
        for source in ("hearsay", 3):
            refuses(game, toml({**data, name: {**table, "source": source}}), f"{name}.source")
        for key, value in table.items():
            if key == "source":
                continue
            refuses(game, toml({**data, name: {other: one for other, one in table.items() if other != key}}), name)
            wrong = [{"wool": 1}, 10**12, True] if isinstance(value, str) else ["wool", -(10**12), 2.5]
            for one in wrong:
                refuses(game, toml({**data, name: {**table, key: one}}), name)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadComponents, match=r"nowhere\.toml"):
        GAMES[0].setup(component_file=tmp_path / "nowhere.toml")


def test_component_questions_name_the_place(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('[a]\nsource = "public"\nn = 3\nlist = [1, 2]\nbad = [1, "x"]\n', encoding="utf-8")
    file = ComponentFile(path, ["a"])
    assert file.whole("a.n", 0, 5) == 3
    assert file.wholes("a.list", 0, 5, 2) == [1, 2]
    for ask, message in [
        (lambda: file.whole("a.n", 4, 5), "a.n: must be a whole number from 4 to 5, not 3"),
        (lambda: file.whole("a.m", 0, 5), "a.m: is missing"),
        (lambda: file.whole("a.n.x", 0, 5), "a.n.x: is missing"),
        (lambda: file.wholes("a.n", 0, 5), "a.n: must be a list"),
        (lambda: file.wholes("a.list", 0, 5, 3), "a.list: must have 3 numbers, not 2"),
        (lambda: file.wholes("a.bad", 0, 5), "a.bad[1]: must be a whole number"),
    ]:
        with pytest.raises(BadComponents, match=re.escape(message)):
            ask()


def test_what_is_wrong_in_a_component_file_has_a_line(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(
        '# a\n[a]\nsource = "public"\nlist = [\n  "x]", # "y",\n  [1,\n   2], 3,\n]\n\n[b]\nsource = "public"\nlist = [1, 2]\n',
        encoding="utf-8",
    )
    file = ComponentFile(path, ["a", "b"])
    lines = {"a": 2, "a.source": 3, "a.list": 4, "a.list[0]": 5, "a.list[1]": 6, "a.list[2]": 7, "b.list[1]": 12, "b.none": 10, "c": None}
    assert {where: file.line_of(where) for where in lines} == lines
    with pytest.raises(BadComponents, match=re.escape("c.toml, line 12: b.list[1]: must be a whole number from 0 to 1, not 2")):
        file.wholes("b.list", 0, 1)


@pytest.mark.parametrize("name", sheepfold.game.registry.names())
def test_copies_by_pythons_own_means_are_copies(name):
    setup = sheepfold.load(name)
    dice, position, record = Dice(1), setup.start(), Record(setup)
    for _ in range(12):
        record.events.append(Event(int(position.to_act), int(position.random_action(dice))))
        position.apply(record.events[-1].action)
    before = position.key()
    for other in (copy.copy(position), copy.deepcopy(position)):
        assert other == position
        other.apply(other.random_action(dice))
        assert position.key() == before
    assert pickle.loads(pickle.dumps(position)) == position
    assert pickle.loads(pickle.dumps(setup)) == setup == copy.deepcopy(setup)
    assert pickle.loads(pickle.dumps(record)).end() == position
    again = pickle.loads(pickle.dumps(dice))
    assert [again.below(1000) for _ in range(9)] == [dice.below(1000) for _ in range(9)]


def test_a_set_up_is_pickled_with_its_components_or_not_at_all(tmp_path):
    file = tmp_path / "own.toml"
    text = (sheepfold.games.find("te-kuiti").folder / "components.toml").read_text()
    file.write_text(text)
    kept = pickle.dumps(sheepfold.load("te-kuiti", components=file))
    assert pickle.loads(kept).component_file == str(file)
    file.write_text(f"{text}\n# changed\n")
    with pytest.raises(BadComponents, match="are not those that the set-up was pickled with"):
        pickle.loads(kept)


def test_a_position_says_what_it_is():
    position = sheepfold.load("te-kuiti", seats=2).start()
    assert repr(position) == "<TeKuiti with 2 seats, to act: chance>"
    assert repr(position.seen_by(1)).endswith(", as seat 1 sees it>")


@pytest.mark.parametrize("seats", ["4", 4.0, True])
def test_seats_are_a_whole_number(seats):
    with pytest.raises(BadSeats, match=f"players, not {seats!r}"):
        sheepfold.load("haste-bock", seats=seats)
