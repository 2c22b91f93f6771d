"""What the toy games share: a Game round a Position class, so that a fault is one override of the one or the other."""

from __future__ import annotations

from pathlib import Path

from sheepfold.core.position import CHANCE, HIDDEN, OVER, Position
from sheepfold.game.component_file import ComponentFile
from sheepfold.game.game import Game, Option, Setup
from sheepfold.messages import Voice


class ToyGame(Game):
    title = "Toy"
    seats = (2, 3)
    minutes = (1, 2)
    options = (Option("short", False),)
    folder = Path(__file__).parent

    def __init__(self, name: str, position: type[Position], secrets: bool = False, **arguments: object) -> None:
        self.name = name
        self.position = position
        self.secrets = secrets
        self.arguments = arguments

    def read_components(self, path: str | Path) -> ComponentFile:
        file = ComponentFile(path, ["pieces"])
        file.tufts = file.whole("pieces.tufts", 4, 40)
        return file

    def start(self, setup: Setup) -> Position:
        return self.position(setup.seats, setup.components.tufts - 3 * bool(setup.options["short"]), **self.arguments)

    def write(self, view: Position, action: int) -> str:
        return f"{'draw' if view.to_act == CHANCE else 'take'} {action}"

    def text_picture(self, view: Position, seat: int, width: int = 80, voice: Voice | None = None) -> str:
        return view.picture()

    def prompt(self, view: Position, voice: Voice) -> str:
        if view.to_act == OVER:
            return voice.say("prompt.over")
        return voice.say("prompt.chance") if view.to_act == CHANCE else voice.say("prompt.choose", who=voice.name(view.to_act))

    def describe(self, view: Position, action: int, voice: Voice) -> str:
        return voice.say("describe", action=self.write(view, action))

    def tell(self, before: Position, action: int, after: Position, voice: Voice, seat: int | None = None) -> list[str]:
        who = voice.name(before.to_act if seat is None else seat)
        return [voice.say("tell.hidden", who=who) if action == HIDDEN else voice.say("tell", who=who, action=action)]
