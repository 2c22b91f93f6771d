"""Seating: from a command line, a menu or an unfinished record to a sitting that can be played.

A record keeps the seed and who sits where in its header, so the same command, or the file alone, goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sheepfold import bots, games
from sheepfold.ansi import ink
from sheepfold.bots import Bot
from sheepfold.bots.program import anybody, is_program
from sheepfold.core.dice import Dice
from sheepfold.core.errors import BadRecord, SheepfoldError
from sheepfold.core.position import OVER
from sheepfold.game.game import Game, Setup
from sheepfold.game.records import Record, read_record
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.layout import wrapped
from sheepfold.terminal.screen import Screen, whole
from sheepfold.terminal.sitting import Sitting, save

PERSON = "person"


@dataclass
class Wishes:
    """What the command line said; None or empty where it said nothing."""

    game: str | None = None
    seats: int | None = None
    bots: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    components: str | None = None
    seed: str | None = None
    record: Path | None = None
    names: list[str] = field(default_factory=list)


def sit_down(wishes: Wishes, screen: Screen, language: str) -> Sitting:
    """The sitting that is wished for: an unfinished record goes on, everything else begins."""
    if wishes.record and wishes.record.exists():
        if not wishes.record.is_file():
            raise SheepfoldError(f"{wishes.record} is no file that a game can be saved in; name another one")
        return _resumed(wishes, wishes.record, language)
    if wishes.game is None:
        _ask_for_wishes(wishes, screen, language)
    assert wishes.game is not None
    game = games.find(wishes.game)
    setup = game.setup(wishes.seats or _seats_meant(wishes), wishes.components, **wishes.options)
    levels = seated(wishes.bots, setup.seats)
    seed = Dice(wishes.seed).seed
    record = Record(setup, names=_names(wishes.names, levels, language))
    record.extra = {"seed": seed, "players": ", ".join(levels)}
    if wishes.record:
        save(record, wishes.record)
    return Sitting(record, _players(levels, setup), seed, wishes.record)


def _seats_meant(wishes: Wishes) -> int | None:
    """How many players those who were named make up; None where one bot leaves it open."""
    players = len(wishes.bots) + (PERSON not in wishes.bots) if len(wishes.bots) > 1 else 0
    names = len(wishes.names) if len(wishes.names) > 1 or not wishes.bots else 0
    return max(players, names) or None


def seated(levels: Sequence[str], seats: int) -> list[str]:
    """Seat by seat a bot's name or 'person': one bot takes all seats but the first, several those after it, as many as seats take all."""
    if not levels:
        return [PERSON] * seats
    if len(levels) == 1 and levels[0] != PERSON and seats > 1:
        return [PERSON, *(list(levels) * (seats - 1))]
    if len(levels) == seats:
        return list(levels)
    if len(levels) < seats:
        return [PERSON, *levels, *[PERSON] * (seats - 1 - len(levels))]
    raise SheepfoldError(f"{len(levels)} players were named with --bot, but there are only {seats} seats")


def _players(levels: Sequence[str], setup: Setup) -> list[Bot | None]:
    return [None if level == PERSON else anybody(level, setup) for level in levels]


def _names(names: Sequence[str], levels: Sequence[str], language: str) -> list[str]:
    """Names for all seats: those given, then 'Player 2' for people and the names of sheep for bots, with the level where levels differ."""
    if len(names) > len(levels):
        raise SheepfoldError(f"{len(names)} names were given for {len(levels)} seats")
    if len(set(names)) < len(names):
        raise SheepfoldError("two players have the same name; give each another one")
    say = terminal_voice(language).say
    sheep = [name for name in say("bots.names").split(", ") if name not in names]
    mixed = len(set(levels) - {PERSON}) > 1
    chosen = []
    for seat, level in enumerate(levels):
        if seat < len(names):
            chosen.append(names[seat])
        elif level == PERSON:
            chosen.append(say("player", number=seat + 1))
        elif mixed:
            chosen.append(say("bots.name", name=sheep[seat % len(sheep)], level=level_name(level, language)))
        else:
            chosen.append(sheep[seat % len(sheep)])
    return chosen


def level_name(level: str, language: str) -> str:
    """What a bot is called in the player's language."""
    voice = terminal_voice(language)
    return voice.say(f"level.{level}") if voice.has(f"level.{level}") else level


def _resumed(wishes: Wishes, path: Path, language: str) -> Sitting:
    record = load_record(path, wishes.components)
    setup = record.setup
    if record.end().to_act == OVER:
        raise SheepfoldError(f"{path} is a finished game: `sheepfold replay {path}` shows it; name another file to play anew")
    _must_agree(path, "game", wishes.game and games.find(wishes.game).name, setup.game.name)
    _must_agree(path, "seats", wishes.seats, setup.seats)
    _must_agree(path, "seed", wishes.seed, record.extra.get("seed", wishes.seed))
    for name, value in setup.game.setup(setup.seats, wishes.components, **wishes.options).changed_options().items():
        _must_agree(path, f"option {name}", value, setup.options[name])
    levels = [level.strip() for level in record.extra.get("players", "").split(",") if level.strip()]
    if wishes.bots or len(levels) != setup.seats:
        levels = seated(wishes.bots, setup.seats)
    elif any(map(is_program, levels)):  # a file, perhaps somebody else's, has nothing run here
        named = next(filter(is_program, levels))
        raise SheepfoldError(f"{path} was played with a program; to go on with one, name it again: --bot {named!r}")
    if wishes.names or not record.names:
        record.names = _names(wishes.names, levels, language)
    seed = record.extra.get("seed") or Dice(wishes.seed).seed
    record.extra |= {"seed": seed, "players": ", ".join(levels)}
    return Sitting(record, _players(levels, setup), seed, path)


def _must_agree(path: Path, what: str, wished: object, recorded: object) -> None:
    if wished is not None and wished != recorded:
        raise SheepfoldError(f"{path} has {what} {recorded}, not {wished}: leave it out to go on, or name another file to begin anew")


def load_record(path: Path, components: str | None = None) -> Record:
    """The record in a file; every problem names the file."""
    try:
        return read_record(path.read_text(encoding="utf-8"), components)
    except OSError as error:
        raise SheepfoldError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SheepfoldError(f"{path}: not a text file") from None
    except BadRecord as error:
        if error.key == "record.components":
            raise SheepfoldError(f"{path}: {error}; --components names the file that it was played with") from None
        raise SheepfoldError(f"{path}: {error}") from None


# The menu.


def _ask_for_wishes(wishes: Wishes, screen: Screen, language: str) -> None:
    """A small menu for what the command line left open. Enter takes what stands in brackets."""
    say = terminal_voice(language).say
    shelf = games.every_game()
    screen.show(ink(say("menu.game"), "bold"))
    longest = max(len(game.title) for game in shelf)
    for number, game in enumerate(shelf, start=1):
        screen.show(f"{ink(f'{number:>3}', 'bold')}  {game.title:{longest}}  {ink(figures(game, language), 'dim')}")
        for line in wrapped(game.about(language), screen.size.columns, " " * 5):
            screen.show(line)
    game = shelf[_pick(screen, say, [one.name for one in shelf]) - 1]
    wishes.game = game.name
    if wishes.seats is None and not wishes.names and len(game.seats) > 1:
        wishes.seats = _ask_seats(game, screen, language)
    if not wishes.bots and (wishes.seats or game.seats[-1]) > 1:
        screen.show(ink(say("menu.against"), "bold"))
        screen.show(f"{ink('  1', 'bold')}  {say('menu.people')}")
        for number, level in enumerate(bots.LEVELS, start=2):
            about = f"level.{level}.about"
            more = f"  {ink(say(about), 'dim')}" if terminal_voice(language).has(about) else ""
            screen.show(f"{ink(f'{number:>3}', 'bold')}  {level_name(level, language)}{more}")
        picked = _pick(screen, say, [PERSON, *bots.LEVELS], default=min(3, 1 + len(bots.LEVELS)))
        wishes.bots = [] if picked == 1 else [bots.LEVELS[picked - 2]]


def _ask_seats(game: Game, screen: Screen, language: str) -> int:
    say = terminal_voice(language).say
    while True:
        text = screen.ask(f"{ink_if(screen, say('menu.seats', seats=_range(game)))} [{game.seats[-1]}] ")
        if not text:
            return game.seats[-1]
        if text.isdecimal() and whole(text) in game.seats:
            return whole(text)
        screen.show(ink(say("menu.bad-seats", title=game.title, seats=_range(game)), "yellow"))


def _pick(screen: Screen, say: object, names: Sequence[str], default: int = 1) -> int:
    assert callable(say)
    while True:
        text = screen.ask(f"[{default}] > ", names).lower()
        if not text:
            return default
        if text.isdecimal() and 1 <= whole(text) <= len(names):
            return whole(text)
        fitting = [index for index, name in enumerate(names, start=1) if name.startswith(text)]
        if len(fitting) == 1:
            return fitting[0]
        screen.show(ink(say("menu.bad", text=text, most=len(names)), "yellow"))


def ink_if(screen: Screen, text: str) -> str:
    """Bold for a prompt, where there are colours."""
    return ink(text, "bold") if screen.colour else text


def figures(game: Game, language: str) -> str:
    """'2-4 players, 30-45 minutes'."""
    low, high = game.minutes
    minutes = str(low) if low == high else f"{low}-{high}"
    return terminal_voice(language).say("figures", seats=_range(game), minutes=minutes)


def _range(game: Game) -> str:
    return str(game.seats[0]) if len(game.seats) == 1 else f"{game.seats[0]}-{game.seats[-1]}"


def setup_from(name: str, seats: int | None, components: str | None, options: dict[str, str]) -> Setup:
    """A checked set-up, for the commands that play nothing themselves."""
    return games.find(name).setup(seats, components, **options)
