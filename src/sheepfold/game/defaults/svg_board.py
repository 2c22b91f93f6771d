"""The default picture for the page: the players as a small flock, the game's outline on cards, its grids on a meadow, and the choices.

A choice is a button, `choice-7` by its action. Of many choices those that begin alike are one button first (`choices-lay_3`) and then one
each, as a terminal folds them; where that does not help either, they have no button, and the page lists them below the board. What only the
viewer sees lies with the choices in the part `hand`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from sheepfold import art
from sheepfold.art import pen
from sheepfold.art.svg import path
from sheepfold.core.position import OVER, Position
from sheepfold.game.defaults.narration import own_passages, prompt
from sheepfold.game.game import Passage
from sheepfold.messages import Voice

if TYPE_CHECKING:
    from sheepfold.game.game import Game

SIZE = 720.0
"""How wide the picture is; a phone shows it at half that."""
GAP = 14.0
PAD = 22.0
TITLE, LINE, PITCH = 21.0, 25.0, 35.0
CELL = 92.0
BUTTON, BUTTON_TEXT = 80.0, 25.0
FEW = 16
"""So many buttons can be taken in at once."""
MOST = 120
"""Of more choices nobody wants buttons."""
CHOICE, FOLD = "choice-", "choices-"


# What to tap.


def targets(game: Game, view: Position, action: int) -> list[str]:
    """The button of the action, after the button of those that begin like it where there are many."""
    texts = {each: game.write(view, each) for each in open_actions(view)}
    if action not in texts:
        return []
    fold = _folding(tuple(texts.values())) if len(texts) > FEW else 0
    if fold is None:
        return []
    start = _start(texts[action], fold)
    alike = fold and sum(_start(text, fold) == start for text in texts.values()) > 1
    return [f"{FOLD}{start.replace(' ', '_')}", f"{CHOICE}{action}"] if alike else [f"{CHOICE}{action}"]


def open_actions(view: Position) -> list[int]:
    """What the viewer may do now, in turn or out of it; nothing where that is nobody's view."""
    if view.viewer < 0:
        return []
    return view.legal() if view.viewer == view.to_act else view.interruptions(view.viewer)


def _start(text: str, words: int) -> str:
    return " ".join(text.split()[:words])


def _folding(texts: Sequence[str]) -> int | None:
    """By how many leading words the choices are folded, so that neither the folds nor what is in one of them is too much; None: by none."""
    if len(texts) > MOST:
        return None
    for words in range(1, max(len(text.split()) for text in texts)):
        starts = [_start(text, words) for text in texts]
        folds = set(starts)
        if 1 < len(folds) <= FEW and max(starts.count(fold) for fold in folds) <= FEW:
            return words
    return None


# The picture.


def picture(game: Game, view: Position, seat: int, theme: str, voice: Voice) -> str:
    """The view; its choices are there for who may act now."""
    look = cast(art.Theme, theme)
    public, own = own_passages(game, view, seat, voice)
    sheet = Sheet(voice, game.colours, int(view.seats))
    body = sheet.players(view)
    body += sheet.passages(public)
    bottom = sheet.bottom
    hand = Sheet(voice, game.colours, int(view.seats), len(public))
    drawn = hand.passages(own) + (hand.choices(game, view) if seat == view.viewer else "")
    if drawn:
        body += art.part("hand", bottom, SIZE, hand.bottom, drawn, look)
        bottom += hand.bottom
    return art.document(SIZE, bottom, body, game.title, prompt(view, voice), theme=look)


class Block(NamedTuple):
    """A passage as it is drawn, its own corner at 0, 0."""

    body: str
    high: float


class Sheet:
    """A column of drawings, each below the one before."""

    def __init__(self, voice: Voice, colours: Sequence[str], seats: int, before: int = 0) -> None:
        self.voice = voice
        self.marks = {voice.name(seat): colours[seat % len(colours)] for seat in range(seats)} if colours else {}
        """The colour of each player's name, for lines that begin with it."""
        self.bottom = 0.0
        self.count = before
        """How many passages are drawn, for their ids."""

    # The players.

    def players(self, view: Position) -> str:
        """A sheep each, with name and points; round who is to play, or has won, there is a line."""
        seats = int(view.seats)
        stacked = seats > 3
        wide, high = (SIZE - 4 - GAP * (seats - 1)) / seats, 132.0 if stacked else 96.0
        best = view.ranks() if view.to_act == OVER else []
        drawn = ""
        for seat, score in enumerate(view.scores()):
            name = self.voice.name(seat)
            points = self.voice.say("points", count=int(score))
            colour = cast(art.Colour, self.marks.get(name, "white"))
            marked = best[seat] == 1 if best else seat == view.to_act
            box = f'x="{-wide / 2:g}" y="{-high / 2:g}" width="{wide:g}" height="{high:g}" rx="20"'
            body = f'<rect class="sf-{colour}-tint" {box}/>' + (f'<rect class="sf-draw" {box}/>' if marked else "")
            if stacked:
                body += art.sheep(colour, "s", y=-28, size=66)
                body += _line(0, 28, name, 22, wide - 16, "middle") + _line(0, 54, points, 20, wide - 16, "middle")
            else:
                body += art.sheep(colour, "s", x=48 - wide / 2, y=2, size=74)
                body += _line(94 - wide / 2, -4, name, 26, wide - 106) + _line(94 - wide / 2, 28, points, 22, wide - 106)
            x = 2 + wide / 2 + seat * (wide + GAP)
            drawn += art.piece(body, id=f"player-{seat + 1}", x=x, y=high / 2 + 2, label=f"{name}: {points}")
        self.bottom += high + GAP + 4
        return drawn

    # Passages: two narrow ones side by side.

    def passages(self, passages: Sequence[Passage]) -> str:
        """Each on a card."""
        drawn, waiting = "", list(passages)
        while waiting:
            half = (SIZE - GAP) / 2
            two = len(waiting) > 1 and all(_narrow(passage, half) for passage in waiting[:2])
            row, waiting = (waiting[:2], waiting[2:]) if two else (waiting[:1], waiting[1:])
            wide = half if two else SIZE
            blocks = [self._block(passage, wide) for passage in row]
            high = max(block.high for block in blocks)
            for place, (passage, block) in enumerate(zip(row, blocks, strict=True)):
                number = self.count - len(row) + place + 1
                card = path("sf-card", pen.box(f"passage{number}", 2, 2, wide - 4, high - 4, 18, 2))
                drawn += art.piece(card + block.body, id=f"passage-{number}", x=place * (wide + GAP), y=self.bottom, label=passage.title)
            self.bottom += high + GAP
        return drawn

    def _block(self, passage: Passage, wide: float) -> Block:
        self.count += 1
        room, y = wide - 2 * PAD, PAD + TITLE - 4
        body = _line(PAD, y, passage.title, TITLE, room, soft=True)
        for line in passage.lines:
            colour = next((colour for name, colour in self.marks.items() if line.startswith((f"{name}:", f"{name} "))), None)
            left = PAD + 32 if colour else PAD
            if colour:
                body += art.mark(cast(art.Colour, colour), x=PAD + 12, y=y + PITCH - 7, size=25)
            for part in _wrapped(line, wide - PAD - left):
                y += PITCH
                body += _line(left, y, part, LINE, wide - PAD - left)
        if passage.rows:
            grid = self._grid(passage, wide, y + 14)
            return Block(body + grid.body, grid.high)
        return Block(body, y + PAD)

    def _grid(self, passage: Passage, wide: float, top: float) -> Block:
        heads = max(_wide(row[0], 20) for row in passage.rows)
        head = heads + 12 if heads else 0.0
        across = len(passage.columns)
        cell = min(CELL, (wide - 2 * PAD - head) / max(1, across))
        high = min(cell, 72.0)
        names = 28.0 if any(passage.columns) else 0.0
        left = PAD + head + (wide - 2 * PAD - head - cell * across) / 2
        ground = art.meadow(left - 8, top + names - 2, cell * across + 16, high * len(passage.rows) + 14, f"grid{self.count}", 6)
        body = ground
        for column, name in enumerate(passage.columns):
            body += _line(left + (column + 0.5) * cell, top + 18, name, 20, cell - 4, "middle", soft=True)
        for row, (name, *cells) in enumerate(passage.rows):
            y = top + names + 5 + (row + 0.5) * high
            body += _line(left - 14, y + 7, name, 20, head, "end", soft=True) if name else ""
            for column, words in enumerate(cells):
                said = ", ".join(filter(None, (name, passage.columns[column])))
                label = f"{said}: {words or self.voice.say('outline.none')}"
                box = f'x="{3 - cell / 2:g}" y="{3 - high / 2:g}" width="{cell - 6:g}" height="{high - 6:g}" rx="12"'
                drawn = f'<rect class="{"sf-card" if words else "sf-mown-flat"}" {box}/><rect class="sf-lit sf-veil" {box}/>'
                drawn += _line(0, 9, words, 26, cell - 14, "middle") if words else ""
                body += art.piece(drawn, id=f"cell-{self.count}-{row + 1}-{column + 1}", x=left + (column + 0.5) * cell, y=y, label=label)
        return Block(body, top + names + high * len(passage.rows) + PAD + 4)

    # Choices.

    def choices(self, game: Game, view: Position) -> str:
        """The buttons that `targets` names: folds and single ones, then what is in the fold that was tapped, each in the same place."""
        first: dict[str, str] = {}
        within: dict[str, dict[str, str]] = {}
        for action in open_actions(view):
            taps = [name for name in game.targets(view, action) if name.startswith((CHOICE, FOLD))]
            words = game.describe(view, action, self.voice).removesuffix(".")
            if len(taps) == 1:
                first[taps[0]] = words
            elif taps:
                first[taps[0]] = f"{taps[0].removeprefix(FOLD).replace('_', ' ')} …"
                within.setdefault(taps[0], {})[taps[1]] = words
        if not first:
            return ""
        drawn, self.bottom = _buttons(first, self.bottom, "")
        below = [_buttons(fold, self.bottom + 6, "sf-soon") for fold in within.values()]
        self.bottom = max([self.bottom, *(bottom for _, bottom in below)])
        return drawn + "".join(body for body, _ in below)


def _buttons(named: dict[str, str], top: float, classes: str) -> tuple[str, float]:
    """Buttons in as many columns as their words allow, and where they end. The estimate of their width is generous."""
    needed = 0.9 * max(_wide(words, BUTTON_TEXT) for words in named.values()) + 24
    across = max(1, min(4, len(named), int((SIZE + GAP) // (needed + GAP))))
    wide = (SIZE - GAP * (across - 1)) / across
    pitch = BUTTON + GAP
    size = min(art.fitting(words, BUTTON_TEXT, wide - 30) for words in named.values())
    drawn = ""
    for place, (name, words) in enumerate(named.items()):
        x, y = wide / 2 + place % across * (wide + GAP), top + BUTTON / 2 + place // across * pitch + 3
        drawn += art.button(words, name, x, y, wide - 6, BUTTON, size, classes)
    return drawn, top + -(-len(named) // across) * pitch


# Text that fits.


def _line(x: float, y: float, words: str, size: float, room: float, anchor: str = "start", soft: bool = False) -> str:
    """Text that gets smaller where it would not fit, and is cut where it would be too small to read."""
    kept = art.shortened(words, 14, room)
    return art.text(x, y, kept, art.fitting(kept, size, room), anchor, soft=soft)


def _wide(words: str, size: float) -> float:
    """How much room a text takes."""
    return size / art.fitting(words, 1000, 1) if words else 0.0


def _wrapped(words: str, room: float) -> Iterable[str]:
    """The text in lines that fit."""
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and _wide(longer, LINE) > room:
            yield line
            longer = word
        line = longer
    yield line


def _narrow(passage: Passage, wide: float) -> bool:
    return not passage.rows and all(_wide(line, LINE) <= wide - 2 * PAD - 32 for line in passage.lines)
