"""Haste Bock?: two to four shepherds, nine sheep on a bounded pasture, and a timer that the players move themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheepfold.core.position import Position
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game, Option, Passage, Setup
from sheepfold.game.moments import Moment
from sheepfold.games.haste_bock import moments, narration, notation, outline, reasons, svg_board, text_board
from sheepfold.games.haste_bock.components import Components, read_components
from sheepfold.games.haste_bock.drawing import draw
from sheepfold.games.haste_bock.evaluator import EVALUATOR
from sheepfold.games.haste_bock.rules import HasteBock
from sheepfold.games.haste_bock.what_ifs import WHAT_IFS
from sheepfold.messages import Voice


class HasteBockGame(Game):
    """What the rules do not know: options, notation, pictures and words."""

    name = "haste-bock"
    title = "Haste Bock?"
    seats = (2, 3, 4)
    minutes = (30, 45)
    tags = ("sheep", "board", "open information", "dice")
    feel = {"luck": 1, "thought": 2, "mischief": 3}
    options = (Option("neutral-rows", True), Option("first-seat-begins", False))
    shelf = 1
    folder = Path(__file__).parent
    evaluator = EVALUATOR
    what_ifs = WHAT_IFS
    drawings = svg_board.DRAWINGS

    def phase(self, position: Position) -> int:
        at = haste_bock(position)
        return max(1, int(at.track.phase[at.timer]))

    def read_components(self, path: Source) -> Components:
        return read_components(path)

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        pieces: Components = setup.components
        return pieces.named()

    def start(self, setup: Setup) -> HasteBock:
        pieces: Components = setup.components
        neutral_rows, first_seat_begins = bool(setup.options["neutral-rows"]), bool(setup.options["first-seat-begins"])
        return HasteBock(setup.seats, list(pieces.cards), pieces.track, neutral_rows, first_seat_begins)

    def write(self, view: Position, action: int) -> str:
        return notation.write(haste_bock(view), action)

    def aliases(self, view: Position, action: int) -> Sequence[str]:
        return notation.aliases(haste_bock(view), action)

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return text_board.text_picture(haste_bock(view), seat, width, voice or Voice([self.folder / "locale"]))

    def vignette(self) -> str:
        return svg_board.vignette()

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        return svg_board.picture(haste_bock(view), seat, theme, voice or Voice([self.folder / "locale"]))

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        return outline.outline(haste_bock(view), seat, voice)

    def targets(self, view: Position, action: int) -> list[str]:
        return svg_board.targets(haste_bock(view), action)

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        return svg_board.refusals(haste_bock(view), voice)

    def rule(self, view: Position) -> str:
        return narration.rule(haste_bock(view))

    def from_drawing(self, setup: Setup, drawing: Sequence[str], facts: Mapping[str, str]) -> HasteBock:
        return draw(self.start(setup), drawing, facts)

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        return svg_board.window(name)

    def prompt(self, view: Position, voice: Voice) -> str:
        return narration.prompt(haste_bock(view), voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return narration.describe(haste_bock(view), action, voice)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        return reasons.reason(haste_bock(view), action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        return narration.tell(haste_bock(before), action, haste_bock(after), voice)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        return moments.moment(haste_bock(before), haste_bock(after), voice)


def haste_bock(view: Position) -> HasteBock:
    """The view as what it is."""
    assert isinstance(view, HasteBock)
    return view


GAME = HasteBockGame()
