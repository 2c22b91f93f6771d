"""Rated: whether the result of a table is to count for its players, and if not, why. All of it is read from what is stored with the table:
the wish, made when the table is; what was done there since; who sits there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sheepfold.bots import LEVELS
from sheepfold.game.session import Refused
from sheepfold.table.store import Seat

RATED, UNRATED, LEFT = "rated", "unrated", "left"
"""The settings of a table whose result is to count; what happened there so that it does not; and which seats people have left for good."""
ON, FIRM = "on", "firm"
"""It counts; and it does, whatever who asks would do now."""
CLOCK = 3 * 86400
"""Seconds for a move where people have set no clock, so that nobody is spared a result by staying away."""
FIRST_MOVES = 3
"""So many moves of one's own a game alone against bots can become one for practice, by a hint or by taking back; not when it is lost."""


REASONS = {
    "off": "there are no ratings on this server", "nobody": "no person plays", "one": "it needs two players or more",
    "components": "it is played with pieces of one's own", "options": "it is played with other options than usual",
    "level": "a bot plays that has no level", "seats": "everybody needs a device of their own, and one seat",
}  # fmt: skip
"""Why a table that is to be made cannot be, for programs."""


class NotRated(Refused):
    """A table whose result cannot count."""

    def __init__(self, why: str) -> None:
        said = f"This table cannot be rated: {REASONS[why]}."
        super().__init__(f"not-rated.{why}", said)


def why_not(settings: Mapping[str, Any], options: Mapping[str, Any], undos: int, seats: Sequence[Seat]) -> str | None:
    """Why the result of such a table does not count; None if it does. Ratings of one game are to be of the same game, so it is played with
    its own pieces and options."""
    tokens = [seat.token for seat in seats if seat.kind == "person"]
    reasons = {
        "one": len(seats) < 2, "lesson": settings.get("guide"), "begun": settings.get("begun"), "components": settings.get("components"),
        "options": options, "level": any(seat.kind == "bot" and seat.level not in LEVELS for seat in seats),
        "seats": len(set(tokens)) < len(tokens), "undo": undos, settings.get(UNRATED): settings.get(UNRATED),
    }  # fmt: skip
    return next((why for why, so in reasons.items() if so), None)


def check(settings: Mapping[str, Any], options: Mapping[str, Any], seats: Sequence[Seat]) -> None:
    """Refuse a table that is to be rated and cannot be."""
    if all(seat.kind == "bot" for seat in seats):
        raise NotRated("nobody")
    if why := why_not(settings, options, 0, seats):
        raise NotRated(why)
