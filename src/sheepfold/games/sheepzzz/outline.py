"""Sheepzzz in words, thing by thing, for who does not see the picture: the state, the piles, the viewer's hand, the players.

As in the picture no more is said of a pile than its top and its size, and of taken cards than how many there are (SZ-20); in a game of
memory no numbers either (SZ-22).
"""

from __future__ import annotations

from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.game.game import Passage
from sheepfold.games.sheepzzz.narration import card_name, told_size, told_taken
from sheepfold.games.sheepzzz.rules import CLOCKWISE, HAND, MOST_ROUNDS, NAMES_NEXT, NO_POWER, NONE, PILES, UP, Cards, Sheepzzz
from sheepfold.kept import kept
from sheepfold.messages import Voice


def outline(view: Sheepzzz, seat: int, voice: Voice) -> list[Passage]:
    """The hand is the viewer's own; nobody else's is said."""
    seen = seat >= 0 and view.viewer in (seat, EVERYTHING) and view.to_act != OVER
    own = [_hand(view.cards, tuple(view.count_at(HAND + seat)), voice.words)] if seen else []
    return [_state(view, voice), _piles(view, voice), *own, _players(view, voice)]


def _state(view: Sheepzzz, voice: Voice) -> Passage:
    over = view.to_act == OVER
    way = "none" if view.order == 0 else "up" if view.order == UP else "down"
    lines = [
        voice.say("picture.round", number=int(view.rounds) if over else min(int(view.rounds) + 1, MOST_ROUNDS)),
        f"{voice.say(f'count.{way}')} ({voice.say(f'rule.{way}')})",
        voice.say("outline.clockwise" if view.direction == CLOCKWISE else "outline.anticlockwise"),
        voice.say("picture.deck", count=int(view.deck_size)),
    ]
    return Passage(voice.say("outline.state"), lines)


def _piles(view: Sheepzzz, voice: Voice) -> Passage:
    lines = []
    for pile in range(PILES):
        if view.top[pile] == NONE:
            lines.append(voice.say("outline.no-pile", number=pile + 1))
            continue
        lines.append(_pile(view.cards, pile + 1, int(view.top[pile]), told_size(view, pile), view.imposed == pile, voice.words))
    return Passage(voice.say("outline.piles"), lines)


@kept(512)
def _pile(cards: Cards, number: int, top: int, size: int, imposed: bool, voice: Voice) -> str:
    line = pile_label(number, _card(cards, top, voice), size, voice)
    return f"{line}, {voice.say('picture.imposed')}" if imposed else line


def pile_label(number: int, card: str, size: int, voice: Voice) -> str:
    """'pile 2: 7 (3 pillows), 4 cards'; no size where it is 0."""
    if not size:
        return voice.say("label.pile.memory", number=number, card=card)
    return voice.say("label.pile", number=number, card=card, size=voice.say("picture.size", count=size))


@kept(512)
def _card(cards: Cards, kind: int, voice: Voice) -> str:
    name = card_name(cards, kind, voice)
    if cards.power[kind] == NO_POWER:
        return name
    return f"{name}, {voice.say('power.icon.name' if cards.power[kind] == NAMES_NEXT else 'power.icon.reverse')}"


@kept(256)
def _hand(cards: Cards, counts: tuple[int, ...], voice: Voice) -> Passage:
    held = [(_card(cards, kind, voice), count) for kind, count in enumerate(counts) if count]
    lines = [voice.say("outline.times", what=card, count=count) for card, count in held]
    return Passage(voice.say("outline.hand"), lines or [voice.say("outline.none")])


def _players(view: Sheepzzz, voice: Voice) -> Passage:
    """In clockwise order."""
    lines = []
    for seat in range(int(view.seats)):
        counts = int(view.hand_size[seat]), told_taken(view, seat), int(view.totals[seat])
        acts = view.turn == seat and view.to_act != OVER
        lines.append(_player(voice.name(seat), *counts, acts, view.named == seat, voice.words))
    return Passage(voice.say("outline.players"), lines)


@kept(512)
def _player(who: str, hand: int, taken: int, total: int, acts: bool, named: bool, voice: Voice) -> str:
    facts = [voice.say("outline.cards", count=hand)]
    if taken != NONE:
        facts.append(voice.say("picture.taken", count=taken))
    facts.append(voice.say("picture.total", count=total))
    if acts:
        facts.append(voice.say("outline.turn"))
    if named:
        facts.append(voice.say("outline.named"))
    return voice.say("label.player", who=who, facts=", ".join(facts))
