"""What is expected is said to who is to act in the second person, and told to everybody else of them by name, in every language."""

from __future__ import annotations

import re

import pytest

from sheepfold.core.position import SPECTATOR
from sheepfold.game.conformance.lines import Case, play
from sheepfold.game.game import Game
from sheepfold.game.registry import every_game
from sheepfold.messages import OFFERED, Voice

NAMES = ["Anouk", "Bertil", "Cosima", "Dagobert", "Emmo", "Fridolin"]
ADDRESSED = {
    "en": r"\b(you|yours?)\b|^(choose|place|take|turn|play|lay|push|ram|step|leap)\b",
    "fr": r"\b(vous|votre|vos|à vous)\b|\w{2,}ez\b",
    "de": r"\b(du|dir|dich|dein\w*)\b|^(wähle|setze|nimm|decke|spiel|lege|schieb|ramme|dreh|geh)\b",
}
"""Words by which a reader is spoken to."""
NOT_SPOKEN_TO = re.compile(r"\b(assez|chez|nez)\b")


@pytest.mark.parametrize("language", OFFERED)
@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_only_who_is_to_act_is_spoken_to(game: Game, language: str) -> None:
    seen: set[str] = set()
    for seats in game.seats:
        voice = Voice([game.folder / "locale"], language, NAMES[:seats])
        for position in play(Case(game.setup(seats)), f"prompts {seats}").positions:
            turn = int(position.to_act)
            if turn < 0:
                continue
            own = game.prompt(position.seen_by(turn), voice)
            assert NAMES[turn] not in own, own
            told = {game.prompt(position.seen_by(viewer), voice) for viewer in (SPECTATOR, *range(seats)) if viewer != turn}
            for said in told:
                assert NAMES[turn] in said and said != own
                assert not re.search(ADDRESSED[language], NOT_SPOKEN_TO.sub("", said), re.IGNORECASE), said
            seen.add(own)
    assert len(seen) > 3
