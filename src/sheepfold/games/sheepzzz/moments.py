"""The moments of Sheepzzz: a round is over, and everybody's pillows are counted from the cards in front of them.

In a game of memory (SZ-22) the sums are told, as they are aloud at a table, and no card.
"""

from __future__ import annotations

from sheepfold import art
from sheepfold.game.moments import Gain, Moment
from sheepfold.games.sheepzzz.narration import card_name, what_follows, why_counted
from sheepfold.games.sheepzzz.notation import parts
from sheepfold.games.sheepzzz.rules import BITE, LAY, PILE, TAKEN, Cards, Sheepzzz
from sheepfold.kept import kept
from sheepfold.messages import Voice

CARD, IN_A_ROW = 60.0, 10
"""How wide a card is drawn, and how many there are room for in a row, so that everybody's are drawn in one size."""


def moment(before: Sheepzzz, action: int, after: Sheepzzz, voice: Voice) -> Moment | None:
    """The count, with why there is one and what follows from it."""
    if after.rounds == before.rounds:
        return None
    gains = tuple(_gain(before, action, after, seat, voice) for seat in range(after.seats))
    why = why_counted(before, action)
    note = " ".join([*([voice.say(why)] if why else []), *what_follows(after, voice)])
    return Moment(voice.say("moment.round", number=int(after.rounds)), gains, note=note)


def _gain(before: Sheepzzz, action: int, after: Sheepzzz, seat: int, voice: Voice) -> Gain:
    total = int(after.totals[seat])
    points = total - int(before.totals[seat])
    if before.terms.memory_game or not points:
        return Gain(seat, points, total, (voice.say("moment.pillows", count=points),))
    counts, cards = counted(before, action, seat), before.cards
    by_pillows: dict[int, int] = {}
    for kind, count in enumerate(counts):
        if count and cards.pillows[kind]:
            by_pillows[int(cards.pillows[kind])] = by_pillows.get(int(cards.pillows[kind]), 0) + count
    reasons = [voice.say("moment.cards", count=n, pillows=each, points=n * each) for each, n in sorted(by_pillows.items(), reverse=True)]
    return Gain(seat, points, total, tuple(reasons), _drawn(cards, tuple(counts), voice.words))


def counted(before: Sheepzzz, action: int, seat: int) -> list[int]:
    """The cards in front of a seat when the round is over by that action, by kind: those taken before, and what it got last."""
    counts = before.count_at(TAKEN + seat)
    if seat != before.turn:
        return counts
    verb, kind, pile = parts(before, action)
    if before.stage == LAY:
        counts[kind] += 1
    elif verb == "take" or (before.stage == BITE and kind == before.cards.wolf):
        got = before.count_at(PILE + (pile if verb == "take" else int(before.pile)))
        counts = [old + new for old, new in zip(counts, got, strict=True)]
    return counts


@kept(64)
def _drawn(cards: Cards, counts: tuple[int, ...], voice: Voice) -> str:
    """The cards with pillows, those with the most first."""
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count) if cards.pillows[kind]]
    kinds.sort(key=lambda kind: -int(cards.pillows[kind]))
    body = ""
    for place, kind in enumerate(kinds):
        row, column = divmod(place, IN_A_ROW)
        x, y = (column + 0.5) * CARD, (row + 0.5) * CARD * art.CARD_RATIO
        body += art.counting_card(int(cards.numbers[kind]), int(cards.pillows[kind]), compact=True, x=x, y=y, size=CARD)
    rows = -(-len(kinds) // IN_A_ROW)
    title = ", ".join(card_name(cards, kind, voice) for kind in kinds)
    return art.document(IN_A_ROW * CARD, rows * CARD * art.CARD_RATIO, body, title, theme="bare", interactive=False)
