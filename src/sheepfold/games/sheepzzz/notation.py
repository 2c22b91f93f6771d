"""Notation of Sheepzzz: `7/3 on 2`, `wolf on 1`, `take 3`, `start 12/0`, `up`, `turn`, `next 4`, `impose 2`, and for chance `draw 7/3`.

A card is its number, with a stroke and its pillows where sheep of that number differ in pillows; whoever writes may leave the
pillows out as long as only one card can be meant. Piles and seats are counted from 1.
"""

from __future__ import annotations

import re

from sheepfold.core.errors import AmbiguousAction, listed
from sheepfold.game.game import tidy
from sheepfold.games.sheepzzz.rules import (
    CARD,
    COUNT_DOWN,
    COUNT_UP,
    FREE,
    IMPOSE_PILE,
    KEEP,
    NEXT,
    PILES,
    STARTER,
    TAKE,
    TURN_ROUND,
    Cards,
    Sheepzzz,
)  # fmt: skip

WORDS = {COUNT_UP: "up", COUNT_DOWN: "down", TURN_ROUND: "turn", KEEP: "keep", FREE: "free"}
PILLOWS = re.compile(r"/\d+")


def card_text(cards: Cards, kind: int) -> str:
    """`7/3`, `19`, `wolf`."""
    if kind == cards.wolf:
        return "wolf"
    number = cards.numbers[kind]
    alike = sum(1 for other in range(cards.wolf) if cards.numbers[other] == number)
    return f"{number}/{cards.pillows[kind]}" if alike > 1 else str(number)


def parts(view: Sheepzzz, action: int) -> tuple[str, int, int]:
    """What an action is, by one of the verbs here, with its kind of card (or seat) and its pile; -1 where it has none."""
    kinds = view.cards.kinds
    if action < IMPOSE_PILE:
        return WORDS[action], -1, -1
    if action < TAKE:
        return "impose", -1, action - IMPOSE_PILE
    if action < NEXT:
        return "take", -1, action - TAKE
    if action < CARD:
        return ("starter" if view.stage == STARTER else "next"), action - NEXT, -1
    if action < CARD + kinds:
        return "start", action - CARD, -1
    if action < CARD + 2 * kinds:
        return "draw", action - CARD - kinds, -1
    kind, pile = divmod(action - CARD - 2 * kinds, PILES)
    return "play", kind, pile


def write(view: Sheepzzz, action: int) -> str:
    """The action as short text."""
    verb, kind, pile = parts(view, action)
    if verb == "play":
        return f"{card_text(view.cards, kind)} on {pile + 1}"
    if verb in ("impose", "take"):
        return f"{verb} {pile + 1}"
    if verb in ("next", "starter"):
        return f"{verb} {kind + 1}"
    if verb in ("start", "draw"):
        return f"{verb} {card_text(view.cards, kind)}"
    return verb


def fill_in_pillows(view: Sheepzzz, text: str) -> str:
    """The text, with its pillows filled in where it has none and one card only can be meant; AmbiguousAction where several can."""
    wanted = tidy(text)
    texts = [write(view, action) for action in view.legal()]
    if wanted in texts:
        return wanted
    meant = [known for known in texts if PILLOWS.sub("", known) == wanted]
    if len(meant) > 1:
        raise AmbiguousAction(f"{text.strip()!r} could be {listed(meant)}", meant)
    return meant[0] if meant else wanted
