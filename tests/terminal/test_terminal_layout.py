"""What fits on a terminal of 80 columns and 24 rows: the board, and choices enough to choose from."""

from __future__ import annotations

import pytest

from sheepfold.ansi import plain, width
from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game
from sheepfold.terminal.choices import SHORT, Choice, fold, pages
from sheepfold.terminal.language import game_voice
from sheepfold.terminal.layout import Sheet, Size, lay_out

NAMES = ["Anna", "Dolly", "Wilma", "Flossie", "Bella"]
SMALL = Size(80, 24)


def laid_out(game: Game, view: Position, language: str) -> Sheet:
    """The sheet of a decision, with a line of news and one under the list."""
    voice, labels = game_voice(game, language, NAMES[: view.seats]), game.labels(view)
    choices = [
        Choice(action, game.write(view, action), game.describe(view, action, voice), labels.get(action, "")) for action in view.legal()
    ]
    if not all(choice.label for choice in choices):
        choices = [choice._replace(label="") for choice in choices]
    picture = game.text_picture(view, 0, SMALL.columns, voice)
    return lay_out(game.title, picture, ["Dolly has played."], "older", "cut", game.prompt(view, voice), 1, choices, SMALL)


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_a_page_has_many_choices(game: Game, language: str) -> None:
    for seats in {game.seats[0], game.seats[-1]}:
        position, dice = game.setup(seats).start(), Dice("page")
        for _ in range(80):
            if position.to_act == OVER:
                break
            if position.to_act == 0:
                sheet = laid_out(game, position.seen_by(0), language)
                first = sheet.pages[0]
                assert first.entries >= min(8, len(sheet.entries)), "\n".join([*sheet.top, *first.lines])
                assert len(sheet.top) + len(first.lines) + 1 <= SMALL.rows - 1
                assert all(width(line) <= SMALL.columns for page in sheet.pages for line in page.lines)
            position.apply(position.random_action(dice))


def test_in_short_a_choice_is_its_notation_and_its_points() -> None:
    choices = [Choice(0, "slam b1 n 2", "blue b1 rams two sheep to the north (+4 points)"), Choice(1, "slam b1 e 1", "blue b1 rams one")]
    (page,) = pages(fold(choices, 2), 80, 1, SHORT)
    assert [plain(line) for line in page.lines] == ["  1  slam b1 n 2 +4     2  slam b1 e 1"]
