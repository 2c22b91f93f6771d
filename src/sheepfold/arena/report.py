"""A report on a game as one page that needs nothing else: who wins, how long it takes, what is played when and what it earns.

The games are played for the report, by bots, or read from an arena's file. For components that are reconstructed, the game says
what to vary (`Game.what_ifs`): each change is a component file of its own, played with the same seeds as the game as it is.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from sheepfold.arena import plots
from sheepfold.arena.arena import Contest, Outcome, contend, duel, outcome_from
from sheepfold.arena.simulate import wilson
from sheepfold.bots import LEVELS, bot
from sheepfold.core.dice import Dice
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import CHANCE, OVER
from sheepfold.core.sequential import Sequential, sequential, unwrapped
from sheepfold.core.workers import pool
from sheepfold.game.game import Setup
from sheepfold.game.what_if import WhatIf
from sheepfold.messages import Voice

SLICES = 20
"""A game's decisions are looked at in so many parts of equal length."""


class Turn(NamedTuple):
    """A seat's decisions in a row: at which decision of the game it began, in which phase, with what kind of action, and what it earned."""

    at: int
    phase: int
    kind: str
    gain: float


@dataclass
class Watched:
    """What was noted of one game."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    events: int
    branching: list[int]
    """How many actions there were at each decision."""
    turns: list[Turn]

    def phase(self, turn: Turn) -> int:
        """The game's own phase, else the quarter of the game."""
        return turn.phase or min(4, 4 * turn.at // max(1, len(self.branching)) + 1)


def watch(setup: Setup, name: str, seed: str) -> Watched:
    """One game of a bot against itself."""
    game = setup.game
    dice = Dice(seed)
    player = bot(name)
    position = sequential(setup.start())
    branching: list[int] = []
    turns: list[Turn] = []
    last_seat, before, events = -1, [0.0], 0
    while position.to_act != OVER:
        seat = int(position.to_act)
        events += 1
        if seat == CHANCE:
            position.advance(position.random_action(dice))
            continue
        actions = position.legal()
        view = position.seen_by(seat)
        action = actions[0] if len(actions) == 1 else player.choose(view, dice)
        passing = isinstance(view, Sequential) and action == view.pass_action
        if not passing and seat != last_seat:
            now = game.earned(unwrapped(position))
            if turns:
                turns[-1] = turns[-1]._replace(gain=now[last_seat] - before[last_seat])
            kind = game.kind(unwrapped(view), action)
            turns.append(Turn(len(branching), game.phase(unwrapped(position)), kind, 0.0))
            last_seat, before = seat, now
        branching.append(len(actions))
        position.advance(action)
    if turns:
        turns[-1] = turns[-1]._replace(gain=game.earned(unwrapped(position))[last_seat] - before[last_seat])
    return Watched(tuple(map(int, position.ranks())), tuple(map(int, position.scores())), events, branching, turns)


def _watched(setup: Setup, name: str, seeds: Sequence[str], workers: int) -> Iterator[Watched]:
    """Those games in their order, played here or by workers."""
    if workers == 1:
        yield from (watch(setup, name, seed) for seed in seeds)
        return
    with pool(min(workers, len(seeds))) as processes:
        yield from processes.imap(partial(watch, setup, name), seeds)


# What was measured, in numbers.


class Comparison(NamedTuple):
    """A few numbers of many games, each with half the width of its 95 % interval, to compare two ways of making a game."""

    first_seat: tuple[float, float]
    points: tuple[float, float]
    lead: tuple[float, float]
    decisions: tuple[float, float]
    zero_turns: tuple[float, float]


COLUMNS = {"first-seat": "first_seat", "mean-points": "points", "lead": "lead", "decisions": "decisions", "zero-turns": "zero_turns"}
"""What is compared: by its heading's name in the words, its name in Comparison."""
SOLO_COLUMNS = {"won": "first_seat", "mean-points": "points", "decisions": "decisions"}
SHARES = ("first_seat", "zero_turns")


def figures(games: Sequence[Watched], solo_goal: int = 0) -> Comparison:
    def mean(values: Sequence[float]) -> tuple[float, float]:
        middle = sum(values) / len(values)
        spread = sqrt(sum((value - middle) ** 2 for value in values) / max(1, len(values) - 1))
        return middle, 1.96 * spread / sqrt(len(values))

    ordered = [[score for _, score in sorted(zip(game.ranks, game.scores, strict=True))] for game in games]
    return Comparison(
        mean([1 / game.ranks.count(1) if game.ranks[0] == 1 and game.scores[0] >= solo_goal else 0.0 for game in games]),
        mean([sum(game.scores) / len(game.scores) for game in games]),
        mean([float(abs(scores[0] - scores[1])) if len(scores) > 1 else 0.0 for scores in ordered]),
        mean([float(len(game.branching)) for game in games]),
        mean([sum(turn.gain == 0 for turn in game.turns) / max(1, len(game.turns)) for game in games]),
    )


def changed_components(setup: Setup, change: WhatIf, folder: Path) -> Path:
    """The game's component file with the text of one table changed."""
    text = (setup.game.folder / "components.toml").read_text(encoding="utf-8")
    head, table, tail = text.partition(f"[{change.table}]")
    section, bracket, rest = tail.partition("\n[")
    for pattern, other in change.edits:
        section, found = re.subn(pattern, other, section)
        if not table or not found:
            raise SheepfoldError(f"{setup.game.name} has no {pattern} in [{change.table}]")
    path = folder / f"{setup.game.name}.toml"
    path.write_text(head + table + section + bracket + rest, encoding="utf-8")
    return path


# The page.


def ladder_from(path: Path) -> tuple[Contest, list[Outcome]]:
    """An arena's file, or the folder that holds it."""
    file = path / "games.jsonl" if path.is_dir() else path
    try:
        first, *lines = file.read_text(encoding="utf-8").strip().split("\n")
        header = json.loads(first)
        contest = Contest(**{**header, "bots": tuple(header["bots"])})
        return contest, [outcome_from(json.loads(line)) for line in lines if line.endswith("}")]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SheepfoldError(f"{file} is no file of an arena ({error}); `sheepfold arena GAME --out DIR` writes one") from None


def make_report(
    setup: Setup,
    name: str,
    games: int,
    ladders: Sequence[tuple[Contest, list[Outcome]]],
    changes_too: bool,
    seed: str,
    language: str,
    progress: Callable[[int], None] = lambda done: None,
    workers: int = 1,
) -> str:
    """The page as HTML. Changes are of the game's own components: with others there are none."""
    voice = Voice([Path(__file__).parent / "locale"], language)
    done = 0

    def played(one: Setup) -> list[Watched]:
        nonlocal done
        found = []
        for watched in _watched(one, name, [f"{seed}/{number}" for number in range(games)], workers):
            found.append(watched)
            done += 1
            progress(done)
        return found

    watched = played(setup)
    title = voice.say("title", game=setup.game.title, seats=setup.seats)
    sections = [*_ladder(ladders, voice), *_seats(watched, setup, voice), *_scores(watched, voice), *_length(watched, voice)]
    sections += [*_branching(watched, voice), *_actions(watched, voice)]
    if what_ifs(setup, changes_too):
        sections += _changes(setup, watched, played, voice)
    intro = voice.say("intro", games=games, bot=name, seed=seed)
    differing = [f"{key}={str(value).lower()}" for key, value in setup.changed_options().items()]
    if setup.own_file:
        differing.append(setup.own_file)
    if differing:
        intro += " " + voice.say("intro.with", what=", ".join(differing))
    body = "\n".join(f"<section><h2>{escape(head)}</h2><p class=soft>{escape(text)}</p>{drawn}</section>" for head, text, drawn in sections)
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{plots.STYLE}</style></head><body><h1>{escape(title)}</h1>"
        f"<p class=soft>{escape(intro)}</p>{body}</body></html>\n"
    )


def work_of(setup: Setup, games: int, changes_too: bool) -> int:
    """How many games a report plays."""
    changes = len(what_ifs(setup, changes_too))
    return games * (1 + changes + (changes > 0 and changed_seats(setup) != setup.seats))


def what_ifs(setup: Setup, wanted: bool) -> tuple[WhatIf, ...]:
    """What is changed for a report, if it is wanted at all."""
    return setup.game.what_ifs if wanted and not setup.component_file else ()


def changed_seats(setup: Setup) -> int:
    """With how many players changes are played."""
    return setup.game.what_if_seats or setup.seats


Section = tuple[str, str, str]


def _ladder(ladders: Sequence[tuple[Contest, list[Outcome]]], voice: Voice) -> list[Section]:
    rows = []
    fair = 0.0
    for contest, outcomes in ladders:
        for one, other in pairwise(contest.bots):
            strong, weak = (one, other) if contest.alone else (other, one)
            won = duel(outcomes, strong, weak)
            count = sum(outcome.line_up.count(strong) == 1 for outcome in outcomes)
            if count:
                rows.append(plots.Bar(f"{strong} / {weak}", won.share, won.low, won.high, f"({voice.number(count)})"))
        fair = 1 / contest.seats
    if not rows:
        return []
    return [(voice.say("ladder"), voice.say("ladder.text"), plots.bars(voice, voice.say("ladder"), rows, fair, voice.say("fair")))]


def _seats(games: Sequence[Watched], setup: Setup, voice: Voice) -> list[Section]:
    if setup.seats == 1:
        return []
    rows = []
    for seat in range(setup.seats):
        won = wilson(sum(1 / game.ranks.count(1) for game in games if game.ranks[seat] == 1), len(games))
        rows.append(plots.Bar(voice.say("seat", number=seat + 1), won.share, won.low, won.high))
    return [(voice.say("seats"), voice.say("seats.text"), plots.bars(voice, voice.say("seats"), rows, 1 / setup.seats, voice.say("fair")))]


def _scores(games: Sequence[Watched], voice: Voice) -> list[Section]:
    winners = [float(score) for game in games for rank, score in zip(game.ranks, game.scores, strict=True) if rank == 1]
    others = [float(score) for game in games for rank, score in zip(game.ranks, game.scores, strict=True) if rank > 1]
    series = [(voice.say("scores.winners"), winners)] + ([(voice.say("scores.others"), others)] if others else [])
    return [(voice.say("scores"), voice.say("scores.text"), plots.histogram(voice, voice.say("scores"), series, voice.say("points")))]


def _length(games: Sequence[Watched], voice: Voice) -> list[Section]:
    lengths = [float(len(game.branching)) for game in games]
    drawn = plots.histogram(voice, voice.say("length"), [("", lengths)], voice.say("decisions"))
    return [(voice.say("length"), voice.say("length.text"), drawn)]


def _branching(games: Sequence[Watched], voice: Voice) -> list[Section]:
    parts: list[list[int]] = [[] for _ in range(SLICES)]
    for game in games:
        for index, count in enumerate(game.branching):
            parts[SLICES * index // len(game.branching)].append(count)
    lines: list[list[float]] = [[], [], []]
    for part in parts:
        ordered = sorted(part) or [0]
        for line, share in zip(lines, (0.1, 0.5, 0.9), strict=True):
            line.append(float(ordered[int(share * (len(ordered) - 1))]))
    drawn = plots.band(voice, voice.say("branching"), lines[1], lines[0], lines[2], voice.say("progress"))
    return [(voice.say("branching"), voice.say("branching.text"), drawn)]


def _actions(games: Sequence[Watched], voice: Voice) -> list[Section]:
    count: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    gain: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for game in games:
        for turn in game.turns:
            count[game.phase(turn)][turn.kind] += 1
            gain[game.phase(turn)][turn.kind] += turn.gain
    kinds = sorted({kind for row in count.values() for kind in row}, key=lambda kind: -sum(row[kind] for row in count.values()))
    named = any(turn.phase for game in games for turn in game.turns)
    label = "phase" if named else "quarter"
    rows = [(voice.say(label, number=each), [count[each][kind] / sum(count[each].values()) for kind in kinds]) for each in sorted(count)]
    shares = plots.stacks(voice, voice.say("actions"), rows, kinds)

    def worth(kind: str, each: int) -> str:
        times = count[each][kind]
        return f"{voice.number(gain[each][kind] / times, 2, signed=True)} ({times})" if times else "–"

    cells = [[kind, *(worth(kind, each) for each in sorted(count))] for kind in kinds]
    earning = plots.table([voice.say("kind"), *(row[0] for row in rows)], cells)
    return [(voice.say("actions"), voice.say("actions.text"), shares), (voice.say("earn"), voice.say("earn.text"), earning)]


def _changes(setup: Setup, watched: Sequence[Watched], played: Callable[[Setup], list[Watched]], voice: Voice) -> list[Section]:
    seats = changed_seats(setup)
    goal = setup.game.solo_goal if seats == 1 else 0
    own = Voice([setup.game.folder / "locale"], voice.language)
    base = figures(watched if seats == setup.seats else played(setup.game.setup(seats, None)), goal)
    columns = COLUMNS if seats > 1 else SOLO_COLUMNS
    rows, moved = [_figure_row(voice.say("as-it-is"), base, columns, voice)], [set[int]()]
    options = setup.changed_options() if seats == setup.seats else {}
    with tempfile.TemporaryDirectory() as folder:
        for change in setup.game.what_ifs:
            other = setup.game.setup(seats, changed_components(setup, change, Path(folder)), **options)
            found = figures(played(other), goal)
            rows.append(_figure_row(own.say(f"what-if.{change.name}"), found, columns, voice))
            moved.append({at for at, name in enumerate(columns.values(), 1) if _differ(getattr(base, name), getattr(found, name))})
    text = [voice.say("changes.text")] + ([own.say("what-if.seats")] if setup.game.what_if_seats else [])
    return [(voice.say("changes"), " ".join(text), plots.table([voice.say("change"), *map(voice.say, columns)], rows, moved))]


def _differ(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) > sqrt(one[1] ** 2 + other[1] ** 2)


def _figure_row(label: str, found: Comparison, columns: Mapping[str, str], voice: Voice) -> list[str]:
    cells = [label]
    for name in columns.values():
        value, width = getattr(found, name)
        share = name in SHARES
        middle = voice.number(100 * value, 1) if share else voice.number(value, 2)
        cells.append(f"{middle} ± {voice.percent(width, 1) if share else voice.number(width, 2)}")
    return cells


def _climbed(progress: Callable[[int], None], before: int, done: int) -> None:
    progress(before + done)


def level_ladder(
    setup: Setup, games: int, seed: str, workers: int, progress: Callable[[int], None] = lambda done: None
) -> list[tuple[Contest, list[Outcome]]]:
    """Every level alone against the one below it. Ctrl-C leaves no ladder that could be reported."""
    found: list[tuple[Contest, list[Outcome]]] = []
    for weak, strong in pairwise(LEVELS):
        contest = Contest(setup.game.name, setup.seats, (strong, weak), seed, dict(setup.changed_options()), True)
        outcomes = contend(contest, games, workers, progress=partial(_climbed, progress, games * len(found)))
        if len(outcomes) < games:
            raise KeyboardInterrupt
        found.append((contest, outcomes))
    return found
