"""What the outlines of Haste Bock? and Shear Panic have in common: the track stretch by stretch, and rows with their headings.

The keys are the games' own: what one calls a wall is a gate in the other.
"""

from __future__ import annotations

from sheepfold.game.game import Passage
from sheepfold.games.flock import Track
from sheepfold.kept import kept
from sheepfold.messages import Voice


@kept(64)
def track_outline(track: Track, name: str, voice: Voice) -> Passage:
    """The four stretches of the track with what is on them; `name` begins the keys of their names."""
    lines = []
    for phase in range(1, 5):
        inside = [space for space in range(1, int(track.length) + 1) if track.phase[space] == phase]
        line = voice.say("outline.stretch", name=voice.say(f"{name}.{phase}"), first=inside[0], last=inside[-1])
        for what, marked in (("panic", track.panic), ("wall", track.wall), ("pen", track.pen)):
            spaces = [str(space) for space in inside if marked[space]]
            if spaces:
                line += voice.say(f"outline.{what}", spaces=", ".join(spaces))
        lines.append(f"{line}.")
    return Passage(voice.say("outline.track"), lines)


@kept(256)
def grid(title: str, rows: range, columns: range, placed: tuple[tuple[tuple[int, int], str], ...], voice: Voice) -> Passage:
    """A grid with numbered rows and columns, which count from 0 here and from 1 for people, and what stands where."""
    cells = dict(placed)
    heads = [voice.say("outline.column", number=column + 1) for column in columns]
    body = [[voice.say("outline.row", number=row + 1), *(cells.get((row, column), "") for column in columns)] for row in rows]
    return Passage(title, [], heads, body)
