"""A seat for a language model: `sheepfold mcp` offers looking, legal moves, playing and the rules as tools of the Model Context Protocol.

The seat is one of a game here, against bots, or one at a table of a server. Either gives a scene, all that the seat may see and do, in
the shape of the server's API; whatever a model reads is made of that alone, as for anybody else who plays.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from sheepfold.bots import STAND_IN
from sheepfold.bots.protocol import LET_GO
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import CHANCE
from sheepfold.game.decision import choices, outlined
from sheepfold.game.registry import find
from sheepfold.game.session import NotYourTurn
from sheepfold.messages import Voice
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.screen import Screen
from sheepfold.terminal.seating import Wishes, sit_down
from sheepfold.terminal.sitting import Sitting

LONGEST_WAIT = 60
"""Seconds that looking may take, where others are to act."""
LOOK_AGAIN = 0.5
"""Seconds from one look at a server to the next."""


class Seat(Protocol):
    """Where somebody sits."""

    def scene(self, since: int) -> dict[str, Any]:
        """All that the seat may see and do now, with the log from that ply on."""

    def play(self, ply: int, action: str) -> None:
        """Do something that answers a ply."""

    def rules(self) -> str:
        """The rules of the game, for players."""


# Here.


class SeatHere:
    """The only person's seat of a game in this process."""

    def __init__(self, sitting: Sitting, language: str) -> None:
        if len(sitting.people) != 1:
            raise SheepfoldError(f"a model takes one seat, and bots the others: --bot, not {len(sitting.people)} people")
        self.sitting, self.session, self.seat = sitting, sitting.session, sitting.people[0]
        self.voice = Voice([self.session.game.folder / "locale"], language, self.session.record.names)
        self.let_go = -1
        """The ply at which it was not wanted to act out of turn."""
        self._go_on()

    def _go_on(self) -> None:
        """All that happens until the model may decide something."""
        session, sitting = self.session, self.sitting
        while not session.over:
            turn = int(session.position.to_act)
            if turn == CHANCE:
                sitting.let_chance_happen()
            elif (foregone := session.foregone(session.position)) is not None:
                sitting.act(foregone)
            elif sitting.let_bots_interrupt():
                continue
            elif turn == self.seat or (session.ply != self.let_go and session.view(self.seat).interruptions(self.seat)):
                return
            else:
                sitting.let_bot_act()

    def scene(self, since: int) -> dict[str, Any]:
        session, game = self.session, self.session.game
        view, over = session.view(self.seat), session.over
        mine = not over and int(session.position.to_act) == self.seat
        others = view.interruptions(self.seat) if not over and not mine else []
        since = session.told_since(since)
        return {
            "title": game.title,
            "ply": session.ply,
            "status": "over" if over else "playing",
            "seat": self.seat,
            "prompt": game.prompt(view, self.voice),
            "outline": outlined(game, view, self.seat, self.voice),
            "actions": choices(game, view, view.legal() if mine else [], self.voice),
            "interruptions": choices(game, view, others, self.voice),
            "players": [{"seat": seat, "name": self.voice.name(seat), "score": int(score)} for seat, score in enumerate(view.scores())],
            "ranks": [int(rank) for rank in session.position.ranks()] if over else None,
            "log": [vars(told) for told in session.told(self.seat, self.voice, since)],
        }

    def play(self, ply: int, action: str) -> None:
        session = self.session
        mine = int(session.position.to_act) == self.seat
        if session.over or (not mine and not session.view(self.seat).interruptions(self.seat)):
            raise NotYourTurn("over" if session.over else "not-your-turn", "You are not to act.")
        if not mine and action.strip().lower() == LET_GO:
            self.let_go = session.ply
        else:
            chosen, _ = session.read(self.seat, action)
            self.sitting.act(chosen) if mine else self.sitting.interrupt(self.seat, chosen)
        self._go_on()

    def rules(self) -> str:
        return self.session.game.help(self.voice.language, self.session.setup)


# At a server.


class SeatThere:
    """A seat at a table of a server, by its API."""

    def __init__(self, address: str, token: str, language: str) -> None:
        parts = urlsplit(address)
        self.table = parts.path.rstrip("/").rpartition("/")[2]
        if parts.scheme not in ("http", "https") or not parts.path.startswith("/t/") or not self.table:
            raise SheepfoldError(f"{address!r} is no table's address, as in https://sheep.example/t/abcd")
        self.server, self.token, self.language = f"{parts.scheme}://{parts.netloc}", token, language

    def sit_down(self, seat: int, name: str) -> None:
        """Take an open seat."""
        self.token = self._ask("POST", "/seats", {"seat": seat, "name": name})["token"]

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        content = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self.server}/api/tables/{self.table}{path}", content, headers, method=method), timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            raise SheepfoldError(_problem(error)) from None
        except (URLError, TimeoutError, ValueError) as error:
            raise SheepfoldError(f"{self.server} does not answer: {error}") from None

    def scene(self, since: int) -> dict[str, Any]:
        found: dict[str, Any] = self._ask("GET", f"?since={since}&language={self.language}")
        return found

    def play(self, ply: int, action: str) -> None:
        if action.strip().lower() == LET_GO and not self.scene(ply)["actions"]:
            return  # at a table nobody waits for who does not interrupt
        self._ask("POST", "/moves", {"ply": ply, "action": action})

    def rules(self) -> str:
        return find(self.scene(0)["game"]).help(self.language)


def _problem(error: HTTPError) -> str:
    """What a server says is wrong."""
    try:
        said = json.load(error)
        return str(said.get("problem") or said)
    except (ValueError, AttributeError):
        return f"{error.code} {error.reason}"


# What a model reads.


def described(scene: Mapping[str, Any], say: Callable[..., str]) -> str:
    """A scene as text."""
    players, seat = scene["players"], scene["seat"]
    parts = []
    if seat is not None:
        parts.append(say("mcp.you", who=players[seat]["name"], number=seat + 1, seats=len(players), title=scene["title"]))
    parts.append(scene["prompt"])
    parts += [_passage(passage) for passage in scene["outline"]]
    parts.append(say("mcp.points", points=", ".join(f"{each['name']} {each['score']}" for each in players)))
    if scene["ranks"]:
        parts.append(say("mcp.places", places=", ".join(f"{each['name']} {scene['ranks'][each['seat']]}" for each in players)))
    lines = [f"- {line}" for told in scene["log"] for line in told["lines"]]
    if lines:
        parts.append("\n".join([say("mcp.happened"), *lines]))
    return "\n\n".join(filter(None, parts))


def _passage(passage: Mapping[str, Any]) -> str:
    rows = [["", *passage["columns"]], *passage["rows"]] if passage["rows"] else []
    return "\n".join([f"## {passage['title']}", *passage["lines"], *(" | ".join(["", *row, ""]).strip() for row in rows)])


def listed_moves(scene: Mapping[str, Any], say: Callable[..., str]) -> str:
    """What can be done now, one a line: the text to play, and what it means."""
    if scene["actions"]:
        return "\n".join([say("mcp.moves"), *map(_move, scene["actions"])])
    if scene["interruptions"]:
        return "\n".join([say("mcp.out-of-turn", let_go=LET_GO), *map(_move, scene["interruptions"])])
    return say("mcp.over" if scene["status"] == "over" else "mcp.no-moves")


def _move(choice: Mapping[str, Any]) -> str:
    return f"- {choice['action']}: {choice['label']}" + (f" (+{choice['gain']})" if choice.get("gain", 0) > 0 else "")


class Tools:
    """What a model can do at its seat; one thing at a time."""

    def __init__(self, seat: Seat, language: str) -> None:
        self.seat, self.say = seat, terminal_voice(language).say
        self.known = 0
        """The ply up to which it was told what happened."""
        self._one = threading.Lock()

    def look(self, wait_seconds: int = 0) -> str:
        with self._one:
            return self._look(wait_seconds)

    def _look(self, seconds: float) -> str:
        until, since = time.monotonic() + min(max(0, seconds), LONGEST_WAIT), self.known
        scene = self.seat.scene(since)
        while scene["status"] == "playing" and not scene["actions"] and not scene["interruptions"] and time.monotonic() < until:
            time.sleep(LOOK_AGAIN)
            scene = self.seat.scene(since)
        self.known = scene["ply"]
        return described(scene, self.say)

    def legal_moves(self) -> str:
        with self._one:
            return listed_moves(self.seat.scene(self.known), self.say)

    def play(self, move: str) -> str:
        with self._one:
            self.seat.play(self.seat.scene(self.known)["ply"], move)
            return self._look(0)

    def rules(self) -> str:
        with self._one:
            return self.seat.rules()


TOOLS = ("look", "legal_moves", "play", "rules")


def server_of(tools: Tools) -> Any:
    """The tools as a server of the protocol."""
    library: Any = wanted("mcp.server.mcpserver", "mcp")
    server = library.MCPServer("sheepfold", instructions=tools.say("mcp.instructions"), log_level="WARNING")
    for name in TOOLS:
        server.tool(name, description=tools.say(f"mcp.tool.{name}"), structured_output=False)(_explained(getattr(tools, name)))
    return server


def _explained(tool: Callable[..., str]) -> Callable[..., str]:
    """A tool whose errors a model can mend, because it is told them; the library keeps others to itself."""

    @wraps(tool)
    def telling(*given: Any, **named: Any) -> str:
        try:
            return tool(*given, **named)
        except SheepfoldError as error:
            raise wanted("mcp.server.mcpserver.exceptions", "mcp").ToolError(str(error)) from error

    return telling


def seat_here(wishes: Wishes, language: str) -> SeatHere:
    """A game of its own, against bots; gentle ones where nothing is said."""
    if wishes.game is None and wishes.record is None:
        raise SheepfoldError("name a game to play here, or a table of a server: --table https://sheep.example/t/abcd")
    if not wishes.bots and wishes.seats != 1 and not (wishes.record and wishes.record.exists()):
        wishes.bots = [STAND_IN]
    return SeatHere(sit_down(wishes, Screen(), language), language)


def seat_there(table: str, seat: int | None, name: str, token: str | None, language: str) -> SeatThere:
    """A seat at a server's table: one that is held by its token, or an open one to sit down on, or nobody's, to look on."""
    there = SeatThere(table, token or "", language)
    if seat is not None and not token:
        there.sit_down(seat - 1, name)
    return there


def offer(seat: Seat, language: str) -> int:
    """Answer a model on standard input and output until it goes."""
    server_of(Tools(seat, language)).run("stdio")
    return 0
