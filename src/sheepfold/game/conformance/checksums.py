"""What playing some seeds gives, as short sums: the same in every process, compiled or not."""

from __future__ import annotations

from sheepfold.core.dice import Dice
from sheepfold.core.position import OVER, Position
from sheepfold.core.sequential import unwrapped
from sheepfold.game.conformance.lines import COLUMNS, Line, cases, digest, play, state
from sheepfold.game.game import Game


def checksums(game: Game, seeds: int = 1, most: int = 120) -> dict[str, str]:
    """What playing some seeds gives, for each set-up, to be compared between processes."""
    found = {}
    for case in cases(game):
        parts: list[object] = []
        for seed in range(seeds):
            line = play(case, f"checksum {seed}", most=most)
            parts += [line.events, line.digests, _ask_all(line)]
            playing = case.start()
            _play_out(playing, line.dice("playout"), 4 * most)
            parts.append(state(playing))
        found[str(case)] = digest(parts)
    return found


def _play_out(position: Position, dice: Dice, most: int) -> None:
    for _ in range(most):
        if int(position.to_act) == OVER:
            return
        position.advance(position.random_action(dice))


def _ask_all(line: Line) -> list[object]:
    found: list[object] = []
    for ply in line.plies(6):
        position = line.positions[ply]
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            plain = unwrapped(view)
            found += [view.key(), [round(number, 9) for number in view.tensor()], view.determinize(line.dice("ask", ply)).key()]
            found += [line.game.prompt(plain, line.case.voice("fr")), line.game.text_picture(plain, viewer, COLUMNS, line.case.voice("en"))]
        if not line.case.wrapped:
            found += [line.game.write(position, action) for action in position.legal()[:50]]
    return found
