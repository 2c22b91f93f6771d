"""A complete client of the server's API, with nothing but the standard library: two programs play a game at random.

    python docs/example_client.py [ADDRESS] [GAME]

One makes a table and takes the first seat, the other sits down on the open one. Then each asks for the scene as its own seat sees it
and, when there are actions in it, posts one of them, until the game is over or the host has closed the table.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Client:
    """One seat's way to the server."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.address}/api{path}", content, headers, method=method), timeout=30) as answer:
            return json.load(answer)


def play(address: str, game: str) -> dict[str, Any]:
    """Play a game to its end; the last scene."""
    first = Client(address)
    made = first.ask("POST", "/tables", {"game": game, "seats": [{"kind": "me", "name": "Ada"}, {"kind": "open"}]})
    first.token = made["token"]
    table = f"/tables/{made['table']}"
    second = Client(address)
    second.token = second.ask("POST", f"{table}/seats", {"seat": 1, "name": "Ben"})["token"]
    seats = [first, second]
    while True:
        for player in seats:
            scene = player.ask("GET", f"{table}?since=1000000")  # the log is long; without it the answer is small
            if scene["status"] in ("over", "closed"):
                return dict(scene)
            if scene["actions"]:
                choice = random.choice(scene["actions"])
                try:
                    player.ask("POST", f"{table}/moves", {"ply": scene["ply"], "action": choice["action"]})
                except HTTPError as error:
                    if error.code not in (409, 503):  # another was quicker, or nothing can be stored just now: look again
                        raise


if __name__ == "__main__":
    address, game = [*sys.argv[1:], *["http://localhost:8321", "haste-bock"][len(sys.argv) - 1 :]][:2]
    end = play(address, game)
    print(end["prompt"])
    for player in end["players"]:
        print(f"{player['name']}: {player['score']} points" + (f", place {end['ranks'][player['seat']]}" if end["ranks"] else ""))
