"""What La Guerre des Moutons says: prompts, descriptions of actions, and what happened, with the reason for every point."""

from __future__ import annotations

from collections import Counter

from sheepfold.core.position import CHANCE, HIDDEN, OVER
from sheepfold.game.defaults.narration import expected
from sheepfold.games.guerre_des_moutons.actions import (
    CONTENT,
    DEAL,
    DONE,
    DRAW,
    EXTRA,
    LAY,
    LAY_EXTRA,
    LAY_SHEPHERD,
    LAY_SPECIAL,
    MORE,
    ON_WOLF,
    PASS,
    PLACE,
    RETIRE,
    TURN,
)
from sheepfold.games.guerre_des_moutons.land import areas_of_face
from sheepfold.games.guerre_des_moutons.landmarks import beside
from sheepfold.games.guerre_des_moutons.map import MIDDLE, WIDTH
from sheepfold.games.guerre_des_moutons.notation import COLOURS, cell_of, is_where, letters, turned
from sheepfold.games.guerre_des_moutons.rules import GuerreDesMoutons
from sheepfold.games.guerre_des_moutons.tiles import FIRST_COLOUR, HUNTERS, LANDSCAPES, SHEPHERDS, WOLVES, Tiles
from sheepfold.messages import Voice

ASKED = {TURN: "prompt.turn", CONTENT: "prompt.content", EXTRA: "prompt.extra", MORE: "prompt.more"}

COUNTED = ("threatened", "rescued", "closed")
"""The changes of a pen (`pen_changes`) by which it counts from now on, or no more."""

SECTIONS = {
    LAY: "lay", LAY_SHEPHERD: "reveal", LAY_EXTRA: "reveal", EXTRA: "reveal", LAY_SPECIAL: "wolves", MORE: "announce", CONTENT: "announce",
}  # fmt: skip
"""The sections of the rules about each stage, where it is not the one about a turn."""


def prompt(view: GuerreDesMoutons, voice: Voice) -> str:
    """What is expected now."""
    if view.to_act == OVER:
        return winner(view, voice)
    if view.drawing_first():
        return voice.say("prompt.first")
    who = voice.name(int(view.actor))
    if view.to_act == CHANCE:
        return voice.say("prompt.deal" if view.stage == DEAL else "prompt.draw", who=who)
    if is_where(view):
        return expected(view, "prompt.where", voice, who=who, face=face_words(view, int(view.chosen), voice))
    if view.stage == TURN and view.held[view.turn] == 0:
        return expected(view, "prompt.question", voice, who=who)
    if view.stage == TURN and view.viewer == view.to_act and view.allows(PASS):
        return voice.say(_why_pass(view))
    if view.stage == MORE and view.viewer == view.to_act and view.legal() == [DONE]:
        return voice.say("prompt.more.none")
    return expected(view, ASKED[int(view.stage)], voice, who=who)


def _why_pass(view: GuerreDesMoutons) -> str:
    """Why somebody may pass, for themselves alone: no landscape of theirs fits (GM-5)."""
    if any(action < PASS for action in view.legal()):
        return "prompt.only-special"
    return "prompt.nothing.first" if len(view.map.laid) == 1 else "prompt.nothing"


def rule(view: GuerreDesMoutons) -> str:
    """Where the rules explain what is to be decided."""
    if view.to_act == OVER:
        return "end"
    return SECTIONS.get(int(view.stage), "turn")


def motifs(sides: str, voice: Voice) -> str:
    """red, red, village, black."""
    return ", ".join(voice.say(f"motif.{side}") for side in sides)


def sides_of(tiles: Tiles, face: int, turn: int, voice: Voice) -> str:
    """red, red, village, black; where its pens are not as usual (GM-43), with each of them and its sheep."""
    sides, areas = turned(letters(tiles)[face], turn), areas_of_face(tiles, face, turn)
    said = motifs(sides, voice)
    if not areas:
        return said
    pens = [
        f"{voice.say(f'motif.{sides[areas.of.index(area)]}')} {tiles.area_sheep[face * 4 + area]}"
        for area in dict.fromkeys(areas.of)
        if area >= 0 and tiles.area_motif[face * 4 + area] >= FIRST_COLOUR
    ]
    return voice.say("label.pens", sides=said, pens=", ".join(pens)) if pens else said


def mixed(sides: str, voice: Voice) -> str:
    """What there is on a landscape, each motif once: black-red-village."""
    return "-".join(voice.say(f"motif.{side}") for side in dict.fromkeys(sides))


def where_words(cell: int, voice: Voice) -> str:
    """3 north and 6 east of the square."""
    said = _steps(cell, voice)
    return voice.say("where", way=said[0]) if len(said) == 1 else voice.say("where.both", way=said[0], other=said[-1])


def _steps(cell: int, voice: Voice) -> list[str]:
    """3 north, 6 east: the way there from the square."""
    north, east = MIDDLE // WIDTH - cell // WIDTH, cell % WIDTH - MIDDLE % WIDTH
    ways = [("n" if north > 0 else "s", abs(north)), ("e" if east > 0 else "w", abs(east))]
    return [voice.say(f"where.{way}", steps=steps) for way, steps in ways if steps]


def face_words(view: GuerreDesMoutons, face: int, voice: Voice) -> str:
    """What a face is called in a sentence."""
    if face >= SHEPHERDS:
        return voice.say(f"face.shepherd.{COLOURS[face - SHEPHERDS]}")
    if face >= WOLVES * 2 and face % 2:
        return voice.say("face.wolf" if face < HUNTERS * 2 else "face.hunter")
    sides = letters(view.tiles)[face]
    if face >= WOLVES * 2:
        return voice.say(f"face.herd.{sides[0]}")
    return voice.say("face.landscape", motifs=mixed(sides, voice))


def _short_face(view: GuerreDesMoutons, face: int, voice: Voice) -> str:
    """A face where it is clear that a tile is meant."""
    return mixed(letters(view.tiles)[face], voice) if face < WOLVES * 2 else face_words(view, face, voice)


def describe(view: GuerreDesMoutons, action: int, voice: Voice) -> str:
    """What an action would do."""
    if view.drawing_first():
        return voice.say("tell.first", who=voice.name(action))
    if view.stage == DEAL:
        return voice.say("describe.colour", colour=voice.say(f"motif.{COLOURS[action - SHEPHERDS]}"))
    if view.stage == DRAW:
        return voice.say("describe.draw", tile=tile_words(view, action, voice))
    if action < SHEPHERDS:
        other = _short_face(view, action ^ 1, voice)
        if action >= WOLVES * 2:
            return voice.say("describe.special", face=face_words(view, action, voice), other=other)
        return voice.say("describe.landscape", motifs=sides_of(view.tiles, action, 0, voice), other=other)
    if action < PASS:
        return voice.say("describe.reveal", colour=voice.say(f"motif.{COLOURS[action - SHEPHERDS]}"))
    if action == PASS:
        return voice.say("describe.pass")
    if action == RETIRE:
        return voice.say("describe.retire")
    if action == DONE:
        return voice.say({CONTENT: "describe.content", EXTRA: "describe.no-extra", MORE: "describe.no-more"}[int(view.stage)])
    return _describe_where(view, action, voice)


def _describe_where(view: GuerreDesMoutons, action: int, voice: Voice) -> str:
    where = ", ".join(_steps(cell_of(view, action), voice))
    trial = view.copy()
    if action < PLACE:
        touched = trial.map.cover(action - ON_WOLF, int(view.chosen))
        text = voice.say("describe.cover", where=where, touched=touched, drawn=_drawn(view, touched))
    else:
        turn = (action - PLACE) % 4
        touched = trial.map.put((action - PLACE) // 4, int(view.chosen), turn)
        sides = turned(letters(view.tiles)[int(view.chosen)], turn)
        text = voice.say("describe.where", where=where, motifs=motifs(sides, voice), drawn=_drawn(view, touched))
    return " ".join([text, *_short_news(view, trial, voice)])


def gain(view: GuerreDesMoutons, action: int) -> int | None:
    """What a tile laid there adds to the pens of one's own colours, as the map stands then; nothing else brings points at once."""
    if not is_where(view):
        return None
    after, seat = view.copy(), int(view.actor)
    after.advance(action)
    return int(after.scores()[seat] - view.scores()[seat])


def _drawn(view: GuerreDesMoutons, touched: int) -> int:
    """How many tiles that draws: as far as the bag goes."""
    return min(touched, int(view.in_bag) - int(view.owed[view.actor]))


def tile_words(view: GuerreDesMoutons, tile: int, voice: Voice) -> str:
    """Both faces of a tile."""
    return " / ".join(_short_face(view, face, voice) for face in (tile * 2, tile * 2 + 1))


def tell(before: GuerreDesMoutons, action: int, after: GuerreDesMoutons, voice: Voice, seat: int | None = None) -> list[str]:
    """What happened."""
    told = [_event(before, action, voice, seat), *_touched(before, after, action, voice), *pen_news(before, after, voice)]
    for each in leaving(before, after):
        how = "retired" if action == RETIRE and before.to_act == each else "ran-out"
        told.append(voice.say(f"tell.{how}", who=voice.name(each), bonus=int(after.bonus(each)), place=int(after.finish[each])))
    if after.redraws > before.redraws:
        told.append(voice.say("tell.redraw"))
    if after.to_act == OVER:
        told += results(after, voice)
    return [line for line in told if line]


def leaving(before: GuerreDesMoutons, after: GuerreDesMoutons) -> list[int]:
    """Who is out since then."""
    return [seat for seat in range(before.seats) if after.finish[seat] and not before.finish[seat]]


def _event(before: GuerreDesMoutons, action: int, voice: Voice, seat: int | None) -> str:
    if before.drawing_first():
        return voice.say("tell.first", who=voice.name(action))
    who, out = (voice.name(int(before.actor)), "") if seat is None else (voice.name(seat), ".out")
    if before.to_act == CHANCE:
        if before.stage == DEAL and action == HIDDEN:
            return voice.say("tell.deal.hidden", who=who)
        if action == HIDDEN:  # how many tiles are drawn was told when one was laid
            return ""
        if before.stage == DEAL:
            return voice.say("tell.deal", who=who, colour=voice.say(f"motif.{COLOURS[action - SHEPHERDS]}"))
        return voice.say("tell.draw", who=who, tile=tile_words(before, action, voice))
    if is_where(before):
        return ""
    if action < SHEPHERDS:
        if action >= LANDSCAPES * 2 and action % 2:
            return voice.say(f"tell.announce{out}", who=who, face=face_words(before, action, voice))
        return ""  # it is told when it lies
    if action < PASS:
        return voice.say(f"tell.reveal{out}", who=who, colour=voice.say(f"motif.{COLOURS[action - SHEPHERDS]}"))
    if action == PASS:
        return voice.say("tell.pass", who=who)
    if action == DONE and before.stage != MORE:  # then what was laid has been told
        return voice.say({CONTENT: "tell.content", EXTRA: "tell.no-extra"}[int(before.stage)], who=who)
    return ""


def _touched(before: GuerreDesMoutons, after: GuerreDesMoutons, action: int, voice: Voice) -> list[str]:
    """Where a tile was laid and what that draws."""
    if not is_where(before) or action == HIDDEN:
        return []
    cell, who = cell_of(before, action), voice.name(int(before.actor))
    where = beside(before, cell, voice)
    face = face_words(before, int(before.chosen), voice)
    drawn = _drawn(before, int(after.owed[before.actor]) - int(before.owed[before.actor]))
    owed = [voice.say("tell.owed", drawn)] if drawn > 0 else []
    if action < PLACE:
        return [voice.say("tell.cover", who=who, where=where), *owed]
    extra = [voice.say("tell.extra", who=who)] if before.stage == LAY_EXTRA else []
    return [*extra, voice.say("tell.lay", who=who, face=face, where=where), *owed]


def pen_changes(before: GuerreDesMoutons, after: GuerreDesMoutons) -> list[tuple[str, int, int]]:
    """Pens that were closed, threatened or rescued: what happened, colour, sheep."""
    if tuple(before.map.laid) == tuple(after.map.laid):
        return []
    was, now = _closed(before), _closed(after)
    if was == now:
        return []
    (safe, doomed), (safe_now, doomed_now) = ([Counter(pens) for pens in each] for each in (was, now))
    changes = [("rescued" if pen in doomed - doomed_now else "closed", *pen) for pen in (safe_now - safe).elements()]
    changes += [("threatened" if pen in safe - safe_now else "closed-threatened", *pen) for pen in (doomed_now - doomed).elements()]
    return changes


def pen_news(before: GuerreDesMoutons, after: GuerreDesMoutons, voice: Voice) -> list[str]:
    """The same in sentences."""
    return [
        voice.say(f"pen.{what}", sheep, colour=voice.say(f"pen.{COLOURS[colour]}")) for what, colour, sheep in pen_changes(before, after)
    ]


def _short_news(before: GuerreDesMoutons, after: GuerreDesMoutons, voice: Voice) -> list[str]:
    """The same in a few words, for a list of choices."""
    news: dict[str, list[str]] = {}
    for what, colour, sheep in pen_changes(before, after):
        news.setdefault(what, []).append(f"{voice.say(f'pen.{COLOURS[colour]}')} {sheep}")
    return [voice.say(f"describe.{what}", pens=", ".join(found[:3] + ["…"] * (len(found) > 3))) for what, found in news.items()]


def _closed(view: GuerreDesMoutons) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The closed pens by colour and sheep: those that are safe, and those that a wolf threatens."""
    safe: list[tuple[int, int]] = []
    threatened: list[tuple[int, int]] = []
    for pen in view.map.pens():
        if pen.open_sides == 0:
            (threatened if pen.threatened else safe).append((int(pen.colour), int(pen.sheep)))
    return safe, threatened


def winner(view: GuerreDesMoutons, voice: Voice) -> str:
    """Who has won."""
    best = [voice.name(seat) for seat, rank in enumerate(view.ranks()) if rank == 1]
    points = voice.say("points", max(view.scores()))
    if len(best) == 1:
        return voice.say("end.wins", who=best[0], points=points)
    return voice.say("end.shared", who=voice.say("and", first=", ".join(best[:-1]), last=best[-1]), points=points)


def results(view: GuerreDesMoutons, voice: Voice) -> list[str]:
    """The final count, seat by seat, and who has won."""
    lines = []
    safe, _ = _closed(view)
    largest = [max((sheep for each, sheep in safe if each == colour), default=0) for colour in range(4)]
    for seat, points in enumerate(view.scores()):
        bonus = int(view.bonus(seat))
        own = [colour for colour in range(4) if view.colours[seat] >> colour & 1]
        names = [voice.say(f"motif.{COLOURS[colour]}") for colour in own]
        added = [f"{name} {largest[colour]}" for name, colour in zip(names, own, strict=True)]
        key, colours = ("tell.result.two", added) if view.two_colours else ("tell.result", names)
        total = voice.say("points", points)
        lines.append(voice.say(key, points - bonus, who=voice.name(seat), colours=", ".join(colours), bonus=bonus, points=total))
    return [*lines, winner(view, voice)]
