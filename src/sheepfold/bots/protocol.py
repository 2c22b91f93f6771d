"""What a bot in any language is told and may answer: lines of JSON, one a question, one an answer (docs/bots-in-any-language.md).

Everything is made from what a bot is shown, a seat's view; there is no other way into a line. A question has all that the seat may know,
so a program need not remember anything, and may be ended and started again between any two of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import Position, tensor_numbers
from sheepfold.core.sequential import Sequential, unwrapped
from sheepfold.game.decision import choices, outlined
from sheepfold.game.game import Game, Setup
from sheepfold.game.registry import game_of
from sheepfold.messages import Voice

PROTOCOL = 1
"""Changes when a program that was written for it would no longer do; what is only added changes nothing."""
LET_GO = "pass"
"""What is answered by who may interrupt and does not want to."""
SHOWN = 80
"""So much of a wrong answer is quoted."""


class Nonsense(SheepfoldError):
    """An answer that means nothing here."""


@dataclass(frozen=True)
class Question:
    """A decision as a program is asked for it: the two lines that it is sent, and what its answer may be."""

    setup: str
    """Told to a program that has just begun."""
    decide: str
    answers: dict[str, int]
    """By notation, the actions that there are."""

    def meant(self, line: str) -> int:
        """The action that an answer names; Nonsense says what is wrong with it."""
        answer = _object(line).get("action")
        if isinstance(answer, str) and answer in self.answers:
            return self.answers[answer]
        if isinstance(answer, int) and not isinstance(answer, bool) and answer in self.answers.values():
            return answer
        raise Nonsense(f"it answered {_quoted(line)}, which is none of the {len(self.answers)} actions that it was given")


def check_greeting(line: str) -> None:
    """What a program says first: that it is ready, and for which protocol."""
    if (spoken := _object(line).get("ready")) != PROTOCOL:
        raise Nonsense(f'it began with {_quoted(line)}, not with {{"ready": {PROTOCOL}}}{"" if spoken is None else ", the protocol here"}')


def question(view: Position, dice: Dice, seconds: float, setup: Setup | None = None) -> Question:
    """What a program is asked where a bot is shown that view. Without a set-up it is not told the options."""
    inner, seat = unwrapped(view), int(view.to_act)
    game = setup.game if setup else game_of(inner)
    if game is None:
        raise SheepfoldError("a program can be asked about a game of the shelf only, since others have no notation")
    voice = Voice([game.folder / "locale"]).words
    asking = isinstance(view, Sequential) and view.asking()
    actions = list(map(int, view.legal()))
    offered = _offered(game, inner, view, actions, voice)
    told = {
        "type": "decide",
        "seat": seat,
        "turn": int(inner.to_act),
        "interrupting": asking,
        "prompt": game.prompt(inner, voice),
        "outline": outlined(game, inner, seat, voice),
        "view": tensor_numbers(view, seat),
        "actions": offered,
        "clock": {"seconds": seconds},
        "seed": dice.below(2**31),
    }
    return Question(_line(_begun(game, view, setup)), _line(told), {each["action"]: each["number"] for each in offered})


def _begun(game: Game, view: Position, setup: Setup | None) -> dict[str, Any]:
    return {
        "type": "setup",
        "protocol": PROTOCOL,
        "game": game.name,
        "title": game.title,
        "seats": int(view.seats),
        "seat": int(view.to_act),
        "options": dict(setup.options) if setup else None,
        "components": setup.digest if setup else None,
        "action_count": int(view.action_count),
        "layout": [list(block) for block in view.layout()],
    }


def _offered(game: Game, inner: Position, view: Position, actions: list[int], voice: Voice) -> list[dict[str, Any]]:
    """The actions with their numbers; to let somebody's turn go on is one of them, where that is the question."""
    passing = int(view.pass_action) if isinstance(view, Sequential) else None
    own = [action for action in actions if action != passing]
    offered = [{"number": action, **told} for action, told in zip(own, choices(game, inner, own, voice), strict=True)]
    return offered if len(own) == len(actions) else [*offered, {"number": passing, "action": LET_GO, "label": LET_GO}]


def _line(told: dict[str, Any]) -> str:
    """One line, in ASCII, so that every language reads it."""
    return json.dumps(told, separators=(",", ":")) + "\n"


def _object(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise Nonsense(f"it said {_quoted(line)}, which is no JSON") from None
    if not isinstance(said, dict):
        raise Nonsense(f"it said {_quoted(line)}, which is no JSON object")
    return said


def _quoted(line: str) -> str:
    return repr(line[:SHOWN]) + ("…" if len(line) > SHOWN else "")
