"""Sheepzzz as a picture: how sheep are counted, the deck and the three piles, the players in their order; and the viewer's hand.

Of a pile only its top and its size are drawn, of taken cards only how many there are (SZ-20); in a game of memory no size and no number
either, but the same two cards below every top (SZ-22). A card in the viewer's hand is `card-9-3`
by what is printed on it; nobody else's cards and no card of the deck has an id. Each part is drawn from its own few values and kept.
"""

from __future__ import annotations

from typing import cast

from sheepfold import art
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.games.sheepzzz.narration import card_name, next_player, told_size, told_taken
from sheepfold.games.sheepzzz.notation import parts
from sheepfold.games.sheepzzz.outline import pile_label
from sheepfold.games.sheepzzz.rules import (
    ASLEEP,
    CLOCKWISE,
    HAND,
    HAND_CARDS,
    IMPOSE,
    MOST_ROUNDS,
    NAME,
    NAMES_NEXT,
    NONE,
    ORDER,
    PILES,
    PLAY,
    START,
    TURN,
    TURNS_PLAY,
    UP,
    Cards,
    Sheepzzz,
)  # fmt: skip
from sheepfold.kept import kept
from sheepfold.messages import Voice

SIZE = 720
"""How wide the picture is; a phone shows it at half that."""
HEAD = 104.0
PILE_WIDE = 150.0
PILE_Y = HEAD + 134
PILE_X = (262.0, 440.0, 618.0)
DECK_X, DECK_WIDE = 84.0, 118.0
PLAYERS_Y = HEAD + 302
PLAYERS_HIGH = 150.0
GAP = 20.0
"""Between two players, with an arrow in it."""
CARD_WIDE = 134.0
UNTOLD_BELOW = 2
"""How many cards are drawn below every top where a pile's size is to be remembered."""
HAND_HIGH = CARD_WIDE * art.CARD_RATIO + 20
COLOURS: tuple[art.Colour, ...] = ("blue", "yellow", "green", "red", "white")
DRAWINGS = ("card", "fencelet", "hood", "moonlet", "needle", "pillow", "power-", "scene", "sheep-doze", "stars", "tuft", "wolf-head", "zzz")
"""The beginnings of names of what is drawn here, for `Game.drawings`."""


def targets(view: Sheepzzz, action: int) -> list[str]:
    """What to tap, in order. A pile is taken with two taps, since it cannot be given back."""
    if view.to_act < 0:
        return []
    verb, kind, pile = parts(view, action)
    if verb == "play":
        return [_card_id(view.cards, kind), f"pile-{pile + 1}"]
    if verb == "take":
        return [f"pile-{pile + 1}", "take"]
    if verb == "impose":
        return [f"pile-{pile + 1}"]
    if verb == "next":
        return [f"player-{kind + 1}"]
    return [_card_id(view.cards, kind)] if verb == "start" else [verb]


def refusals(view: Sheepzzz, voice: Voice) -> dict[str, str]:
    """Why a card or a pile cannot be tapped."""
    if view.stage != PLAY:
        return {}
    if view.imposed != NONE:
        must = voice.say("refuse.imposed", pile=int(view.imposed) + 1)
        return {"pile-": must, "card-": must}
    return {"card-": voice.say("refuse.card", rule=voice.say("rule.up" if view.order == UP else "rule.down"))}


def picture(view: Sheepzzz, seat: int, theme: str, voice: Voice) -> str:
    """The view, with the viewer's own cards in the part `hand`."""
    look = cast(art.Theme, theme)
    body, bottom = _head(view, seat, voice), PLAYERS_Y + PLAYERS_HIGH + 6
    if view.to_act == OVER:  # nothing lies on the table any more
        gone = PLAYERS_Y - HEAD - GAP
        body += f'<g transform="translate(0 {-gone:g})">{_players(view, voice)}</g>'
        bottom -= gone
    else:
        body += _deck(int(view.deck_size), voice.words) + _piles(view, voice.words) + _players(view, voice)
    hand = _hand(view, seat, voice)
    if hand:
        body += art.part("hand", bottom, SIZE, HAND_HIGH, hand, look, below=True)
        bottom += HAND_HIGH
    return art.document(SIZE, bottom, body, voice.say("picture.title"), _round(view, voice), theme=look)


def window(name: str) -> tuple[float, float, float, float] | None:
    """`piles` with the deck; `table` with how sheep are counted too; or `hand`."""
    if name == "piles":
        return 0, HEAD + 4, SIZE, PLAYERS_Y - HEAD - 8
    if name == "table":
        return 0, 0, SIZE, PLAYERS_Y + PLAYERS_HIGH + 6
    if name == "hand":
        return 0, PLAYERS_Y + PLAYERS_HIGH + 6, SIZE, HAND_HIGH
    return None


def _card_id(cards: Cards, kind: int) -> str:
    if kind == cards.wolf:
        return "card-wolf"
    return f"card-{int(cards.numbers[kind])}-{int(cards.pillows[kind])}"


def _line(x: float, y: float, words: str, size: float, room: float, anchor: str = "start", soft: bool = False) -> str:
    """Text that gets smaller where it would not fit."""
    return art.text(x, y, words, art.fitting(words, size, room), anchor, soft=soft)


# The head: how sheep are counted, and the questions that are no thing on the table.


def _head(view: Sheepzzz, seat: int, voice: Voice) -> str:
    acting = seat >= 0 and seat == view.to_act
    highest = int(view.cards.highest)
    if acting and view.stage == ORDER:
        return "".join(
            art.button(
                voice.say(f"button.{way}"), way, x, HEAD / 2, 352, 100, 34, under=f"1 → {highest}" if way == "up" else f"{highest} → 1",
                icon=art.arrow("n" if way == "up" else "s", size=84),
            )
            for way, x in (("up", 178), ("down", 542))
        )  # fmt: skip
    if acting and view.stage == TURN:
        return _counting(int(view.order), voice.words, 92) + _turn_buttons(view, voice)
    drawn = _counting(int(view.order), voice.words)
    if acting and view.stage == IMPOSE:
        other = voice.say("button.free.under", who=voice.name(next_player(view)))
        return drawn + art.button(voice.say("button.free"), "free", 542, HEAD / 2, 352, 96, 30, under=other)
    drawn += art.text(SIZE - 84, 42, _round(view, voice), 28, "end")
    way = "picture.clockwise" if view.direction == CLOCKWISE else "picture.anticlockwise"
    drawn += _line(SIZE - 84, 76, voice.say(way), 21, 250, "end")
    drawn += art.turn_arrow(view.direction == CLOCKWISE, x=SIZE - 40, y=HEAD / 2, size=68)
    if acting and view.stage == PLAY:
        under = voice.say("button.take.then" if view.deck_size else "button.take.last")
        drawn += art.button(voice.say("button.take"), "take", 542, HEAD / 2, 352, 96, 30, "sf-soon", under)
    return drawn


def _round(view: Sheepzzz, voice: Voice) -> str:
    return voice.say("picture.round", number=int(view.rounds) if view.to_act == OVER else min(int(view.rounds) + 1, MOST_ROUNDS))


@kept(64)
def _counting(order: int, voice: Voice, wide: float = 352) -> str:
    """Up or down, large, and what may be played then, where there is room for it."""
    way = "none" if order == 0 else "up" if order == UP else "down"
    drawn = f'<rect class="sf-shade-flat" y="2" width="{wide:g}" height="{HEAD - 4:g}" rx="22"/>'
    if order:
        # One id a way, so that the page shows when it changes.
        points: art.Direction = "n" if order == UP else "s"
        drawn += art.arrow(points, id=f"counting-{way}", x=46, y=HEAD / 2, size=84, label=voice.say(f"count.{way}"))
    else:
        drawn += art.use("ask", 46, HEAD / 2, 0.6)
    if wide < 200:
        return drawn
    return drawn + _line(102, 46, voice.say(f"count.{way}"), 30, 242) + _line(102, 78, voice.say(f"rule.{way}"), 21, 242)


def _turn_buttons(view: Sheepzzz, voice: Voice) -> str:
    """Turn the direction of play, or leave it; with who is next then, where that is known."""
    drawn = ""
    for verb, x in (("turn", 254), ("keep", 566)):
        then = view.copy()
        if verb == "turn":
            then.direction = -then.direction
        under = "" if view.terms.names_after_turn else voice.say("button.next", who=voice.name(next_player(then)))
        drawn += art.button(voice.say(f"button.{verb}"), verb, x, HEAD / 2, 300, 96, 30, under=under)
    return drawn


# The deck and the piles.


@kept(256)
def _deck(size: int, voice: Voice) -> str:
    label = voice.say("picture.deck", count=size)
    line = _line(DECK_X, PILE_Y + 152, voice.say("picture.size", count=size), 22, 160, "middle")
    if not size:
        return art.card_spot(id="deck", x=DECK_X, y=PILE_Y, size=DECK_WIDE, label=label) + line
    under = "".join(art.use("cardface", k * 4, k * 4, cls="sf-midnight") for k in range(min(3, (size - 1) // 5), 0, -1))
    return art.piece(under + art.use("cardback"), id="deck", x=DECK_X, y=PILE_Y, size=DECK_WIDE, label=label) + line


def _piles(view: Sheepzzz, voice: Voice) -> str:
    drawn, imposed = "", int(view.imposed)
    for pile in range(PILES):
        top = int(view.top[pile])
        if top == NONE:
            drawn += _no_pile(pile, view.stage == START and view.pile == pile, imposed == pile, voice)
        else:
            barred = view.stage == PLAY and imposed not in (NONE, pile)
            drawn += _pile(view.cards, pile, top, told_size(view, pile), barred, imposed == pile, voice)
    return drawn


@kept(64)
def _no_pile(pile: int, new: bool, imposed: bool, voice: Voice) -> str:
    """Where a pile was, or where one is begun now."""
    x, number = PILE_X[pile], pile + 1
    line = voice.say("pile.new", number=number) if new else voice.say("picture.gone")
    drawn = art.card_spot(id=f"pile-{number}", x=x, y=PILE_Y, size=PILE_WIDE, label=line)
    return drawn + (_imposed(x, voice) if imposed else "") + _line(x, PILE_Y + 152, line, 22, 172, "middle")


@kept(512)
def _pile(cards: Cards, pile: int, top: int, size: int, barred: bool, imposed: bool, voice: Voice) -> str:
    x, number = PILE_X[pile], pile + 1
    line = voice.say("picture.size", count=size) if size else ""
    label = pile_label(number, _card_label(cards, top, voice), size, voice)
    below = min(4, size - 1) if size else UNTOLD_BELOW
    under = "".join(art.use("cardface", k * 4, k * 3, cls="sf-card") for k in range(below, 0, -1))
    # Named by what lies on top and how much below, so that the page shows which card is new.
    card = _card_id(cards, top)
    body = under + art.piece(_face(cards, top), id=f"top-{number}-{size}-{card}", comes_from=card)
    drawn = art.piece(body, id=f"pile-{number}", x=x, y=PILE_Y, size=PILE_WIDE, label=label, classes="sf-used" if barred else "")
    drawn += _imposed(x, voice) if imposed else ""
    return drawn + art.badge(number, x=x - 56, y=PILE_Y + 144, size=38) + _line(x - 32, PILE_Y + 152, line, 22, 118)


def _imposed(x: float, voice: Voice) -> str:
    """A hand that points at the pile that must be played on, and the word."""
    words = voice.say("picture.imposed")
    body = '<rect class="sf-card" x="-88" y="-21" width="176" height="42" rx="21"/>' + _line(26, 8, words, 24, 112, "middle")
    return art.piece(body + art.use("power-name", -58, 1, 0.5), id="imposed", x=x, y=PILE_Y - 112, label=words)


def _face(cards: Cards, kind: int) -> str:
    """A card's face, without place or name."""
    if kind == cards.wolf:
        return art.wolf_card()
    number = int(cards.numbers[kind])
    return art.counting_card(number, int(cards.pillows[kind]), _power(cards, kind))


def _power(cards: Cards, kind: int) -> art.Power | None:
    power = cards.power[kind]
    return "name" if power == NAMES_NEXT else "reverse" if power == TURNS_PLAY else None


def _card_label(cards: Cards, kind: int, voice: Voice) -> str:
    name = card_name(cards, kind, voice)
    power = _power(cards, kind)
    return f"{name}, {voice.say(f'power.icon.{power}')}" if power else name


# The players, clockwise from the left, with arrows in the direction of play.


def _players(view: Sheepzzz, voice: Voice) -> str:
    seats = int(view.seats)
    wide = (SIZE - GAP * (seats + 1)) / seats
    middle = PLAYERS_Y + PLAYERS_HIGH / 2
    drawn = ""
    for gap in range(seats + 1):  # the outer ones are one gap: after the last comes the first
        drawn += art.use("needle", GAP / 2 + gap * (wide + GAP), middle, 0.42, turn=0 if view.direction == CLOCKWISE else 180)
    over = view.to_act == OVER
    for seat in range(seats):
        hand, total = int(view.hand_size[seat]), int(view.totals[seat])
        drawn += _player(
            seat, voice.name(seat), hand, told_taken(view, seat), total, view.turn == seat and not over, over and total >= ASLEEP,
            view.named == seat, view.stage == NAME and (seat == view.turn or not hand), GAP + seat * (wide + GAP), wide, voice.words,
        )  # fmt: skip
    return drawn


@kept(512)
def _player(
    seat: int, who: str, hand: int, taken: int, total: int, acts: bool, asleep: bool, named: bool, barred: bool, left: float, wide: float,
    voice: Voice,
) -> str:  # fmt: skip
    colour = COLOURS[seat]
    half, high = wide / 2, PLAYERS_HIGH / 2
    shape = f'x="{-half:g}" y="{-high:g}" width="{wide:g}" height="{2 * high:g}" rx="18"'
    body = f'<rect class="sf-{colour}-tint" {shape}/><rect class="sf-lit sf-veil" {shape}/>'
    if acts:
        body += f'<rect class="sf-draw" {shape}/>'
    name = art.shortened(who, 14, wide - 46)
    body += art.mark(colour, x=20 - half, y=24 - high, size=26) + _line(38 - half, 32 - high, name, 23, wide - 46)
    step = min(30.0, (wide - 46) / (HAND_CARDS - 1))
    body += "".join(art.use("cardback", 24 - half + step * card, 72 - high, 0.36) for card in range(hand))
    if asleep:
        body += art.use("sheep-doze", 0, 70 - high, 0.62, f"sf-{colour}") + art.use("zzz", 30, 56 - high, 0.7)
    roomy = wide > 130
    points = f"{total}/{ASLEEP}" if wide > 200 else str(total)
    body += art.use("pillow", (24 if roomy else 19) - half, high - 24, 1.25 if roomy else 1)
    body += _line((46 if roomy else 36) - half, high - 16, points, 21, wide - (96 if taken > 0 else 52))
    if taken > 0:
        body += art.use("cardback", half - 34, high - 24, 0.2, turn=90) + art.badge(taken, x=half - 20, y=high - 24, size=30)
    if named:
        body += art.use("power-name", half - 30, -high, 0.5)
    told = [] if taken == NONE else [voice.say("picture.taken", count=taken)]
    facts = [voice.say("picture.hand.size", count=hand), *told, voice.say("picture.total", count=total)]
    label = voice.say("label.player", who=who, facts=", ".join(facts))
    return art.piece(body, id=f"player-{seat + 1}", x=left + half, y=PLAYERS_Y + high, label=label, classes="sf-used" if barred else "")


# The viewer's own cards.


def _hand(view: Sheepzzz, seat: int, voice: Voice) -> str:
    if seat < 0 or view.viewer not in (seat, EVERYTHING) or view.to_act == OVER:
        return ""
    return _held(view.cards, tuple(view.count_at(HAND + seat)), voice.words)


@kept(256)
def _held(cards: Cards, counts: tuple[int, ...], voice: Voice) -> str:
    held = [(kind, count) for kind, count in enumerate(counts) if count]
    drawn = ""
    pitch = SIZE / HAND_CARDS
    left = (SIZE - pitch * len(held)) / 2
    for place, (kind, count) in enumerate(held):
        x, y = left + (place + 0.5) * pitch, HAND_HIGH / 2
        under = "".join(art.use("cardface", k * 6, -k * 6, cls="sf-angry") for k in range(count - 1, 0, -1))
        more = art.badge(count, x=38, y=-56, size=34) if count > 1 else ""
        label = _card_label(cards, kind, voice)
        drawn += art.piece(under + _face(cards, kind) + more, id=_card_id(cards, kind), x=x, y=y, size=CARD_WIDE, label=label)
    return drawn or " "


def vignette() -> str:
    """Two cards and the wolf."""
    cards = art.counting_card(4, 1, x=74, y=80, size=72) + art.counting_card(9, 2, x=160, y=74, size=72)
    return art.lawn("sz") + cards + art.wolf_card(x=246, y=80, size=72)
