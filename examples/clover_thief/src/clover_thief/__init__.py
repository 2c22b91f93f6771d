"""Clover Thief: send a sheep to the clover. The highest one eats it, unless another is lower by just 1."""

from __future__ import annotations

from sheepfold.core.position import CHANCE, HIDDEN, Position
from sheepfold.game.defaults.narration import expected
from sheepfold.game.game import Game, Passage, Setup
from sheepfold.messages import Voice

from clover_thief.rules import SHEEP, CloverThief


class CloverThiefGame(Game):
    """What the position does not know of Clover Thief."""

    name = "clover-thief"
    title = "Clover Thief"
    seats = (2, 3, 4)
    minutes = (5, 10)
    tags = ("cards", "hidden hands")
    secrets = True

    def start(self, setup: Setup) -> CloverThief:
        return CloverThief(setup.seats)

    def write(self, view: Position, action: int) -> str:
        if action >= SHEEP:
            return f"clover {action - SHEEP + 1}"
        return f"{'deal' if view.to_act == CHANCE else 'send'} {action + 1}"

    # Extras: what is on the table, and some words of our own.

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        game = _clover_thief(view)
        lines = [voice.say("patch", count=game.patch)] if game.patch else []
        names = [voice.name(each) for each in range(game.seats)]
        rows = [
            [voice.say(row), *(str(sheep + 1) if sheep >= 0 else "" for sheep in sheep_of_all)]
            for row, sheep_of_all in (("now", game.sent), ("before", game.before))
        ]
        held = [str(sheep + 1) for sheep in range(SHEEP) if seat >= 0 and game.where[sheep] == seat]
        hand = [Passage(voice.say("hand", who=voice.name(seat)), [", ".join(held)])] if held else []
        return [Passage(voice.say("meadow"), lines, names, rows), *hand]

    def prompt(self, view: Position, voice: Voice) -> str:
        if view.to_act < 0:
            return super().prompt(view, voice)
        return expected(view, "prompt", voice, _clover_thief(view).patch, who=voice.name(int(view.to_act)))

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return voice.say("send", number=action + 1) if view.to_act >= 0 else super().describe(view, action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        game = _clover_thief(before)
        if game.to_act != CHANCE or not game.owed:
            return super().tell(before, action, after, voice, seat)
        who = voice.name(game.drawer())
        return [voice.say("dealt.hidden", who=who) if action == HIDDEN else voice.say("dealt", who=who, number=action + 1)]


def _clover_thief(view: Position) -> CloverThief:
    assert isinstance(view, CloverThief)
    return view


GAME = CloverThiefGame()
