"""Wishes: what people do at a table besides moving. They talk, ask for a hint, come back, leave, want a rematch, take a lesson.

Each is a function that the page and the API both call, so checks and limits are the same; the API's own routes follow below.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from sheepfold.core.errors import SheepfoldError
from sheepfold.game.registry import find
from sheepfold.messages import Voice
from sheepfold.people.manners import Manners
from sheepfold.table.bot_players import bot_names
from sheepfold.table.fairness import CLIENT, PERSON, Busy
from sheepfold.table.kept_seats import RETURNED
from sheepfold.table.lesson import LEARNER, lesson
from sheepfold.table.pace import WISHES
from sheepfold.table.table import Table
from sheepfold.table.tables import Tables, bot_seat, person_seat
from sheepfold.table.timing import PAUSED
from sheepfold.web.api import (
    LIKELY,
    ChatWish,
    Language,
    Name,
    NotSeated,
    TableId,
    Token,
    bearer,
    clean_name,
    seat_to_move,
    spoken,
    tables_of,
)  # fmt: skip
from sheepfold.web.language import WORDS
from sheepfold.web.said import NOBODY, in_words

Tokens = Sequence[str]


async def hint(tables: Tables, table_id: str, tokens: Tokens, language: str) -> dict[str, Any]:
    """What a good bot would do, and why."""
    table = await tables.table(table_id)
    seat = seat_to_move(table, table.seats_of(tokens))
    if tables.bots.turns.waits(CLIENT.get()) >= tables.limits.waiting:
        raise Busy("busy", "The server has much to do; please try again in a moment.")
    table, found = await tables.hint(table_id, seat)
    view = table.position.seen_by(seat)
    voice = Voice([WORDS], language)
    action = found[0][0]
    label = table.game.describe(view, action, table.voice(language))
    reason = voice.say("hint.reason" if len(found) > 1 else "hint.only", label=label.removesuffix("."))
    because = table.game.reason(view, action, table.voice(language))
    return {"action": table.game.write(view, action), "label": label, "reason": f"{reason} {because}".strip()}


async def say(tables: Tables, table_id: str, tokens: Tokens, text: str) -> Table:
    """A line of chat by somebody who sits here."""
    table = await tables.table(table_id)
    seat = seat_to_move(table, table.seats_of(tokens))
    person = await Manners(tables).speaker(table_id, table.seats[seat].token, PERSON.get())
    return await tables.say(table_id, table.seats[seat].name, text, person)


async def earlier(tables: Tables, table_id: str, before: int, language: str) -> dict[str, Any]:
    """The lines of chat before that number, a page of them, and the number of the first."""
    await tables.table(table_id)
    lines = await asyncio.to_thread(tables.store.lines, table_id, before)
    return {"since": lines[0][0] if lines else 0, "chat": in_words([line[1:] for line in lines], language)}


async def back(tables: Tables, table_id: str, tokens: Tokens) -> Table:
    """Who was away is here again; the bot gives the seat back."""
    table = await tables.table(table_id)
    return await tables.back(table_id, table.seats_of(tokens))


async def pause(tables: Tables, table_id: str, tokens: Tokens, wish: str) -> Table:
    """Somebody would like the clock to rest, or to run."""
    table = await tables.table(table_id)
    seat_to_move(table, mine := table.seats_of(tokens))
    return await tables.pause(table_id, mine, wish)


async def of_bots(tables: Tables, table_id: str, tokens: Tokens, wish: str) -> None:
    """Somebody reads or chooses, so that bots hold; or has done so, and they may go on."""
    table = await tables.table(table_id)
    seat_to_move(table, mine := table.seats_of(tokens))
    for seat in mine:
        tables.bots.pace.say(table_id, seat, wish)


async def be_absent(tables: Tables, table_id: str, tokens: Tokens, days: float) -> Table:
    """Somebody is away for so many days; or, with none, back."""
    table = await tables.table(table_id)
    seat_to_move(table, mine := table.seats_of(tokens))
    return await tables.be_absent(table_id, mine, time.time() + 86400 * days if days else 0.0)


async def leave(tables: Tables, table_id: str, tokens: Tokens) -> list[int]:
    """A bot takes the seats of who leaves; before the game starts they are free again. Which seats those were."""
    table = await tables.table(table_id)
    mine = table.seats_of(tokens)
    names = [table.seats[seat].name for seat in mine]
    await tables.leave(table_id, mine)
    for name in names:
        await tables.say(table_id, NOBODY, name)
    return mine


async def come_again(tables: Tables, table_id: str, tokens: Tokens) -> list[int]:
    """Who has left a moment ago sits there again. Which seats those are."""
    tables.quotas.say()
    mine = await tables.come_again(table_id, tokens)
    table = await tables.table(table_id)
    for seat in mine:
        await tables.say(table_id, NOBODY, RETURNED + table.seats[seat].name)
    return mine


async def rematch(tables: Tables, table_id: str, tokens: Tokens) -> str:
    """The same people at a new table, where their tokens hold too; the seats move on by one."""
    table = await tables.table(table_id)
    seat_to_move(table, table.seats_of(tokens))
    return await tables.rematch(table_id)


async def learn(tables: Tables, game: str, name: str) -> Table:
    """A table for a lesson; bots as gentle as there are, for who plays on afterwards."""
    found = lesson(find(game))
    if found is None:
        raise SheepfoldError(f"there is no guided game of {find(game).title} yet")
    seats = [person_seat(name), *(bot_seat(found.level, bot) for bot in bot_names(found.setup.seats - 1))]
    return await tables.create(find(game).name, seats, found.setup.changed_options(), {"guide": "on"})


async def guide(tables: Tables, table_id: str, tokens: Tokens, wish: str) -> Table:
    """In a lesson: try again, show me, or play on without it."""
    table = await tables.table(table_id)
    seat = seat_to_move(table, table.seats_of(tokens), LEARNER)
    return await tables.guide(table_id, seat, wish)


# The same for programs.

router = APIRouter(prefix="/api", tags=["api"], responses=LIKELY)


class GuideWish(BaseModel):
    """What a learner asks of the guide."""

    model_config = ConfigDict(extra="forbid")
    wish: str = Field(pattern="^(again|show|leave)$", description="Take back what was not asked for, have it done, or play on without")


class LessonWish(BaseModel):
    """Somebody who wants to learn a game."""

    model_config = ConfigDict(extra="forbid")
    name: Name = ""


@router.post("/tables/{table_id}/hint")
async def ask_hint(request: Request, table_id: TableId, authorization: Token = None, language: Language = "en") -> dict[str, Any]:
    """What a good bot would do on your seat, when it is your turn: the `action`, and the `reason`. Takes as long as a bot's move."""
    return await hint(tables_of(request), table_id, bearer(authorization), spoken(language))


@router.post("/tables/{table_id}/chat", status_code=201)
async def say_line(request: Request, table_id: TableId, wish: ChatWish, authorization: Token = None) -> dict[str, Any]:
    """Say a line at the table where you sit; `said` is how many there are now."""
    table = await say(tables_of(request), table_id, bearer(authorization), wish.text)
    return {"said": table.said, "revision": table.revision}


@router.get("/tables/{table_id}/chat")
async def earlier_lines(
    request: Request, table_id: TableId, before: Annotated[int, Query(ge=0, le=1_000_000_000)] = 1_000_000_000, language: Language = "en"
) -> dict[str, Any]:
    """The latest lines of chat before that number: `chat` has who, what and when, `since` is the number of the first; 0 when there are no
    earlier ones. A scene has the latest, and in `said` how many there are."""
    return await earlier(tables_of(request), table_id, before, spoken(language))


@router.post("/tables/{table_id}/back")
async def come_back(request: Request, table_id: TableId, authorization: Token = None) -> dict[str, Any]:
    """You are here again: the bot that played for you gives the seat back."""
    tables, tokens = tables_of(request), bearer(authorization)
    seat_to_move(table := await tables.table(table_id), table.seats_of(tokens))
    return {"revision": (await back(tables, table_id, tokens)).revision}


class PauseWish(BaseModel):
    """Whether somebody would like the clock to rest."""

    model_config = ConfigDict(extra="forbid")
    wish: str = Field(pattern="^(yes|no)$")


class BotsWish(BaseModel):
    """Whether bots are to hold."""

    model_config = ConfigDict(extra="forbid")
    wish: str = Field(pattern=f"^({'|'.join(WISHES)})$", description="Bots are to wait for you; or they may go on")


class AbsenceWish(BaseModel):
    """How long somebody will be away."""

    model_config = ConfigDict(extra="forbid")
    days: float = Field(ge=0, le=21, allow_inf_nan=False, description="From now on; 0: back again")


@router.post("/tables/{table_id}/pause")
async def let_rest(request: Request, table_id: TableId, wish: PauseWish, authorization: Token = None) -> dict[str, Any]:
    """Ask for a pause, or agree to it: the clock rests when all people have; `no` declines, or lets it run again."""
    table = await pause(tables_of(request), table_id, bearer(authorization), wish.wish)
    return {"revision": table.revision, "on": bool(table.settings.get(PAUSED))}


@router.post("/tables/{table_id}/bots")
async def let_hold(request: Request, table_id: TableId, wish: BotsWish, authorization: Token = None) -> dict[str, Any]:
    """Let bots `hold` while you read or choose, for ten minutes at most; with others, or a clock, only where you might act out of turn, and
    for 20 seconds from one turn of yours to the next. Then let them `go` on."""
    await of_bots(tables_of(request), table_id, bearer(authorization), wish.wish)
    return {}


@router.post("/tables/{table_id}/absence")
async def announce_absence(request: Request, table_id: TableId, wish: AbsenceWish, authorization: Token = None) -> dict[str, Any]:
    """Say for how many days you are away: your clock does not run so long. No more than 21 days of a game in all."""
    return {"revision": (await be_absent(tables_of(request), table_id, bearer(authorization), wish.days)).revision}


@router.post("/tables/{table_id}/leave")
async def go_away(request: Request, table_id: TableId, authorization: Token = None) -> dict[str, Any]:
    """Leave: a bot takes your `seats`; before the game starts they are free again. `return` takes them back, for a while."""
    left = await leave(tables_of(request), table_id, bearer(authorization))
    if not left:
        raise NotSeated("You watch this table.")
    return {"seats": left}


@router.post("/tables/{table_id}/return")
async def sit_again(request: Request, table_id: TableId, authorization: Token = None) -> dict[str, Any]:
    """Take the `seats` back that you have left in the last 15 minutes, with the token that you had there."""
    return {"seats": await come_again(tables_of(request), table_id, bearer(authorization))}


@router.post("/tables/{table_id}/rematch")
async def play_again(request: Request, table_id: TableId, authorization: Token = None) -> dict[str, Any]:
    """The same people at a new `table`, when the game is over; your token is the same there. Made once, whoever asks first."""
    return {"table": await rematch(tables_of(request), table_id, bearer(authorization))}


@router.post("/games/{game}/lesson", status_code=201)
async def begin_lesson(request: Request, game: str, wish: LessonWish, language: Language = "en") -> dict[str, Any]:
    """A table with the guided first game of a game. What the guide says and asks for is `guide` in the scene of your seat."""
    otherwise = Voice([WORDS], spoken(language)).say("you")
    table = await learn(tables_of(request), game, clean_name(wish.name, otherwise))
    return {"table": table.id, "token": table.seats[LEARNER].token, "seats": [LEARNER]}


@router.post("/tables/{table_id}/guide")
async def ask_guide(request: Request, table_id: TableId, wish: GuideWish, authorization: Token = None) -> dict[str, Any]:
    """In a lesson: take back what was not asked for (`again`), have it done (`show`), or play on without the guide (`leave`)."""
    table = await guide(tables_of(request), table_id, bearer(authorization), wish.wish)
    return {"ply": table.ply, "revision": table.revision}
