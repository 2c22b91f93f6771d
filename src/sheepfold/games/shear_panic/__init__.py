"""Shear Panic: two to four players, nine sheep in one flock on an open plain, four fields, and dice for those who panic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheepfold.core.position import Position
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game, Option, Passage, Setup
from sheepfold.game.moments import Moment
from sheepfold.games.shear_panic import moments, narration, notation, outline, reasons, svg_board, text_board
from sheepfold.games.shear_panic.components import Components, read_components
from sheepfold.games.shear_panic.drawing import draw
from sheepfold.games.shear_panic.evaluator import EVALUATOR
from sheepfold.games.shear_panic.rules import Readings, ShearPanic
from sheepfold.games.shear_panic.what_ifs import WHAT_IFS
from sheepfold.messages import Voice


class ShearPanicGame(Game):
    """What the rules do not know: options, notation, pictures and words."""

    name = "shear-panic"
    title = "Shear Panic"
    seats = (2, 3, 4)
    minutes = (30, 60)
    tags = ("sheep", "open plain", "open information", "dice")
    feel = {"luck": 1, "thought": 2, "mischief": 3}
    options = (
        Option("first-seat-begins", False),
        Option("drawn-start", False),
        Option("any-corner", False),
        Option("stray-is-enough", False),
        Option("roll-may-leave", True),
        Option("ban-by-facing", False),
    )
    first_readings = {"drawn-start": True, "any-corner": True, "stray-is-enough": True}
    shelf = 2
    folder = Path(__file__).parent
    evaluator = EVALUATOR
    what_ifs = WHAT_IFS
    drawings = svg_board.DRAWINGS

    def phase(self, position: Position) -> int:
        at = shear_panic(position)
        return max(1, int(at.printed.track.phase[at.counter]))

    def phase_name(self, phase: int, voice: Voice) -> str:
        return voice.say(f"field.{phase}")

    def read_components(self, path: Source) -> Components:
        return read_components(path)

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        components: Components = setup.components
        return components.named()

    def start(self, setup: Setup) -> ShearPanic:
        components: Components = setup.components
        chosen = {name: bool(value) for name, value in setup.options.items()}
        readings = Readings(chosen["any-corner"], chosen["stray-is-enough"], chosen["roll-may-leave"], chosen["ban-by-facing"])
        return ShearPanic(setup.seats, components.printed[setup.seats], chosen["first-seat-begins"], chosen["drawn-start"], readings)

    def write(self, view: Position, action: int) -> str:
        return notation.write(shear_panic(view), action)

    def aliases(self, view: Position, action: int) -> Sequence[str]:
        return notation.aliases(shear_panic(view), action)

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return text_board.text_picture(shear_panic(view), seat, width, voice or Voice([self.folder / "locale"]))

    def vignette(self) -> str:
        return svg_board.vignette()

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        return svg_board.picture(shear_panic(view), seat, theme, voice or Voice([self.folder / "locale"]))

    def passing(self, before: Position, action: int, after: Position) -> str:
        return svg_board.passing(shear_panic(before), shear_panic(after))

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        return outline.outline(shear_panic(view), seat, voice)

    def targets(self, view: Position, action: int) -> list[str]:
        return svg_board.targets(shear_panic(view), action)

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        return svg_board.refusals(shear_panic(view), voice)

    def rule(self, view: Position) -> str:
        return narration.rule(shear_panic(view))

    def from_drawing(self, setup: Setup, drawing: Sequence[str], facts: Mapping[str, str]) -> ShearPanic:
        return draw(self.start(setup), drawing, facts)

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        return svg_board.window(shear_panic(view), name)

    def prompt(self, view: Position, voice: Voice) -> str:
        return narration.prompt(shear_panic(view), voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return narration.describe(shear_panic(view), action, voice)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        return reasons.reason(shear_panic(view), action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        return narration.tell(shear_panic(before), action, shear_panic(after), voice)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        return moments.moment(shear_panic(before), shear_panic(after), voice)


def shear_panic(view: Position) -> ShearPanic:
    """The view as what it is."""
    assert isinstance(view, ShearPanic)
    return view


GAME = ShearPanicGame()
