"""Sheepzzz drawn for a terminal: the piles with size and top, the players with the direction of play, and the viewer's own hand.

Of a pile only its top and its size are shown, of taken cards only how many there are (SZ-20): remembering is the players' job. In a game of
memory the numbers are left out, too (SZ-22).
"""

from __future__ import annotations

from sheepfold.ansi import ink, pad, width
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.games.sheepzzz.narration import told_size, told_taken
from sheepfold.games.sheepzzz.rules import CLOCKWISE, HAND, MOST_ROUNDS, NONE, PILES, UP, Sheepzzz
from sheepfold.messages import Voice

PILLOW = "●"
CARD_WIDTH = 4
NAME_WIDTH = 16


def text_picture(view: Sheepzzz, seat: int, columns: int, voice: Voice) -> str:
    """The view as lines of text."""
    blocks = [head(view, voice), piles(view, voice), players(view, voice), hand(view, seat, columns, voice)]
    return "\n\n".join(block for block in blocks if block)


def head(view: Sheepzzz, voice: Voice) -> str:
    """Which round, how sheep are counted, which way play goes, what is left of the deck."""
    order = "picture.order.none" if view.order == 0 else "picture.order.up" if view.order == UP else "picture.order.down"
    direction = "picture.clockwise" if view.direction == CLOCKWISE else "picture.anticlockwise"
    number = min(int(view.rounds) + 1, MOST_ROUNDS) if view.to_act != OVER else int(view.rounds)
    return "\n".join([
        ink(voice.say("picture.round", number=number), "bold") + "   " + voice.say("picture.deck", count=int(view.deck_size)),
        voice.say(order, highest=int(view.cards.highest)) + "   " + voice.say(direction),
    ])  # fmt: skip


def card(view: Sheepzzz, kind: int) -> list[str]:
    """A card in four lines: number and pillows, or W for a wolf."""
    if kind == NONE:
        return ["╭╌╌╌╌╮", "╎    ╎", "╎    ╎", "╰╌╌╌╌╯"]
    if kind == view.cards.wolf:
        number, pillows, style = "W", "", "red"
    else:
        number, count = str(view.cards.numbers[kind]), int(view.cards.pillows[kind])
        pillows, style = f"{count}{PILLOW}" if count else "", "green"
    return ["╭────╮", f"│{ink(number.center(CARD_WIDTH), 'bold', style)}│", f"│{pillows.center(CARD_WIDTH)}│", "╰────╯"]


def row(drawings: list[list[str]]) -> str:
    """Drawings of the same number of lines side by side."""
    return "\n".join("  ".join(lines).rstrip() for lines in zip(*drawings, strict=True))


def piles(view: Sheepzzz, voice: Voice) -> str:
    """Each pile: its top card, its name, its size, and whether it is imposed."""
    drawings = []
    for pile in range(PILES):
        lines = card(view, int(view.top[pile]))
        lines.append(voice.say("picture.pile", number=pile + 1))
        size = told_size(view, pile)
        told = voice.say("picture.size", count=size) if size else ""
        lines.append(voice.say("picture.gone") if view.top[pile] == NONE else told)
        lines.append(ink(f"^ {voice.say('picture.imposed')}", "yellow") if view.imposed == pile else "")
        drawings.append([pad(line, 10) for line in lines])
    return row(drawings).rstrip()


def players(view: Sheepzzz, voice: Voice) -> str:
    """The players in clockwise order, with an arrow for the direction of play and a mark at the one whose turn it is."""
    arrow = "↓" if view.direction == CLOCKWISE else "↑"
    names = [voice.name(seat)[:NAME_WIDTH] for seat in range(view.seats)]
    columns = max(width(name) for name in names)
    lines = []
    for seat in range(view.seats):
        mark = ">" if seat == view.turn else "*" if seat == view.named else " "
        name = pad(names[seat], columns)
        facts, taken = [voice.say("picture.hand.size", count=int(view.hand_size[seat]))], told_taken(view, seat)
        if taken != NONE:
            facts.append(voice.say("picture.taken", count=taken))
        facts.append(voice.say("picture.total", count=int(view.totals[seat])))
        lines.append(f"{arrow} {mark} {ink(name, 'bold') if seat == view.turn else name}  {' · '.join(facts)}")
    return "\n".join(lines)


def hand(view: Sheepzzz, seat: int, columns: int, voice: Voice) -> str:
    """The cards in hand of the seat whose view it is; nothing for anybody else's."""
    if seat < 0 or view.viewer not in (seat, EVERYTHING) or not view.hand_size[seat]:
        return ""
    drawings = []
    for kind, count in enumerate(view.count_at(HAND + seat)):
        drawings += [card(view, kind)] * count
    a_row = max(1, columns // (CARD_WIDTH + 4))
    rows = [row(drawings[first : first + a_row]) for first in range(0, len(drawings), a_row)]
    return "\n".join([voice.say("picture.hand", who=voice.name(seat)), *rows])
