"""Te Kuiti: two rounds of Shepherd against Sheep with the roles swapped, or the solo game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sheepfold.core.errors import UnreadableAction
from sheepfold.core.position import Position
from sheepfold.core.sequential import unwrapped
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game, Option, Passage, Setup, tidy
from sheepfold.game.moments import Moment
from sheepfold.games.te_kuiti import moments, narration, notation, outline, reasons, svg_board, text_board
from sheepfold.games.te_kuiti.components import Box, read_box
from sheepfold.games.te_kuiti.evaluator import EVALUATOR
from sheepfold.games.te_kuiti.rules import CELLS, DONE, IDLE_TURNS, LATE_FIELD, LOOKING, TAKE, TURN, TeKuiti, Terms
from sheepfold.games.te_kuiti.what_ifs import WHAT_IFS
from sheepfold.messages import Voice


class TeKuitiGame(Game):
    """Te Kuiti by William Baldwin and James Harmon (Ludically)."""

    name = "te-kuiti"
    title = "Te Kuiti"
    seats = (1, 2)
    minutes = (10, 20)
    tags = ("memory", "pairs", "enclosure", "asymmetric", "solo")
    feel = {"luck": 1, "memory": 3, "mischief": 1}
    options = (
        Option("memory-aid", False),
        Option("first-shepherd", "drawn", ("drawn", 1, 2), seats=(2,), names_seat=True),
        Option("late-field-stays", False, seats=(2,)),
        Option("flowers", "printed", ("printed", 0, 1, 2, 3, 4), seats=(1,)),
    )
    shelf = 3
    folder = Path(__file__).parent
    evaluator = EVALUATOR
    what_ifs = WHAT_IFS
    drawings = svg_board.DRAWINGS
    what_if_seats = 1
    solo_goal = CELLS

    def phase(self, position: Position) -> int:
        """The round; the solo game is one alone."""
        at = _game(position)
        return int(at.round) + 1 if at.seats > 1 else 0

    def read_components(self, path: Source) -> Box:
        return read_box(path)

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        box: Box = setup.components
        return {**box.named(_flowers(setup)), "late": LATE_FIELD, "idle": IDLE_TURNS}

    def start(self, setup: Setup) -> Position:
        box: Box = setup.components
        options = setup.options
        first = options["first-shepherd"]
        tiles = box.counts(solo=setup.seats == 1, flowers=_flowers(setup))
        return TeKuiti(
            Terms(
                setup.seats,
                tiles,
                box.fences,
                -1 if first == "drawn" else int(first) - 1,
                bool(options["late-field-stays"]),
                bool(options["memory-aid"]),
            )
        )

    def tests_memory(self, setup: Setup) -> bool:
        return not setup.options["memory-aid"]

    def shows(self, action: int) -> bool:
        return TURN <= action < TAKE or action == DONE

    def write(self, view: Position, action: int) -> str:
        return notation.write(action)

    def read(self, view: Position, text: str, seat: int | None = None) -> int:
        wanted = notation.canonical(_game(view), tidy(text))
        if reason := notation.why_not(_game(view), wanted):
            raise UnreadableAction(f"{text.strip()!r} is not possible here: {notation.REASONS[reason]}", f"bad.{reason}", text=text.strip())
        return super().read(view, wanted, seat)

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return text_board.text_picture(_game(view), width, voice or Voice([self.folder / "locale"]))

    def vignette(self) -> str:
        return svg_board.vignette()

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        return svg_board.picture(_game(view), seat, theme, voice or Voice([self.folder / "locale"]))

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        return outline.outline(_game(view), voice)

    def targets(self, view: Position, action: int) -> list[str]:
        return svg_board.targets(_game(view), action)

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        return svg_board.refusals(_game(view), voice)

    def passing(self, before: Position, action: int, after: Position) -> str:
        return svg_board.passing(_game(before), action, _game(after))

    def lies_open(self, view: Position) -> bool:
        return bool(_game(view).stage == LOOKING and _game(view).up)

    def rule(self, view: Position) -> str:
        return narration.rule(_game(view))

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        return svg_board.window(name)

    def prompt(self, view: Position, voice: Voice) -> str:
        return narration.prompt(_game(view), voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return narration.describe(_game(view), action, voice)

    def gain(self, view: Position, action: int) -> int | None:
        return narration.gain(_game(view), action)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        return reasons.reason(_game(view), action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        return narration.tell(_game(before), action, _game(after), voice)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        return moments.moment(_game(before), action, _game(after), voice)


def _flowers(setup: Setup) -> int | None:
    """How many tiles of each mood have a flower by the option; None for as many as are printed."""
    flowers = setup.options["flowers"]
    return None if flowers == "printed" else int(flowers)


def _game(view: Position) -> TeKuiti:
    position = unwrapped(view)
    assert isinstance(position, TeKuiti)
    return position


GAME = TeKuitiGame()
