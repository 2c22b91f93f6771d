"""What is said of a game of Te Kuiti: what is expected, what an action would do, and what happened.

Nothing here looks at a face-down tile that has been seen, but for the one moment when it is turned up again. That is how
it stays a memory game for people although the position remembers everything.
"""

from __future__ import annotations

from sheepfold.core.position import OVER
from sheepfold.game.defaults.narration import expected
from sheepfold.games.te_kuiti.components import KIND_NAMES, MOOD_NAMES
from sheepfold.games.te_kuiti.notation import SIDES, cell_and_side, cell_name
from sheepfold.games.te_kuiti.rules import (
    CALLING,
    DONE,
    EDGES,
    FACE,
    FIRST,
    FIRST_FENCE,
    GIVE_UP,
    IDLE_TURNS,
    KINDS,
    LAST_FIRST_FENCE,
    LAST_SECOND_FENCE,
    LOOKING,
    PAIR_FIRST,
    PAIR_SECOND,
    RAM,
    RAMMING,
    REMOVE,
    REVEALING,
    SECOND_FENCE,
    TAKE,
    TURN,
    TURNING,
    TeKuiti,
    edge_at,
)
from sheepfold.kept import kept
from sheepfold.messages import Voice

STAGE_PROMPTS = {
    FIRST_FENCE: "prompt.first-fence",
    SECOND_FENCE: "prompt.second-fence",
    LAST_FIRST_FENCE: "prompt.last-first-fence",
    LAST_SECOND_FENCE: "prompt.last-second-fence",
    RAMMING: "prompt.ram",
    CALLING: "prompt.shepherd",
}


NO_TILE, DOWN = -2, -1
Cell = tuple[int, bool, bool]
"""What people are shown of a cell: the face of its tile (DOWN where that is not shown), whether it is face up, whether it is enclosed."""


def field(view: TeKuiti) -> tuple[Cell, ...]:
    """All cells. A tile that lies face down shows nothing, unless it was seen before and the table plays with the memory aid (TK-18)."""
    aid, cells = view.terms.memory_aid, []
    for cell, known in enumerate(view.known):
        up = view.face_up(cell)
        face = (known - 1 if up or aid else DOWN) if view.has_tile(cell) else NO_TILE
        cells.append((face, up, view.enclosed(cell)))
    return tuple(cells)


def standing_fences(view: TeKuiti) -> tuple[int, ...]:
    """The edges where a fence stands."""
    return tuple(edge for edge in range(EDGES) if view.fenced(edge))


def tiles_gone(view: TeKuiti) -> tuple[tuple[int, int], ...]:
    """Of each kind how many tiles have left the field in this round, which all could see, and how many there are."""
    left, all_told = view.gone, view.terms.tiles
    return tuple((left[at] + left[at + 1], all_told[at] + all_told[at + 1]) for at in range(0, 2 * KINDS, 2))


def edge_words(edge: int, voice: Voice) -> str:
    """'b3, east side'."""
    return _edge_words(edge, voice.words)


@kept(512)
def _edge_words(edge: int, voice: Voice) -> str:
    cell, side = cell_and_side(edge)
    return voice.say("edge", cell=cell_name(cell), side=voice.say(f"side.{SIDES[side]}"))


def tile_words(face: int, voice: Voice) -> str:
    """'a shy sheep', 'a ram'."""
    return voice.say(f"tile.{KIND_NAMES[face // 5]}")


# What is expected.


def prompt(view: TeKuiti, voice: Voice) -> str:
    """One sentence: who is to do what."""
    if view.to_act == OVER:
        return " ".join(result(view, voice))
    if view.stage == REVEALING:
        return voice.say("prompt.revealing", cell=cell_name(view.turning))
    if view.to_act < 0:
        return voice.say("prompt.draw-shepherd")
    who = voice.name(view.to_act)
    if view.stage in STAGE_PROMPTS:
        return expected(view, STAGE_PROMPTS[view.stage], voice, who=who)
    pairs = any(TAKE <= action < DONE for action in view.legal())
    if view.stage == TURNING:
        return expected(view, f"prompt.turn{'-or-take' if pairs else ''}.{view.revealed + 1}", voice, who=who)
    return expected(view, "prompt.look-or-take" if pairs else "prompt.look", voice, who=who)


def rule(view: TeKuiti) -> str:
    """Where the rules explain what is to be decided."""
    if view.seats == 1:
        return "solo"
    if view.to_act == OVER:
        return "points"
    if view.stage in (LAST_FIRST_FENCE, LAST_SECOND_FENCE):
        return "last"
    if view.stage in (TURNING, REVEALING, LOOKING):
        return "late" if view.late else "sheep"
    return {RAMMING: "ram", CALLING: "call"}.get(int(view.stage), "shepherd")


def result(view: TeKuiti, voice: Voice) -> list[str]:
    """How the game ended."""
    if view.seats == 1:
        gone = int(view.tiles_gone())
        return [voice.say("result.solo-won") if view.won() else voice.say("result.solo-lost", count=gone)]
    scores = view.scores()
    if scores[0] == scores[1]:
        return [voice.say("result.draw", points=voice.say("points", count=scores[0]))]
    winner = 0 if scores[0] > scores[1] else 1
    return [voice.say("result.won", who=voice.name(winner), points=scores[winner], other=scores[1 - winner])]


# What an action would do.


def describe(view: TeKuiti, action: int, voice: Voice) -> str:
    """A few words for a list of choices."""
    if action < REMOVE:
        return voice.say("describe.fence", edge=edge_words(action, voice)) + _pen_note(view, action, voice)
    if action < TURN:
        return voice.say("describe.remove", edge=edge_words(action - REMOVE, voice)) + _gap_note(view, action - REMOVE, voice)
    if action < TAKE:
        return voice.say("describe.turn", cell=cell_name(action - TURN))
    if action < DONE:
        one, other = int(PAIR_FIRST[action - TAKE]), int(PAIR_SECOND[action - TAKE])
        mood = voice.say(f"pair.{MOOD_NAMES[view.mood(one)]}")
        return voice.say("describe.take", pair=mood, one=cell_name(one), other=cell_name(other))
    if action == DONE:
        return voice.say("describe.done-down" if goes_down(view) else "describe.done")
    if action == GIVE_UP:
        return voice.say("describe.give-up")
    if action < FIRST:
        return voice.say("describe.reveal", cell=cell_name(view.turning), tile=tile_words(action - FACE, voice)) + _flower_note(
            (action - FACE) % 5, voice
        )
    return voice.say("describe.first", who=voice.name(action - FIRST))


def gain(view: TeKuiti, action: int) -> int | None:
    """The points of a fence or of a pair in sight; a tile is not to be known before it is turned, though it was seen."""
    if REMOVE <= action < TAKE or action >= DONE:
        return None
    after, seat = view.copy(), int(view.to_act)
    after.advance(action)
    return int(after.scores()[seat] - view.scores()[seat])


def goes_down(view: TeKuiti) -> bool:
    """Whether ending the turn now turns face-up sheep down."""
    after = view.copy()
    assert isinstance(after, TeKuiti)
    after.advance(DONE)
    return after.up == 0 and view.up != 0


def _pen_note(view: TeKuiti, edge: int, voice: Voice) -> str:
    after = view.copy()
    assert isinstance(after, TeKuiti)
    after.put_fence(edge)
    closed = int(after.enclosed_tiles() - view.enclosed_tiles())
    return voice.say("note.encloses", count=closed) if closed else ""


def _gap_note(view: TeKuiti, edge: int, voice: Voice) -> str:
    after = view.copy()
    assert isinstance(after, TeKuiti)
    after.pull_fence(edge)
    opened = int(view.enclosed_tiles() - after.enclosed_tiles())
    return voice.say("note.opens", count=opened) if opened else ""


def _flower_note(flower: int, voice: Voice) -> str:
    return voice.say("note.flower", side=voice.say(f"side.{SIDES[flower - 1]}")) if flower else ""


# What happened.


def tell(before: TeKuiti, action: int, after: TeKuiti, voice: Voice) -> list[str]:
    """What happened, in sentences."""
    who = voice.name(before.to_act)
    lines: list[str] = []
    if action < REMOVE:
        fenced = before.copy()
        assert isinstance(fenced, TeKuiti)
        fenced.put_fence(action)
        lines.append(voice.say("tell.fence", who=who, edge=edge_words(action, voice)))
        lines += _enclosed(before, fenced, voice)
        if fenced.supply == 0:
            lines.append(voice.say("tell.no-fences"))
    elif action < TURN:
        opened = before.copy()
        assert isinstance(opened, TeKuiti)
        opened.pull_fence(action - REMOVE)
        lines.append(voice.say("tell.remove", who=who, edge=edge_words(action - REMOVE, voice)))
        count = int(before.enclosed_tiles() - opened.enclosed_tiles())
        if count:
            lines.append(voice.say("tell.opened", count=count))
    elif action < TAKE:
        cell = action - TURN
        if after.stage == REVEALING and after.turning == cell:
            lines.append(voice.say("tell.turn", who=who, cell=cell_name(cell)))
        else:
            face = int(before.known[cell]) - 1
            lines.append(voice.say("tell.turn-seen", who=who, cell=cell_name(cell), tile=tile_words(face, voice)))
            lines += _revealed(before, cell, face, after, voice)
    elif action < DONE:
        one, other = int(PAIR_FIRST[action - TAKE]), int(PAIR_SECOND[action - TAKE])
        lines.append(_taken(before, [one, other], before.mood(one), voice))
    elif action == DONE:
        lines.append(voice.say("tell.turned-down" if goes_down(before) else "tell.done", who=who))
    elif action == GIVE_UP:
        lines.append(voice.say("tell.give-up", who=who))
    elif action < FIRST:
        cell = int(before.turning)
        lines.append(voice.say("tell.reveal", cell=cell_name(cell), tile=tile_words(action - FACE, voice)))
        lines += _revealed(before, cell, action - FACE, after, voice)
    else:
        lines.append(voice.say("tell.first", who=voice.name(action - FIRST)))
    return lines + _turning_points(before, action, after, voice)


def _enclosed(before: TeKuiti, after: TeKuiti, voice: Voice) -> list[str]:
    count = int(after.enclosed_tiles() - before.enclosed_tiles())
    return [voice.say("tell.enclosed", count=count)] if count else []


def _taken(before: TeKuiti, cells: list[int], mood: int, voice: Voice) -> str:
    one, other = (cell_name(cell) for cell in sorted(cells))
    return voice.say("tell.taken", who=voice.name(before.sheep), pair=voice.say(f"pair.{MOOD_NAMES[mood]}"), one=one, other=other)


def _revealed(before: TeKuiti, cell: int, face: int, after: TeKuiti, voice: Voice) -> list[str]:
    """What a revealed tile brought: its flower's fence, its effect, a pair."""
    kind, flower = divmod(face, 5)
    lines: list[str] = []
    if before.seats == 1 and flower:
        grown = next(edge for edge in range(EDGES) if after.fenced(edge) and not before.fenced(edge))
        key = "tell.flower" if grown == edge_at(cell, flower - 1) else "tell.flower-next"
        lines.append(voice.say(key, edge=edge_words(grown, voice)))
        fenced = before.copy()
        assert isinstance(fenced, TeKuiti)
        fenced.put_fence(grown)
        lines += _enclosed(before, fenced, voice)
    if kind >= RAM:
        if kind == RAM and after.stage != RAMMING:
            lines.append(voice.say("tell.ram-nothing"))
        else:
            lines.append(voice.say(f"tell.{KIND_NAMES[kind]}" if before.seats == 2 or kind == RAM else "tell.shepherd-solo"))
    elif before.revealed == 1 and not before.late:
        first = int(before.first)
        if not after.has_tile(first):
            lines.append(_taken(before, [first, cell], kind, voice))
        elif before.mood(first) == kind:
            lines.append(voice.say("tell.enclosed-pair"))
        else:
            lines.append(voice.say("tell.different"))
    return lines


def round_over(before: TeKuiti, after: TeKuiti) -> bool:
    """Whether a round of two players is over."""
    return before.seats == 2 and (after.round != before.round or after.to_act == OVER)


def round_points(before: TeKuiti, after: TeKuiti) -> list[tuple[str, int, int]]:
    """The roles in the round that is over, who had them, and what that brought."""
    roles = (("shepherd", int(before.shepherd)), ("sheep", int(before.sheep)))
    return [(role, seat, int(after.points[2 * int(before.round) + seat])) for role, seat in roles]


def swap(after: TeKuiti, voice: Voice) -> str:
    """Who is the Shepherd of the second round."""
    return voice.say("tell.swap", who=voice.name(after.shepherd))


def _turning_points(before: TeKuiti, action: int, after: TeKuiti, voice: Voice) -> list[str]:
    """The last turn, the late field, the end of a round or of the game."""
    lines = []
    if round_over(before, after):
        lines.append(voice.say("tell.round-over", number=int(before.round) + 1))
        for role, seat, points in round_points(before, after):
            lines.append(voice.say(f"tell.{role}-points", count=points, who=voice.name(seat)))
        if after.to_act != OVER:
            lines.append(swap(after, voice))
    elif after.late and not before.late and after.open_tiles():
        lines.append(voice.say("tell.late"))
    elif before.late and not after.late:
        lines.append(voice.say("tell.not-late"))
    if after.stage == LAST_FIRST_FENCE and before.stage != LAST_FIRST_FENCE:
        lines.append(voice.say("tell.last-turn" if after.open_tiles() else "tell.last-turn.none", who=voice.name(after.shepherd)))
    if after.to_act == OVER:
        lines += [*why_solo_ended(action, after, voice), *result(after, voice)]
    return lines


def why_round_ended(before: TeKuiti, voice: Voice) -> str:
    """The Shepherd has had a last turn, or has no fence left."""
    last = before.stage in (LAST_FIRST_FENCE, LAST_SECOND_FENCE)
    return voice.say("moment.last-turn", who=voice.name(before.shepherd)) if last else voice.say("tell.no-fences")


def why_solo_ended(action: int, after: TeKuiti, voice: Voice) -> list[str]:
    """What lost a solo game, if it was lost; giving up speaks for itself."""
    if after.seats != 1 or action == GIVE_UP or after.won():
        return []
    if after.open_tiles() == 0:
        return [voice.say("tell.solo-all-enclosed")]
    if after.supply == 0:
        return [voice.say("tell.no-fences")]
    if after.idle == IDLE_TURNS:
        return [voice.say("tell.solo-idle", count=IDLE_TURNS)]
    return [voice.say("tell.solo-hopeless")]
