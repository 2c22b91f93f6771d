"""Te Kuiti in words, thing by thing, for who does not see the picture: the field as a grid, then roles, fences and points.

As in the picture only what is face up now is named, unless the table plays with the memory aid.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.game import Passage
from sheepfold.games.te_kuiti.components import KIND_NAMES
from sheepfold.games.te_kuiti.narration import tile_words
from sheepfold.games.te_kuiti.notation import SIDES
from sheepfold.games.te_kuiti.rules import CALLING, DRAW_SHEPHERD, KINDS, RAMMING, TeKuiti, edge_at
from sheepfold.messages import Voice

LETTERS = "abcde"


def outline(view: TeKuiti, voice: Voice) -> list[Passage]:
    """The state, the field, and what has left it."""
    return [_state(view, voice), _field(view, voice), _gone(view, voice)]


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


def _field(view: TeKuiti, voice: Voice) -> Passage:
    rows = []
    for row in range(5):
        rows.append([str(row + 1), *(_cell(view, 5 * row + column, voice) for column in range(5))])
    return Passage(voice.say("outline.field"), [], list(LETTERS), rows)


def _cell(view: TeKuiti, cell: int, voice: Voice) -> str:
    """What lies on a cell, whether it is enclosed, and on which sides of it a fence stands."""
    said = [voice.say("outline.empty")]
    if view.has_tile(cell):
        face = int(view.known[cell]) - 1 if view.face_up(cell) or (view.terms.memory_aid and view.known[cell] > 0) else -1
        said = [voice.say("outline.down")] if not view.face_up(cell) else []
        if face >= 0:
            tile = tile_words(face, voice)
            said.append(tile if view.face_up(cell) else voice.say("outline.seen", tile=tile))
            said += [voice.say("outline.flower", side=voice.say(f"side.{SIDES[face % 5 - 1]}"))] if face % 5 and view.seats == 1 else []
    if view.enclosed(cell):
        said.append(voice.say("outline.enclosed"))
    sides = [voice.say(f"side.{SIDES[side]}") for side in range(4) if view.fenced(edge_at(cell, side))]
    if sides:
        said.append(voice.say("outline.fences", count=len(sides), sides=", ".join(sides)))
    return ", ".join(said)


def _gone(view: TeKuiti, voice: Voice) -> Passage:
    """How many tiles of each kind have left the field in this round: all could see them go."""
    lines = []
    for kind in range(KINDS):
        gone = int(view.gone[2 * kind] + view.gone[2 * kind + 1])
        all_told = int(view.terms.tiles[2 * kind] + view.terms.tiles[2 * kind + 1])
        lines.append(voice.say("label.gone", tile=voice.say(f"tile.{KIND_NAMES[kind]}"), gone=gone, all=all_told))
    return Passage(voice.say("outline.gone"), lines)
