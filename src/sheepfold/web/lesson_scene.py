"""Guidance: what a scene says of the lesson at its table, and where in the rules the present decision is explained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import Request

from sheepfold.game.game import Game
from sheepfold.messages import Voice
from sheepfold.table.lesson import LEARNER, Step, lesson
from sheepfold.table.table import Table

HERE = Path(__file__).parent


def guide_scene(table: Table, viewer: int, language: str) -> dict[str, Any] | None:
    """What the guide says to the learner now, what to tap for it and what to look at; None where no lesson is given."""
    if table.lesson is None or viewer != LEARNER:
        return None
    place = table.lesson.place(table.events)
    voice = Voice([table.game.folder / "locale", HERE / "locale"], language, table.names)
    said = _reaction(place.last, place.right, voice)
    did = ""
    if place.astray is not None:
        said = voice.say("guide.other")
        did = " ".join(table.session.told(viewer, table.voice(language), place.astray)[0].lines)
    asked = place.asked
    message = "over" if place.done else f"{asked.name}.ask" if asked else ""
    return {
        "said": said,
        "did": did,
        "ask": voice.say(f"guide.{message}") if message else "",
        "want": list(asked.want) if asked else [],
        "point": list(asked.point) if asked else [],
        "astray": place.astray is not None,
        "done": place.done,
        "step": min(place.steps + 1, len(table.lesson.steps)),
        "steps": len(table.lesson.steps),
    }


def _reaction(last: Step | None, right: bool, voice: Voice) -> str:
    """Why what the learner did was good, or that it was fine as well."""
    if last is None:
        return ""
    if not right:
        return voice.say("guide.fine")
    return voice.say(f"guide.{last.name}.good") if voice.has(f"guide.{last.name}.good") else ""


def learned(request: Request) -> list[str]:
    """The games whose lesson was ended in this browser."""
    return [name for name in request.cookies.get("learned", "").split(".") if name]


def offered(request: Request, game: Game) -> str:
    """Whether a lesson is offered on the shelf: `new`, `begun`, or nothing where there is none or it was ended."""
    if lesson(game) is None or game.name in learned(request):
        return ""
    return "begun" if request.cookies.get(f"learn_{game.name}") else "new"
