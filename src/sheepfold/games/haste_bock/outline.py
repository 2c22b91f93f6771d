"""Haste Bock? in words, thing by thing, for who does not see the picture: state, pasture as a grid, sheep, cards and track."""

from __future__ import annotations

from sheepfold.game.game import Passage
from sheepfold.games.flock import BLACK_SHEEP, COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES
from sheepfold.games.flock_outline import grid, track_outline
from sheepfold.games.haste_bock.notation import WAYS
from sheepfold.games.haste_bock.rules import (
    CARD_KINDS,
    ENDED,
    KIND_NAMES,
    NONE,
    SET_UP,
    SIDE,
    TROUGHS,
    TURNS,
    VALUES,
    HasteBock,
    column_of,
    row_of,
)
from sheepfold.messages import Voice


def outline(view: HasteBock, seat: int, voice: Voice) -> list[Passage]:
    """The viewer's own cards come before the others'."""
    seats = sorted(range(int(view.seats)), key=lambda one: one != seat)
    flock = [] if view.stage == SET_UP else [_pasture(view, voice), _sheep(view, voice)]
    cards = [_cards(view, one, voice) for one in seats]
    return [_state(view, voice), *flock, *cards, track_outline(view.track, "phase", voice)]


def _state(view: HasteBock, voice: Voice) -> Passage:
    phase = int(view.track.phase[view.timer]) or 1
    looks = DIRECTION_NAMES[int(view.facing)]
    lines = [
        f"{voice.say(f'phase.{phase}')}. {voice.say(f'scoring.{phase}')}.",
        voice.say("picture.timer", space=int(view.timer), length=int(view.track.length)),
        voice.say("picture.looks", way=voice.say(f"way.{looks}")),
    ]
    if view.track.phase[view.timer] in (2, 4) and view.stage != ENDED:
        guest = voice.say("roger" if phase == 2 else "shawn")
        lines.append(voice.say("outline.guest", who=guest, side=voice.say(f"side.{looks}")))
    if view.die != NONE:
        lines.append(voice.say("chance.die", colour=voice.say(f"colour.{COLOUR_NAMES[int(view.die)]}")))
    if view.card != NONE:
        lines.append(voice.say("outline.in-play", card=_card(int(view.card), voice)))
    if view.banned != NONE and view.stage != ENDED:
        banned = int(view.banned)
        key = f"label.turn.{WAYS[banned - TURNS]}" if banned >= TURNS else "label.trough"
        side = "" if banned >= TURNS else voice.say(f"side.{DIRECTION_NAMES[(banned - TROUGHS) * 2]}")
        lines.append(voice.say("picture.banned", move=voice.say(key, side=side)))
    return Passage(voice.say("outline.state"), lines)


def _pasture(view: HasteBock, voice: Voice) -> Passage:
    cells = {(int(row_of(view.where[sheep])), int(column_of(view.where[sheep]))): SHEEP_NAMES[sheep] for sheep in range(SHEEP)}
    return grid(voice.say("outline.pasture"), range(SIDE), range(SIDE), cells, voice)


def _sheep(view: HasteBock, voice: Voice) -> Passage:
    """Where each sheep stands, and what it would score with its row."""
    worth = view.row_points() if view.track.phase[view.timer] in (2, 4) and view.stage != ENDED else []
    lines = []
    for sheep in range(SHEEP):
        colour = voice.say(f"colour.{COLOUR_NAMES[sheep // 2]}")
        name = voice.say("label.berta") if sheep == BLACK_SHEEP else voice.say("label.sheep", name=SHEEP_NAMES[sheep], colour=colour)
        field = voice.say("label.field", row=int(row_of(view.where[sheep])) + 1, column=int(column_of(view.where[sheep])) + 1)
        points = int(worth[sheep]) if worth and sheep != BLACK_SHEEP else 0
        lines.append(voice.say("outline.at", what=name, where=field) + (voice.say("outline.worth", count=points) if points else ""))
    return Passage(voice.say("outline.sheep"), lines)


def _card(card: int, voice: Voice) -> str:
    return voice.say("card", kind=voice.say(f"kind.{KIND_NAMES[card // VALUES]}"), value=card % VALUES + 1)


def _cards(view: HasteBock, seat: int, voice: Voice) -> Passage:
    """What a player has left; all hands are open in this game."""
    held = [(_card(card, voice), int(view.hand[seat * CARD_KINDS + card])) for card in range(CARD_KINDS)]
    if view.seats < 4:
        held += [(voice.say("label.movement", value=value + 1), int(view.movement[seat * VALUES + value])) for value in range(VALUES)]
    lines = [voice.say("outline.times", what=what, count=count) for what, count in held if count]
    title = voice.say("outline.cards", who=voice.name(seat), colour=voice.say(f"colour.{COLOUR_NAMES[seat]}"))
    return Passage(title, lines or [voice.say("outline.none")])
