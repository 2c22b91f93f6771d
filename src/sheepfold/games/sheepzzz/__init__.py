"""Sheepzzz (Hurrican, 2013): two to five shepherds count sheep on three piles and try not to collect pillows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sheepfold.core.errors import BadComponents
from sheepfold.core.position import Position
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game, Option, Passage, Setup
from sheepfold.game.moments import Moment
from sheepfold.games.sheepzzz import moments, narration, notation, outline, reasons, svg_board, text_board
from sheepfold.games.sheepzzz.components import Components, read_components, sheep_needed, too_few
from sheepfold.games.sheepzzz.evaluator import EVALUATOR
from sheepfold.games.sheepzzz.rules import ASLEEP, CARD, JUMP, KEEP, MOST_ROUNDS, NEXT, NONE, TAKE, TURN, Sheepzzz, Terms
from sheepfold.games.sheepzzz.what_ifs import WHAT_IFS
from sheepfold.messages import Voice


class SheepzzzGame(Game):
    """What the position does not know of Sheepzzz."""

    name = "sheepzzz"
    title = "Sheepzzz"
    seats = (2, 3, 4, 5)
    minutes = (15, 30)
    tags = ("cards", "hidden hands", "luck", "family")
    feel = {"luck": 2, "thought": 1, "mischief": 2}
    options = (
        Option("first-starter", "drawn", ("drawn", 1, 2, 3, 4, 5), names_seat=True),
        Option("memory-game", False),
        Option("reverse-names-player", False),
        Option("first-out-ends", False),
    )
    secrets = True
    shelf = 4
    folder = Path(__file__).parent
    evaluator = EVALUATOR
    what_ifs = WHAT_IFS
    drawings = svg_board.DRAWINGS
    same_components = {"c8c8d357": ("b7dd7be1",)}  # before numbers and powers stood in the file

    def earned(self, position: Position) -> list[float]:
        """Pillows count against, those just taken too."""
        at = _sheepzzz(position)
        return [-float(total) - float(at.taken_pillows(seat)) for seat, total in enumerate(at.totals)]

    def phase(self, position: Position) -> int:
        """The round."""
        return int(_sheepzzz(position).rounds) + 1

    def kind(self, view: Position, action: int) -> str:
        """A sheep is a card, whatever its number; the wolf is himself."""
        first = super().kind(view, action)
        return "card" if first[0].isdigit() else first

    def read_components(self, path: Source) -> Components:
        return read_components(path)

    def setup(self, seats: int | None = None, component_file: Source | None = None, **options: object) -> Setup:
        """A small deck is for few players."""
        setup = super().setup(seats, component_file, **options)
        if setup.components.sheep < sheep_needed(setup.seats):
            raise BadComponents(f"{setup.own_file}: deck.sheep: {too_few(setup.seats)}")
        return setup

    def help_values(self, setup: Setup) -> Mapping[str, object]:
        components: Components = setup.components
        return {**components.named(), "asleep": ASLEEP, "jump": JUMP, "rounds": MOST_ROUNDS}

    def start(self, setup: Setup) -> Sheepzzz:
        options = setup.options
        first = options["first-starter"]
        terms = Terms(
            bool(options["reverse-names-player"]),
            bool(options["first-out-ends"]),
            NONE if first == "drawn" else int(first) - 1,
            bool(options["memory-game"]),
        )
        return Sheepzzz(setup.components.cards, setup.seats, terms)

    def tests_memory(self, setup: Setup) -> bool:
        return bool(setup.options["memory-game"])

    def shows(self, action: int) -> bool:
        """Who takes back a card or a taking sees again what it had covered."""
        return TAKE <= action < NEXT or action >= CARD

    def foregone(self, view: Position) -> int | None:
        """With one other player who has cards, play goes on to them whichever way round it goes, for the rest of the round."""
        at = _sheepzzz(view)
        return int(KEEP) if at.stage == TURN and narration.others_with_cards(at) == 1 else None

    def write(self, view: Position, action: int) -> str:
        return notation.write(_sheepzzz(view), action)

    def read(self, view: Position, text: str, seat: int | None = None) -> int:
        wanted = notation.fill_in_pillows(_sheepzzz(view), text)
        return super().read(view, wanted, seat)

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return text_board.text_picture(_sheepzzz(view), seat, width, voice or Voice([self.folder / "locale"]))

    def vignette(self) -> str:
        return svg_board.vignette()

    def picture(self, view: Position, seat: int, theme: str = "auto", voice: Voice | None = None) -> str:
        return svg_board.picture(_sheepzzz(view), seat, theme, voice or Voice([self.folder / "locale"]))

    def outline(self, view: Position, seat: int, voice: Voice) -> list[Passage]:
        return outline.outline(_sheepzzz(view), seat, voice)

    def targets(self, view: Position, action: int) -> list[str]:
        return svg_board.targets(_sheepzzz(view), action)

    def refusals(self, view: Position, voice: Voice) -> dict[str, str]:
        return svg_board.refusals(_sheepzzz(view), voice)

    def rule(self, view: Position) -> str:
        return narration.rule(_sheepzzz(view))

    def window(self, view: Position, name: str) -> tuple[float, float, float, float] | None:
        return svg_board.window(name)

    def prompt(self, view: Position, voice: Voice) -> str:
        return narration.prompt(_sheepzzz(view), voice)

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return narration.describe(_sheepzzz(view), action, voice)

    def reason(self, view: Position, action: int, voice: Voice) -> str:
        return reasons.reason(_sheepzzz(view), action, voice)

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        return narration.tell(_sheepzzz(before), action, _sheepzzz(after), voice)

    def moment(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> Moment | None:
        return moments.moment(_sheepzzz(before), action, _sheepzzz(after), voice)


def _sheepzzz(view: Position) -> Sheepzzz:
    if not isinstance(view, Sheepzzz):
        raise TypeError(f"a position of Sheepzzz is wanted, not {type(view).__name__}")
    return view


GAME = SheepzzzGame()
