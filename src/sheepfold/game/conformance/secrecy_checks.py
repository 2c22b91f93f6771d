"""Checks that nothing tells a viewer what it cannot know: in worlds that it cannot tell apart, all that reaches it is the same."""

from __future__ import annotations

from collections.abc import Callable

from sheepfold.core.dice import Dice
from sheepfold.core.position import CHANCE, EVERYTHING, HIDDEN, OVER, Position
from sheepfold.core.sequential import unwrapped
from sheepfold.game.conformance.contract import answer, check, demand, demand_same, memory
from sheepfold.game.conformance.lines import COLUMNS, ROWS, Line, Pair, play_on
from sheepfold.game.conformance.worlds import pairs
from sheepfold.game.records import Event, happen

BOTS: list[Callable[[Position, Dice], int]] = []
"""Whoever is to be checked for fairness beside the look-ahead below: given a view (in strict turns) and dice, an action."""


@check
def views_are_views(line: Line) -> None:
    """seen_by sets the viewer, seen twice is seen once, and the viewer's own choices are the true ones."""
    for ply, position in enumerate(line.positions):
        demand(position.viewer == EVERYTHING, f"{line.where(ply)}: the position itself has viewer {position.viewer}")
        for viewer in line.viewers:
            view = position.seen_by(viewer)
            where = f"{line.where(ply)}, viewer {viewer}"
            demand(view.viewer == viewer, f"{where}: viewer is {view.viewer}")
            demand(type(view) is type(position), f"{where}: a {type(view).__name__}")
            demand(view.seen_by(viewer).key() == view.key(), f"{where}: seen twice is not seen once")
            legal = answer(view.legal)
            own = int(position.to_act) in (viewer, OVER)
            demand(legal == position.legal() or (legal == "hidden" and not own), f"{where}: legal() differs in the view")
            if not line.game.secrets:
                demand(view.key() == position.key(), f"{where}: the view differs, though the game has no secrets")
        event = line.events[ply] if ply < len(line.events) else None
        if event is not None:
            demand(event.who < 0 or line.seen[event.who][ply], f"{line.where(ply)}: seat {event.who} does not see its own action")
            open_to_all = all(line.seen[viewer][ply] for viewer in line.viewers)
            demand(line.game.secrets or open_to_all, f"{line.where(ply)}: {event} is hidden, though the game has no secrets")


@check
def views_hide(line: Line) -> None:
    """Worlds that a viewer cannot tell apart give the same view, in its key and in all that it holds."""
    if line.game.secrets and line.finished:
        demand(pairs(line), f"{line.case}: the game has secrets, but nothing unseen could have been otherwise")
    for pair in pairs(line):
        one, two = pair.views
        demand_same(line, pair, "the view's key", one.key(), two.key())
        demand_same(line, pair, "the view's memory", memory(one), memory(two))
        demand_same(line, pair, "the score", (one.scores(), one.ranks()), (two.scores(), two.ranks()))


@check
def views_do_not_widen(line: Line) -> None:
    """A view of a view shows no more than the view."""
    for pair in pairs(line):
        one, two = pair.views
        for viewer in [*line.viewers, EVERYTHING]:
            seen = [answer(lambda v=v, w=viewer: v.seen_by(w).key()) for v in (one, two)]  # type: ignore[misc]
            demand_same(line, pair, f"seen_by({viewer}) of the view", *seen)


@check
def choices_hide(line: Line) -> None:
    """What may be done, and who might interrupt, is the same in worlds that a viewer cannot tell apart."""
    for pair in pairs(line):
        one, two = pair.views
        demand_same(line, pair, "legal()", answer(one.legal), answer(two.legal))
        demand_same(line, pair, "weights()", *(answer(v.weights) if int(v.to_act) == CHANCE else 0 for v in (one, two)))
        if int(pair.truth.to_act) == pair.viewer:
            demand_same(line, pair, "legal() of the position", pair.truth.legal(), pair.other.legal())
        for seat in range(one.seats):
            demand_same(line, pair, f"may_interrupt({seat})", pair.truth.may_interrupt(seat), pair.other.may_interrupt(seat))
            demand_same(line, pair, f"interruptions({seat})", *(answer(lambda v=v, s=seat: v.interruptions(s)) for v in (one, two)))  # type: ignore[misc]
        if pair.viewer >= 0:
            demand_same(line, pair, "interruptions()", pair.truth.interruptions(pair.viewer), pair.other.interruptions(pair.viewer))


@check
def pictures_hide(line: Line) -> None:
    """The picture is the same in worlds that a viewer cannot tell apart."""
    voice = line.case.voice("en")
    for pair in pairs(line):
        one, two = (line.game.text_picture(unwrapped(view), pair.viewer, COLUMNS, voice) for view in pair.views)
        demand_same(line, pair, "the picture", one, two)
        one, two = (line.game.text_excerpt(unwrapped(view), pair.viewer, COLUMNS, ROWS, voice) for view in pair.views)
        demand_same(line, pair, "the picture's excerpt", one, two)
        one, two = (line.game.picture(unwrapped(view), pair.viewer, "auto", voice) for view in pair.views)
        demand_same(line, pair, "the drawing", one, two)
        one, two = (str(line.game.outline(unwrapped(view), pair.viewer, voice)) for view in pair.views)
        demand_same(line, pair, "the outline", one, two)


@check
def words_hide(line: Line) -> None:
    """Prompt, descriptions and what is told of an event, a moment too, are the same in worlds that a viewer cannot tell apart."""
    voice = line.case.voice("en")
    for pair in pairs(line):
        views = one, two = [unwrapped(view) for view in pair.views]
        demand_same(line, pair, "the prompt", *(line.game.prompt(view, voice) for view in views))
        if line.case.wrapped:
            continue
        if int(pair.truth.to_act) == pair.viewer:
            for action in pair.truth.legal()[:20]:
                demand_same(line, pair, f"the description of {action}", *(line.game.describe(view, action, voice) for view in views))
                demand_same(line, pair, f"the gain of {action}", *(line.game.gain(view, action) for view in views))
                demand_same(line, pair, f"the reason for {action}", *(line.game.reason(view, action, voice) for view in views))
                demand_same(line, pair, f"the notation of {action}", *(line.game.write(view, action) for view in views))
        if pair.ply == len(line.events):
            continue
        event = line.events[pair.ply]
        other = _same_event(line, pair, event)
        if other is not None:
            after = line.positions[pair.ply + 1]
            seat = event.who if event.interrupt else None
            shown = event.action if line.seen[pair.viewer][pair.ply] else HIDDEN
            told = [line.game.tell(view, shown, end.seen_by(pair.viewer), voice, seat) for view, end in ((one, after), (two, other))]
            demand_same(line, pair, "what is told", *told)
            moments = [line.game.moment(view, shown, end.seen_by(pair.viewer), voice, seat) for view, end in ((one, after), (two, other))]
            demand_same(line, pair, "the moment", *map(str, moments))


def _same_event(line: Line, pair: Pair, event: Event) -> Position | None:
    """The pair's other world after an event that looks the same to the viewer; None where there is none or all is turned up."""
    seen = line.seen[pair.viewer][pair.ply]
    if line.turned_up[pair.ply + 1] > pair.ply or int(line.positions[pair.ply + 1].to_act) == OVER:
        return None
    actions = pair.other.interruptions(event.who) if event.interrupt else pair.other.legal()
    fitting = [action for action in actions if bool(pair.other.sees(pair.viewer, action)) == seen and (not seen or action == event.action)]
    if not fitting:
        return None
    action = fitting[line.dice("tell", pair.ply).below(len(fitting))]
    following = pair.other.copy()
    if following.reveals(action):
        return None
    happen(following, Event(event.who, action, event.interrupt))
    return None if following.to_act != line.positions[pair.ply + 1].to_act else following


@check
def bots_are_fair(line: Line) -> None:
    """From the same dice a guess, and whatever a bot makes of the view, are the same in worlds that its seat cannot tell apart."""
    for pair in pairs(line):
        one, two = pair.views
        guesses = [view.determinize(line.dice("fair", pair.ply)).key() for view in (one, two)]
        demand_same(line, pair, "determinize", *guesses)
        if int(pair.truth.to_act) == pair.viewer:
            for bot in [_look_ahead, *([] if pair.truth.interruptible else BOTS)]:
                moves = [int(bot(view, line.dice("bot", pair.ply))) for view in (one, two)]
                demand_same(line, pair, "a bot's move", *moves)


def _look_ahead(view: Position, dice: Dice) -> int:
    """A very small bot: of three moves that `random_action` draws, the one that ends best from a guess, a few events on."""
    best, chosen = -(2**62), -1
    for _ in range(3):
        action = int(view.random_action(dice))
        world = view.determinize(dice)
        if not world.allows(action):
            continue
        world.advance(action)
        play_on(world, dice, 6)
        score = world.scores()[view.to_act]
        if score > best:
            best, chosen = score, action
    return chosen
