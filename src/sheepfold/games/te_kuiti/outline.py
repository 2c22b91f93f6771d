"""Te Kuiti in words, thing by thing, for who does not see the picture: the field as a grid, then roles, fences and points.

As in the picture only what is face up now is named, unless the table plays with the memory aid.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.game import Passage
from sheepfold.games.te_kuiti.components import KIND_NAMES
from sheepfold.games.te_kuiti.narration import NO_TILE, Cell, field, standing_fences, tile_words, tiles_gone
from sheepfold.games.te_kuiti.notation import SIDES
from sheepfold.games.te_kuiti.rules import CALLING, DRAW_SHEPHERD, RAMMING, TeKuiti, edge_at
from sheepfold.kept import kept
from sheepfold.messages import Voice

LETTERS = "abcde"


def outline(view: TeKuiti, voice: Voice) -> list[Passage]:
    """The state, the field, and what has left it."""
    words = voice.words
    return [_state(view, voice), _field(field(view), standing_fences(view), view.seats == 1, words), _gone(tiles_gone(view), words)]


def _state(view: TeKuiti, voice: Voice) -> Passage:
    over = view.to_act == OVER
    lines = [voice.say("panel.over" if over else "panel.solo" if view.seats == 1 else "panel.round", number=int(view.round) + 1)]
    if view.seats == 2 and view.stage != DRAW_SHEPHERD:
        lines += [voice.say("panel.shepherd", who=voice.name(view.shepherd)), voice.say("panel.sheep", who=voice.name(view.sheep))]
    if view.stage in (RAMMING, CALLING):
        lines.append(voice.say("visit.ram" if view.stage == RAMMING else "visit.shepherd"))
    lines.append(voice.say("panel.fences", count=int(view.supply)))
    lines.append(voice.say("panel.enclosed", count=int(view.enclosed_tiles())))
    lines.append(voice.say("panel.open", count=int(view.open_tiles())))
    if view.seats == 1:
        lines.append(voice.say("panel.freed", count=int(view.tiles_gone())))
        lines += [voice.say("panel.idle", count=int(view.idle))] if view.idle else []
    else:
        lines.append(voice.say("panel.taken", count=int(view.sheep_taken())))
        lines += [voice.say("panel.late")] if view.late else []
    return Passage(voice.say("outline.state"), lines)


@kept(256)
def _field(cells: tuple[Cell, ...], fenced: tuple[int, ...], flowers: bool, voice: Voice) -> Passage:
    said = [
        _cell(*what, tuple(side for side in range(4) if edge_at(cell, side) in fenced), flowers, voice) for cell, what in enumerate(cells)
    ]
    return Passage(voice.say("outline.field"), [], list(LETTERS), [[str(row + 1), *said[5 * row : 5 * row + 5]] for row in range(5)])


@kept(512)
def _cell(face: int, up: bool, enclosed: bool, fenced: tuple[int, ...], flowers: bool, voice: Voice) -> str:
    """What lies on a cell, whether it is enclosed, and on which sides of it a fence stands."""
    said = [voice.say("outline.empty")]
    if face != NO_TILE:
        said = [] if up else [voice.say("outline.down")]
        if face >= 0:
            tile = tile_words(face, voice)
            said.append(tile if up else voice.say("outline.seen", tile=tile))
            said += [voice.say("outline.flower", side=voice.say(f"side.{SIDES[face % 5 - 1]}"))] if face % 5 and flowers else []
    if enclosed:
        said.append(voice.say("outline.enclosed"))
    sides = [voice.say(f"side.{SIDES[side]}") for side in fenced]
    if sides:
        said.append(voice.say("outline.fences", count=len(sides), sides=", ".join(sides)))
    return ", ".join(said)


@kept(256)
def _gone(counts: tuple[tuple[int, int], ...], voice: Voice) -> Passage:
    """How many tiles of each kind have left the field in this round: all could see them go."""
    lines = [
        voice.say("label.gone", tile=voice.say(f"tile.{KIND_NAMES[kind]}"), gone=gone, all=all_told)
        for kind, (gone, all_told) in enumerate(counts)
    ]
    return Passage(voice.say("outline.gone"), lines)
