"""Sealed chance: what chance does at a table is settled before the first event. Nothing public foretells it, and it can be checked.

A table has a secret. Its seal, the SHA-256 of the secret, is shown from the start on. The outcome at a ply is drawn with the HMAC-SHA-256
of the ply under the secret, taken as a fraction of 2**256, by the outcomes' weights: so it is the same whichever server draws, after a
restart, and when a move was taken back and is made again. When the game is over the secret is shown, and docs/check_chance.py does the sum
again without any of this.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from hashlib import sha256

from sheepfold.core.position import CHANCE, Position
from sheepfold.game.records import happen
from sheepfold.game.session import Session

BITS = 256


def new_secret() -> str:
    """What nobody can guess."""
    return secrets.token_hex(32)


class SealedChance:
    """The chance of one table."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self._key = secret.encode()

    @property
    def seal(self) -> str:
        """What may be shown before the end."""
        return sha256(self._key).hexdigest()

    def place(self, ply: int, weights: Sequence[int]) -> int:
        """Which of the outcomes with these weights happens at a ply."""
        drawn = int.from_bytes(hmac.digest(self._key, str(ply).encode(), "sha256"), "big")
        left = drawn * sum(weights) >> BITS
        for place, weight in enumerate(weights):
            if left < weight:
                return place
            left -= weight
        raise AssertionError("a fraction is less than one")

    def draw(self, position: Position, ply: int) -> int:
        """The outcome that happens at a position after so many events."""
        return int(position.legal()[self.place(ply, position.weights())])


def draws(session: Session, since: int) -> list[dict[str, object]]:
    """What chance did from a ply on, to be checked: how many outcomes there were, with which weights, and which of them it was."""
    found = []
    position = session.at(since)
    for ply, event in enumerate(session.events[since:], since):
        if event.who == CHANCE:
            outcomes = position.legal()
            names = [session.game.write(position, int(outcome)) for outcome in outcomes]
            weights = [int(weight) for weight in position.weights()]
            found.append({"ply": ply, "outcomes": names, "weights": weights, "drawn": names[outcomes.index(event.action)]})
        happen(position, event)
    return found
