"""Conclusion: a finished game as its result tells it: who has won, which points came when, where it turned; in words and as pictures.

What is told here everybody may know: the game is over, and its replay is open (`replay.Gallery.find` refuses every other).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from sheepfold import art
from sheepfold.art import Colour, Theme
from sheepfold.core.position import EVERYTHING
from sheepfold.game.ending import ending
from sheepfold.game.session import Session
from sheepfold.messages import Voice
from sheepfold.web.replay_frames import HERE, FinishedGame, voice_of

NO_COLOUR: Final[Colour] = "white"
"""Of a seat that has none."""
CARD: Final = (1200, 630)
"""How wide and high the picture to share is, as messengers show it."""
MOST_LINES = 3
"""Of the event where it turned no more is told."""
KEPT = 256


class Placed(NamedTuple):
    """A player at the end."""

    seat: int
    name: str
    colour: Colour | None
    rank: int
    score: int


class Conclusion(NamedTuple):
    """All that the result tells."""

    title: str
    heading: str
    """Who has won, in a sentence."""
    players: list[Placed]
    """The best first."""
    lost: bool
    """Whether somebody alone has not reached what wins."""
    parts: list[tuple[str, list[int]]]
    """By name the phases of the game, with what each of the players won in them, the players as they are placed."""
    turned: dict[str, Any] | None
    """Where it turned: the ply after it, who was ahead from then on, and what happened (nothing where that is the end itself, which the
    result tells anyway); None where there is no clear point."""

    @property
    def most(self) -> int:
        """The most points that anybody won in one part; one where nobody won any."""
        return max(1, *(gain for _, gains in self.parts for gain in gains))

    @property
    def winners(self) -> list[Placed]:
        return [player for player in self.players if player.rank == 1]


_known: dict[tuple[str, str], Conclusion | None] = {}


def conclude(played: FinishedGame, language: str) -> Conclusion | None:
    """The conclusion of a game, worked out once; None for a record that stops before the end."""
    key = played.digest(), language
    if key not in _known:
        while len(_known) >= KEPT:
            del _known[next(iter(_known))]
        session = played.session()
        _known[key] = _conclude(session, played, language) if session.over else None
    return _known[key]


def _conclude(session: Session, played: FinishedGame, language: str) -> Conclusion:
    voice, page = voice_of(played, language), Voice([HERE / "locale"], language)  # a game may have messages of the same names
    game, end = session.game, session.position
    colours = game.open_colours(end)
    ranks, scores = [int(rank) for rank in end.ranks()], [int(score) for score in end.scores()]
    placed = sorted(
        (
            Placed(seat, voice.name(seat), colours[seat] if colours else None, ranks[seat], scores[seat])  # type: ignore[arg-type]
            for seat in range(played.seats)
        ),
        key=lambda player: (player.rank, player.seat),
    )
    lost = played.seats == 1 and not end.won()
    best = [player.name for player in placed if player.rank == 1]
    if played.seats == 1:
        heading = page.say("result.lost" if lost else "result.alone", scores[0])
    else:
        heading = page.say("result.won", who=best[0]) if len(best) == 1 else page.say("result.shared", who=voice.listed(best))
    told = ending(session)
    named = [
        game.phase_name(part.number, voice) if told.has_phases else page.say("result.quarter", number=part.number) for part in told.parts
    ]
    parts = [(name, [part.gains[player.seat] for player in placed]) for name, part in zip(named, told.parts, strict=True)]
    turned = None
    if told.turned is not None:
        last = all(event.who < 0 for event in session.events[told.turned : -1])  # hands that are counted are the end too
        turned = {"ply": told.turned + 1, "who": best[0], "lines": [] if last else _happened(session, told.turned, voice)}
    return Conclusion(game.title, heading, placed, lost, parts, turned)


def _happened(session: Session, ply: int, voice: Voice) -> list[str]:
    """What happened at a ply; where nothing is said of it, what happened last before it."""
    for at in range(ply, -1, -1):
        if lines := session.told(EVERYTHING, voice, at, at + 1)[0].lines:
            return lines[:MOST_LINES]
    return []


# The pictures.


def _drawn(found: Conclusion) -> str:
    winners = [player.colour or NO_COLOUR for player in found.winners]
    if found.lost:
        return art.no_feast(winners[0])
    return art.feast(winners, [player.colour or NO_COLOUR for player in found.players if player.rank > 1])


@lru_cache(KEPT)
def _framed(body: str, title: str, theme: Theme) -> str:
    moving = f"<style>{art.FEAST_MOVES}</style>"
    return art.document(*art.FEAST, moving + body, title, theme=theme, interactive=False)


def feast(found: Conclusion, theme: Theme) -> str:
    """The drawing on the page of the result; it moves for who likes that."""
    return _framed(_drawn(found), found.heading, theme)


def card(found: Conclusion, theme: Theme) -> str:
    """The result as a picture by itself, to be shared: the game, the feast, the ranks with names and marks."""
    wide, high = CARD
    left, top, broad = 40, 136, 700
    deep = broad * art.FEAST[1] / art.FEAST[0]
    body = art.paper(wide, high) + art.text(left, 90, found.title, art.fitting(found.title, 60, 780), "start")
    body += art.text(1046, 84, "Sheepfold", 34, "end", soft=True) + art.emblem(1108, 68, 104)
    frame = f'x="{left}" y="{top}" width="{broad}" height="{deep:.0f}"'
    body += f'<svg {frame} viewBox="0 0 {art.FEAST[0]} {art.FEAST[1]}">{_drawn(found)}</svg><rect class="sf-draw" {frame}/>'
    body += art.text(left, top + deep + 92, found.heading, art.fitting(found.heading, 58, wide - 2 * left), "start")
    step = min(86.0, deep / len(found.players))
    first = top + (deep - step * (len(found.players) - 1)) / 2 + 14
    for row, player in enumerate(found.players):
        body += _row(player, left + broad + 40, first + row * step, wide - left)
    return art.document(wide, high, body, f"{found.title}: {found.heading}", theme=theme, interactive=False)


def _row(player: Placed, left: float, y: float, right: float) -> str:
    """A player on the card: rank, mark, name and points."""
    size, behind, score = (40, False, str(player.score)) if player.rank == 1 else (34, True, str(player.score))
    room = right - left - 104 - 24 * len(score) - 16
    name = art.shortened(player.name, size * 0.7, room)
    drawn = art.text(left, y, f"{player.rank}.", size, "start", soft=behind)
    if player.colour:
        drawn += art.use(art.MARKS[player.colour], left + 72, y - 13, 1.3, f"sf-{player.colour}")
    drawn += art.text(left + 104, y, name, art.fitting(name, size, room), "start", soft=behind)
    return drawn + art.text(right, y, score, size, "end")
