"""Haste Bock? in words, thing by thing, for who does not see the picture: state, pasture as a grid, sheep, cards and track."""

from __future__ import annotations

from sheepfold.game.game import Passage
from sheepfold.games.flock import BLACK_SHEEP, COLOUR_NAMES, DIRECTION_NAMES, SHEEP, SHEEP_NAMES
from sheepfold.games.flock_outline import grid, track_outline
from sheepfold.games.haste_bock.narration import phase_to_come
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
from sheepfold.kept import kept
from sheepfold.messages import Voice

Counts = tuple[int, ...]


def outline(view: HasteBock, seat: int, voice: Voice) -> list[Passage]:
    """The viewer's own cards come before the others'. Passages are kept by what they say."""
    words, where = voice.words, tuple(view.where)
    ranked = view.track.phase[view.timer] in (2, 4)
    counted = SHEEP if view.neutral_rows else 2 * int(view.seats)  # HB-26
    worth = tuple(view.row_points()[:counted]) + (0,) * (SHEEP - counted) if ranked else ()
    flock = [] if view.stage == SET_UP else [_pasture(where, words), _sheep(where, worth, words)]
    cards = [_cards_of(view, one, voice) for one in sorted(range(int(view.seats)), key=lambda one: one != seat)]
    return [_state(view, words), *flock, *cards, track_outline(view.track, "phase", words)]


def _state(view: HasteBock, voice: Voice) -> Passage:
    phase = phase_to_come(view)
    looks = DIRECTION_NAMES[int(view.facing)]
    lines = [
        f"{voice.say(f'phase.{phase}')}. {voice.say(f'scoring.{phase}')}.",
        voice.say("picture.timer", space=int(view.timer), length=int(view.track.length)),
        voice.say("picture.looks", way=voice.say(f"way.{looks}")),
    ]
    if view.track.phase[view.timer] in (2, 4):
        guest = voice.say("roger" if view.track.phase[view.timer] == 2 else "shawn")
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


@kept(512)
def _pasture(where: tuple[int, ...], voice: Voice) -> Passage:
    cells = tuple(((int(row_of(where[sheep])), int(column_of(where[sheep]))), SHEEP_NAMES[sheep]) for sheep in range(SHEEP))
    return grid(voice.say("outline.pasture"), range(SIDE), range(SIDE), cells, voice)


@kept(512)
def _sheep(where: tuple[int, ...], worth: tuple[int, ...], voice: Voice) -> Passage:
    """Where each sheep stands, and what it would score with its row."""
    lines = []
    for sheep in range(SHEEP):
        colour = voice.say(f"colour.{COLOUR_NAMES[sheep // 2]}")
        name = voice.say("label.berta") if sheep == BLACK_SHEEP else voice.say("label.sheep", name=SHEEP_NAMES[sheep], colour=colour)
        field = voice.say("label.field", row=int(row_of(where[sheep])) + 1, column=int(column_of(where[sheep])) + 1)
        points = int(worth[sheep]) if worth and sheep != BLACK_SHEEP else 0
        lines.append(voice.say("outline.at", what=name, where=field) + (voice.say("outline.worth", count=points) if points else ""))
    return Passage(voice.say("outline.sheep"), lines)


def _card(card: int, voice: Voice) -> str:
    return voice.say("card", kind=voice.say(f"kind.{KIND_NAMES[card // VALUES]}"), value=card % VALUES + 1)


def _cards_of(view: HasteBock, seat: int, voice: Voice) -> Passage:
    counts = tuple(view.hand[seat * CARD_KINDS : (seat + 1) * CARD_KINDS])
    movements = tuple(view.movement[seat * VALUES : (seat + 1) * VALUES]) if view.seats < 4 else ()
    return _cards(seat, voice.name(seat), counts, movements, voice.words)


@kept(256)
def _cards(seat: int, who: str, counts: Counts, movements: Counts, voice: Voice) -> Passage:
    """What a player has left; all hands are open in this game."""
    held = [(_card(card, voice), count) for card, count in enumerate(counts) if count]
    held += [(voice.say("label.movement", value=value), count) for value, count in enumerate(movements, 1) if count]
    lines = [voice.say("outline.times", what=what, count=count) for what, count in held]
    title = voice.say("outline.cards", who=who, colour=voice.say(f"colour.{COLOUR_NAMES[seat]}"))
    return Passage(title, lines or [voice.say("outline.none")])
