"""La Guerre des Moutons (Philippe des Pallières, Asmodée): secret colours, double-sided landscapes, wolves and hunters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheepfold.core.position import Position
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game, Option, Passage, Setup
from sheepfold.game.moments import Moment
from sheepfold.games.guerre_des_moutons import moments, narration, notation, outline, reasons, standing, svg_board, text_board
from sheepfold.games.guerre_des_moutons.components import Components
from sheepfold.games.guerre_des_moutons.evaluator import EVALUATOR
from sheepfold.games.guerre_des_moutons.notation import guerre
from sheepfold.games.guerre_des_moutons.rules import BONUS, NOBODY, GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.what_ifs import WHAT_IFS
from sheepfold.messages import Voice


class LaGuerreDesMoutons(Game):
    """Two to four shepherds, each with a secret colour."""

    name = "guerre-des-moutons"
    title = "La Guerre des Moutons"
    seats = (2, 3, 4)
    minutes = (30, 45)
    tags = ("tiles", "hidden-information", "interruptions")
    feel = {"thought": 3, "mischief": 3, "secrets": 3}
    options = (
        Option("two-colours", False, seats=(2,)),
        Option("last-gets-no-bonus", False),
        Option("empty-hand-is-out", False),
        Option("first-player", 1, (1, 2, 3, 4, "drawn"), names_seat=True),
    )
    first_readings = {"empty-hand-is-out": True}
    secrets = True
    colours = ()  # secret, so no mark may stand for a seat
    shelf = 5
    folder = Path(__file__).parent
    evaluator = EVALUATOR
    what_ifs = WHAT_IFS
    drawings = svg_board.DRAWINGS
    standing_answers = (standing.HUNTER,)

    def kind(self, view: Position, action: int) -> str:
        """A landscape is a tile, whatever its sides; of a wolf or hunter the colour behind it does not matter."""
        first = super().kind(view, action)
        return "tile" if re.match("[vfkyrb]{4}", first) else re.sub("^(wolf|hunter)-.*", r"\1", first)

    def read_components(self, path: Source) -> Components:
        return Components(path)

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        components: Components = setup.components
        return {**components.named(), **{f"bonus-{place}": points for place, points in enumerate(BONUS, start=1)}}

    def start(self, setup: Setup) -> Position:
        chosen = setup.options
        return GuerreDesMoutons(
            setup.components.tiles,
            setup.seats,
            two_colours=chosen["two-colours"] is True,
            last_gets_no_bonus=chosen["last-gets-no-bonus"] is True,
            empty_hand_is_out=chosen["empty-hand-is-out"] is True,
            first=NOBODY if chosen["first-player"] == "drawn" else int(chosen["first-player"]) - 1,
        )

    def standing_answer(self, view: Position, seat: int, name: str) -> list[int] | None:
        return standing.lay_hunter(guerre(view), seat)

    def open_colours(self, view: Position) -> tuple[str | None, ...]:
        return svg_board.colours_of(guerre(view))

    def write(self, view: Position, action: int) -> str:
        return notation.write(guerre(view), action)

    def read(self, view: Position, text: str, seat: int | None = None) -> int:
        numbered = notation.read_number(guerre(view), text)
        return super().read(view, text, seat) if numbered is None else numbered

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return text_board.text_picture(guerre(view), seat, width, voice or Voice((self.folder / "locale",)))

    def text_excerpt(self, view: Position, seat: int, width: int, height: int, voice: Voice, listed: Sequence[int] = ()) -> str:
        return text_board.excerpt(guerre(view), seat, width, height, voice, listed)

    def vignette(self) -> str:
        return svg_board.vignette()

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        return svg_board.picture(guerre(view), seat, theme, voice or Voice((self.folder / "locale",)))

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        return outline.outline(guerre(view), seat, voice)

    def targets(self, view: Position, action: int) -> list[str]:
        return svg_board.targets(guerre(view), action)

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        return svg_board.refusals(guerre(view), voice)

    def labels(self, view: Position) -> dict[int, str]:
        return notation.labels(guerre(view))

    def rule(self, view: Position) -> str:
        return narration.rule(guerre(view))

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        return svg_board.window(guerre(view), name)

    def prompt(self, view: Position, voice: Voice) -> str:
        return narration.prompt(guerre(view), voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return narration.describe(guerre(view), action, voice)

    def gain(self, view: Position, action: int) -> int | None:
        return narration.gain(guerre(view), action)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        return reasons.reason(guerre(view), action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        return narration.tell(guerre(before), action, guerre(after), voice, seat)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        return moments.moment(guerre(before), guerre(after), voice)


GAME = LaGuerreDesMoutons()
