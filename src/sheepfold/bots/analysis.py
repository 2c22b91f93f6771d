"""Looking back: what a strong bot thinks of every decision of a finished game.

Each decision is searched from the view of the seat that made it, as a bot in that seat would, so nobody is blamed for what could not
be known. What a decision cost is the share of the win that the bot expects after its own choice, less what it expects after the one
that was made. A cost that looks large is measured a second time with other dice, because the best of several guesses is mostly a
lucky one. Where the bot solves the end of a game, best and cost are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheepfold.bots import LEVELS
from sheepfold.bots.guided import Guided
from sheepfold.bots.search import Search
from sheepfold.bots.thinkers import CHUNK, GuidedBot, SearchBot, evaluator_of, settings_of, thinker
from sheepfold.bots.tree import Tree
from sheepfold.core.dice import Dice
from sheepfold.core.position import Position
from sheepfold.game.session import Session

STRONGEST = LEVELS[-1]
MOST_SIMULATIONS = 4000
"""Who looks back waits for all decisions of a game: each gets so many of the strongest level's simulations at most,"""
MOST_LOOKS = 60_000
"""and where it looks greedily none any more after looks at so many positions."""
WORTH_A_SECOND_LOOK = 0.04
SECOND_LOOK = 4
"""How many times as long a second look is."""
ENOUGH_VISITS = 20
"""With fewer visits in the tree an action's mean says little, and it is searched by itself."""
TURNING_POINT = 0.05
MOST_TURNING_POINTS = 8
LONGEST_LINE = 4


@dataclass(frozen=True)
class Finding:
    """What a strong bot thinks of one decision."""

    ply: int
    seat: int
    shares: list[float]
    """The share of the win that each seat may expect before the decision, if it is made well."""
    best: list[int]
    """What the bot would do: its action, and those of the same seat that follow at once."""
    loss: float
    """The share of the win that the decision cost; 0 where it was as good as the best."""


def asked(session: Session, ply: int) -> Position | None:
    """What a bot would have been shown at a ply instead of who acted; None for chance and where there was nothing to choose."""
    seat = session.events[ply].who
    view = session.shown_to_bot(seat, ply) if seat >= 0 else None
    return view if view and len(view.legal()) > 1 and len(evaluator_of(view).sensible(view)) > 1 else None


def find_out(view: Position, action: int, ply: int, simulations: int = 0) -> Finding:
    """Look at what was done at a ply by who was shown that; `simulations` other than the strongest level's are for tests."""
    seat = int(view.to_act)
    looking = _looking(view)
    simulations = simulations or min(looking.simulations, MOST_SIMULATIONS)
    dice = Dice(f"looking back {ply}")
    search = _searched(view, view, dice.split(0), simulations)
    branches = _branches(search, seat)
    best, _, shares = branches[0]
    loss = 0.0
    if exact := looking.solved(view):
        best, most = exact[0]
        loss = most - dict(exact)[action]
    elif action != best:
        found = next((each for each in branches if each[0] == action), None)
        made = found[2] if found and found[1] >= ENOUGH_VISITS else expected(view, action, simulations, dice.split(1))
        loss = shares[seat] - made[seat]
        if loss >= WORTH_A_SECOND_LOOK:
            with_best, with_made = (expected(view, each, simulations, dice.split(2), SECOND_LOOK)[seat] for each in (best, action))
            loss = with_best - with_made
    return Finding(ply, seat, [round(share, 4) for share in _shared(shares)], _line(search, view, best), round(max(0.0, loss), 4))


def result(position: Position) -> list[float]:
    """The shares of the win when the game is over."""
    ranks = position.ranks()
    return [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks]


def expected(view: Position, action: int, simulations: int, dice: Dice, times: int = 1) -> list[float]:
    """The shares of the win that are expected after an action of the view's seat, by a search of its own, so many times as long."""
    following = view.copy()
    following.advance(action)
    search = _searched(view, following, dice, simulations, times)
    return _means(search, search.root)


def turning_points(findings: Sequence[Finding]) -> list[Finding]:
    """The decisions that cost most, the largest first."""
    costly = sorted((each for each in findings if each.loss >= TURNING_POINT), key=lambda each: (-each.loss, each.ply))
    return costly[:MOST_TURNING_POINTS]


def _looking(view: Position) -> GuidedBot | SearchBot:
    """The strongest level where it searches, else a search by the judge."""
    strongest = thinker(settings_of(view, STRONGEST))
    return strongest if isinstance(strongest, GuidedBot | SearchBot) else GuidedBot(simulations=1000, judge=True)


def _searched(view: Position, following: Position, dice: Dice, simulations: int, times: int = 1) -> Guided | Search:
    """The tree for such views that has thought about what follows."""
    search = _looking(view).tree(view)
    for left in range(times * simulations, 0, -CHUNK):
        search.run(following, dice, min(CHUNK, left))
        if isinstance(search, Guided) and search.looked() >= times * MOST_LOOKS:
            break
    return search


def _means(search: Tree, node: int) -> list[float]:
    seats, visits = int(search.seats), max(1, int(search.visits[node]))
    return [float(search.total[node * seats + seat]) / visits for seat in range(seats)]


def _branches(search: Tree, mover: int, node: int = -1) -> list[tuple[int, int, list[float]]]:
    """A node's actions by a mover, with visits and the mean for every seat, the most visited first."""
    found = []
    child = int(search.first[search.root if node < 0 else node])
    while child:
        if search.mover[child] == mover and search.visits[child]:
            found.append((int(search.action[child]), int(search.visits[child]), _means(search, child)))
        child = int(search.sibling[child])
    return sorted(found, key=lambda branch: (-branch[1], -branch[2][mover], branch[0]))


def _shared(values: list[float]) -> list[float]:
    """The same as parts of one whole; alone, the chance to win is what it is."""
    whole = sum(values)
    return [value / whole for value in values] if len(values) > 1 and whole > 0 else values


def _line(search: Tree, view: Position, best: int) -> list[int]:
    """The action, and how the same seat would go on at once; the tree has no nodes for what is no choice."""
    seat, line, following = int(view.to_act), [best], view.copy()
    node = int(search.child(search.root, seat, best))
    following.advance(best)
    while following.to_act == seat and len(line) < LONGEST_LINE:
        actions = evaluator_of(following).sensible(following)
        if len(actions) > 1:
            known = [action for action, _, _ in _branches(search, seat, node) if action in actions] if node else []
            if not known:
                break
            node = int(search.child(node, seat, known[0]))
            actions = known
        line.append(int(actions[0]))
        following.advance(actions[0])
    return line
