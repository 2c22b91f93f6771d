"""The default words: whose turn it is, what happened in the game's own notation, who gained what, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sheepfold.core.position import CHANCE, HIDDEN, OVER, SPECTATOR, Position
from sheepfold.game.game import Option, Passage
from sheepfold.messages import Voice

if TYPE_CHECKING:
    from sheepfold.game.game import Game


def prompt(view: Position, voice: Voice) -> str:
    """Whose turn it is, or how the game ended."""
    if view.to_act == OVER:
        return result(view, voice)
    return voice.say("default.chance") if view.to_act == CHANCE else expected(view, "default.turn", voice, who=voice.name(int(view.to_act)))


def expected(view: Position, key: str, voice: Voice, count: int | None = None, **values: object) -> str:
    """What is expected: `key` to who is to act, in the second person and without a name; to all others `key.other`, which tells of `{who}`.

    So nobody is addressed whose turn it is not. What stands before it, 'Your turn' or a name, is the business of page and terminal.
    """
    return voice.say(key if view.viewer == view.to_act else f"{key}.other", count, **values)


def result(view: Position, voice: Voice) -> str:
    """Who has won."""
    if view.seats == 1:
        return voice.say("default.over", count=int(view.scores()[0]))
    winners = [voice.name(seat) for seat, rank in enumerate(view.ranks()) if rank == 1]
    return voice.say("default.won" if len(winners) == 1 else "default.shared", who=", ".join(winners))


def gained(game: Game, view: Position, action: int) -> int:
    """What who is to act has more of by an action, as the game counts it (`Game.earned`)."""
    after, seat = view.copy(), int(view.to_act)
    after.advance(action)
    return int(game.earned(after)[seat] - game.earned(view)[seat])


def tell(game: Game, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
    """What was done, whoever it was; then the points it brought; at the end the result."""
    by_chance = seat is None and before.to_act == CHANCE
    who = "" if by_chance else voice.name(int(before.to_act) if seat is None else seat)
    if action == HIDDEN:
        said = voice.say("default.hidden-chance") if by_chance else voice.say("default.hidden", who=who)
    else:
        what = game.write(before, action)
        said = voice.say("default.chance-did", what=what) if by_chance else voice.say("default.did", who=who, what=what)
    return [said, *_gains(before, after, voice), *([result(after, voice)] if after.to_act == OVER else [])]


def _gains(before: Position, after: Position, voice: Voice) -> list[str]:
    changes = [int(new) - int(old) for old, new in zip(before.scores(), after.scores(), strict=True)]
    gained = [(seat, voice.number(change, signed=True)) for seat, change in enumerate(changes) if change]
    return [voice.say("default.gain", points=points, who=voice.name(seat)) for seat, points in gained]


def players(view: Position, voice: Voice) -> Passage:
    """Everybody with their points, and whose turn it is."""
    lines = []
    for seat, score in enumerate(view.scores()):
        points = voice.say("points", count=int(score))
        lines.append(voice.say("default.player-turn" if seat == view.to_act else "default.player", who=voice.name(seat), points=points))
    return Passage(voice.say("default.players"), lines)


def own_passages(game: Game, view: Position, seat: int, voice: Voice) -> tuple[list[Passage], list[Passage]]:
    """The game's outline beside the players: what everybody sees of it, and what only that seat does."""
    everybody = players(view, voice)
    said: Sequence[Passage] = [passage for passage in game.outline(view, seat, voice) if passage != everybody]
    if seat < 0:
        return list(said), []
    public = game.outline(view, SPECTATOR, voice)
    return [passage for passage in said if passage in public], [passage for passage in said if passage not in public]


def option_sentence(option: Option, voice: Voice) -> str:
    """What an option changes, in the game's words; its name where there are none."""
    key = f"option.{option.name}"
    return voice.say(key) if voice.has(key) else option.name.replace("-", " ").capitalize()


def value_name(option: Option, value: str, voice: Voice) -> str:
    """What a value of an option is called."""
    key = f"option.{option.name}.{value}"
    return voice.say(key) if voice.has(key) else value


def no_rules(game: Game, language: str) -> str:
    """What stands where the rules would, as Markdown."""
    return f"# {game.title}\n\n{Voice(language=language).say('default.no-rules', title=game.title)}\n"
