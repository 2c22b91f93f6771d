"""Conformance: the contract of docs/architecture.md as checks that run on any game.

Each check is a function whose first sentence states a rule of the contract. It is given a `Line`, a game that was played at random with
a copy kept at every ply, and raises `Broken` where the rule is broken. Fairness rests on one idea: worlds that a
viewer cannot tell apart are made by replaying the line with the events that the viewer did not see drawn anew, and then
nothing that reaches the viewer may differ.

    python -m sheepfold.game.conformance GAME [--seats N]

checks one game; GAME may also be `module:ATTRIBUTE`, for a game that is not on the shelf.
"""

from __future__ import annotations

from sheepfold.game.conformance import (  # noqa: F401  they enter themselves
    determinize_checks,
    moment_checks,
    rule_checks,
    secrecy_checks,
    text_checks,
    travel_checks,
)
from sheepfold.game.conformance.checksums import checksums as checksums
from sheepfold.game.conformance.contract import CHECKS as CHECKS
from sheepfold.game.conformance.contract import Broken as Broken
from sheepfold.game.conformance.contract import faults as faults
from sheepfold.game.conformance.lines import Case as Case
from sheepfold.game.conformance.lines import Line as Line
from sheepfold.game.conformance.lines import cases as cases
from sheepfold.game.conformance.lines import effort as effort
from sheepfold.game.conformance.lines import play as play
from sheepfold.game.conformance.secrecy_checks import BOTS as BOTS
from sheepfold.game.conformance.worlds import Worlds as Worlds
from sheepfold.game.conformance.worlds import pairs as pairs
