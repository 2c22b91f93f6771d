"""Why somebody might do it, for a hint: pillows that leave the hand, and what fits where. From the reader's hand and what lies open."""

from __future__ import annotations

from sheepfold.games.sheepzzz.narration import told_size
from sheepfold.games.sheepzzz.notation import parts
from sheepfold.games.sheepzzz.rules import DOWN, HAND, NONE, PILES, UP, Sheepzzz, follows
from sheepfold.messages import Voice

HEAVY = 2
"""So many pillows on a card are a reason to be rid of it."""


def reason(view: Sheepzzz, action: int, voice: Voice) -> str:
    """One sentence; empty where there is nothing to say."""
    verb, kind, pile = parts(view, action)
    if verb in ("up", "down"):
        here, there = (_fitting(view, order) for order in ((UP, DOWN) if verb == "up" else (DOWN, UP)))
        return voice.say("reason.order", here, other=there)
    if verb == "take":
        return _take(view, pile, voice)
    if verb == "impose":
        rooms = {each: _room(view, int(view.cards.numbers[top])) for each, top in enumerate(view.top) if top != NONE}
        return voice.say("reason.impose", rooms[pile], pile=pile + 1) if rooms[pile] == min(rooms.values()) else ""
    if verb == "play" and kind == view.cards.wolf:
        return voice.say("reason.wolf")
    if verb in ("play", "start"):
        if view.cards.pillows[kind] >= HEAVY:
            return voice.say("reason.pillows", int(view.cards.pillows[kind]))
        return voice.say("reason.room", _room(view, int(view.cards.numbers[kind])))
    return ""


def _take(view: Sheepzzz, pile: int, voice: Voice) -> str:
    if not any(parts(view, action)[0] == "play" for action in view.legal()):
        return voice.say("reason.take.must" if view.imposed == NONE else "reason.take.imposed")
    sizes = {each: told_size(view, each) for each in range(PILES) if view.top[each] != NONE}
    smallest = sizes[pile] and sizes[pile] == min(sizes.values())
    return voice.say("reason.take.small", sizes[pile]) if smallest else ""


def _fitting(view: Sheepzzz, order: int) -> int:
    """How many cards of one's hand could be played, counted that way."""
    tops = [int(view.cards.numbers[top]) for top in view.top if top != NONE]
    held = view.count_at(HAND + view.turn)
    return sum(
        held[kind]
        for kind in range(view.cards.kinds)
        if kind == view.cards.wolf or any(follows(view.cards.numbers[kind], top, order) for top in tops)
    )


def _room(view: Sheepzzz, top: int) -> int:
    """How many numbers can follow that one, as it is counted now."""
    numbers = {int(number) for kind, number in enumerate(view.cards.numbers) if kind != view.cards.wolf}
    return sum(1 for number in numbers if follows(number, top, view.order))
