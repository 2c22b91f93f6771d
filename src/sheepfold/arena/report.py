"""A report on a game as one page that needs nothing else: who wins, how long it takes, what is played when and what it earns.

The games are played for the report (`watching.py`), by one level or several; or they are those of an arena's file, and nothing else
is played. For components that are reconstructed, the game says what to vary (`Game.what_ifs`): each change is a component file of
its own, played with the same seeds as the game as it is.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from sheepfold.arena import plots
from sheepfold.arena.arena import Contest, Outcome, contend, duel, duels_of, outcome_from, standings
from sheepfold.arena.crew import all_done
from sheepfold.arena.kept_games import KeptGames
from sheepfold.arena.page import Level, Section, data_link, page
from sheepfold.arena.replays import Replay, replay
from sheepfold.arena.simulate import wilson
from sheepfold.arena.watching import Watched, watch
from sheepfold.bots import LEVELS
from sheepfold.core.errors import SheepfoldError
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.ending import CLEAR
from sheepfold.game.game import Setup
from sheepfold.game.what_if import WhatIf
from sheepfold.messages import Voice

SLICES = 20
"""A game's decisions are looked at in so many parts of equal length."""
WHYS = ("closest", "comeback", "longest")
STEPS = (("look.back", "‹"), ("look.on", "›"))


def _watched(setup: Setup, name: str, seeds: Sequence[str], workers: int, kept: KeptGames, ray: str | None) -> Iterator[Watched]:
    """Those games in their order: kept ones, and the others played here, by workers or by a cluster."""
    found = [kept.find(setup, name, seed) for seed in seeds]
    missing = [seed for seed, game in zip(seeds, found, strict=True) if not game]
    played = all_done(partial(watch, setup, name), missing, min(workers, len(missing)), ray, in_order=True) if missing else iter(())
    for seed, game in zip(seeds, found, strict=True):
        if not game:
            kept.add(setup, name, seed, game := next(played))
        yield game


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

    return Comparison(
        mean([1 / game.ranks.count(1) if game.ranks[0] == 1 and game.scores[0] >= solo_goal else 0.0 for game in games]),
        mean([sum(game.scores) / len(game.scores) for game in games]),
        mean([float(game.lead) for game in games]),
        mean([float(len(game.branching)) for game in games]),
        mean([sum(turn.gain == 0 for turn in game.turns) / max(1, len(game.turns)) for game in games]),
    )


def changed_components(setup: Setup, change: WhatIf) -> EnteredFile:
    """The game's component file with the text of one table changed."""
    head, table, tail = str(setup.game.printed).partition(f"[{change.table}]")
    section, bracket, rest = tail.partition("\n[")
    for pattern, other in change.edits:
        section, found = re.subn(pattern, other, section)
        if not table or not found:
            raise SheepfoldError(f"{setup.game.name} has no {pattern} in [{change.table}]")
    return EnteredFile(f"{change.name}.toml", head + table + section + bracket + rest)


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
    bots: Sequence[str],
    games: int,
    ladders: Sequence[tuple[Contest, list[Outcome]]],
    changes_too: bool,
    seed: str,
    language: str,
    progress: Callable[[int], None] = lambda done: None,
    workers: int = 1,
    kept: KeptGames | None = None,
    ray: str | None = None,
) -> str:
    """The page as HTML, of so many games of each bot. Changes are of the game's own components: with others there are none."""
    voice = Voice([Path(__file__).parent / "locale"], language)
    keep = kept or KeptGames(None)
    done = 0

    def played(name: str, one: Setup) -> list[Watched]:
        nonlocal done
        found = []
        for watched in _watched(one, name, [f"{seed}/{number}" for number in range(games)], workers, keep, ray):
            found.append(watched)
            done += 1
            progress(done)
        return found

    levels, replays, rows = [], list[Replay](), []
    for name in bots:
        watched = played(name, setup)
        sections = [*_seats(_ended(watched), setup.seats, voice), *_scores(_ended(watched), voice), *_length(watched, voice)]
        sections += [*_branching(watched, voice), *_actions(watched, voice)]
        if what_ifs(setup, changes_too):
            sections += _changes(setup, watched, partial(played, name), voice)
        sections += _worth_a_look(setup, name, watched, replays, voice)
        levels.append(Level(name, sections))
        rows.append((name, figures(watched, setup.game.solo_goal if setup.seats == 1 else 0)))
    shared = [
        *_levels(rows, setup, voice),
        *_ratings([game for _, outcomes in ladders for game in outcomes], voice),
        *_duels(ladders, voice),
    ]
    intro = voice.say("intro", games=games, bot=" / ".join(bots), seed=seed)
    differing = [f"{key}={str(value).lower()}" for key, value in setup.changed_options().items()]
    if setup.own_file:
        differing.append(setup.own_file)
    if differing:
        intro += " " + voice.say("intro.with", what=", ".join(differing))
    return page(setup.game, voice.say("title", game=setup.game.title, seats=setup.seats), intro, shared, levels, replays, voice)


def arena_report(ladders: Sequence[tuple[Contest, list[Outcome]]], language: str) -> str:
    """The page of an arena, or of several about the same set-up, as HTML: made of their games alone."""
    voice = Voice([Path(__file__).parent / "locale"], language)
    first = ladders[0][0]
    if any(
        (each.game, each.seats, each.options, each.components) != (first.game, first.seats, first.options, first.components)
        for each, _ in ladders
    ):
        raise SheepfoldError("these arenas are about different games, seats, options or components: one report each is wanted")
    outcomes = [game for _, games in ladders for game in games]
    if not outcomes:
        raise SheepfoldError("there are no games in it yet: `sheepfold arena GAME --out DIR` plays them")
    setup = first.setup()
    seats = [(game.ranks, game.scores) for game in outcomes]
    sections = [*_ratings(outcomes, voice), *_duels(ladders, voice), *_seats(seats, setup.seats, voice), *_scores(seats, voice)]
    plies = [float(game.plies) for game in outcomes]
    drawn = plots.fitted(lambda width: plots.histogram(voice, voice.say("length"), [("", plies)], voice.say("events"), width=width))
    data = [("game", "events"), *((number, int(count)) for number, count in enumerate(plies, 1))]
    sections.append(Section("length", voice.say("length"), voice.say("length.events", games=len(plies)), drawn, data))
    title = voice.say("title.arena", game=setup.game.title, seats=setup.seats)
    intro = voice.say("intro.arena", games=len(outcomes), seed=" / ".join(dict.fromkeys(contest.seed for contest, _ in ladders)))
    return page(setup.game, title, intro, sections, [], [], voice)


def work_of(setup: Setup, bots: Sequence[str], games: int, changes_too: bool) -> int:
    """How many games a report plays."""
    changes = len(what_ifs(setup, changes_too))
    return len(bots) * games * (1 + changes + (changes > 0 and changed_seats(setup) != setup.seats))


def what_ifs(setup: Setup, wanted: bool) -> tuple[WhatIf, ...]:
    """What is changed for a report, if it is wanted at all."""
    return setup.game.what_ifs if wanted and not setup.component_file else ()


def changed_seats(setup: Setup) -> int:
    """With how many players changes are played."""
    return setup.game.what_if_seats or setup.seats


Ended = tuple[Sequence[int], Sequence[int]]
"""How a game ended: ranks and points by seat."""


def _ended(games: Sequence[Watched]) -> list[Ended]:
    return [(game.ranks, game.scores) for game in games]


def _ratings(outcomes: Sequence[Outcome], voice: Voice) -> list[Section]:
    """How strong each bot is, if bots have met at all."""
    found = standings(outcomes)
    rated = [(each, each.rating) for each in found if each.rating]
    if not rated:
        return []
    rows = [plots.Bar(each.name, rating.points, rating.low, rating.high, f"({voice.number(each.games)})") for each, rating in rated]
    drawn = plots.fitted(lambda width: plots.dots(voice, voice.say("ratings"), rows, width))
    headings = ("bot", "rating", "interval", "games-seats", "wins", "interval", "longest")
    cells = [
        [
            each.name, f"{rating.points:.0f}", f"{rating.low:.0f}–{rating.high:.0f}",
            f"{voice.number(each.games)} ({voice.number(each.seats)})",
            voice.percent(each.wins.share, 1), f"{voice.number(100 * each.wins.low, 1)}–{voice.number(100 * each.wins.high, 1)}",
            f"{voice.number(each.longest, 2)} s",
        ]
        for each, rating in rated
    ]  # fmt: skip
    data: list[Sequence[object]] = [
        ("bot", "rating", "low", "high", "above_next", "games", "seats", "wins", "wins_low", "wins_high", "longest_seconds"),
        *((each.name, *rating, each.games, each.seats, *each.wins, each.longest) for each, rating in rated),
    ]
    text = voice.say("ratings.text", games=len(outcomes))
    doubtful = [f"{one.name} / {other.name}" for (one, rating), (other, _) in pairwise(rated) if not rating.told_apart]
    if doubtful:
        text += " " + voice.say("ratings.untold", pairs=", ".join(doubtful))
    return [Section("ratings", voice.say("ratings"), text, drawn + plots.table([voice.say(each) for each in headings], cells), data)]


def _duels(ladders: Sequence[tuple[Contest, list[Outcome]]], voice: Voice) -> list[Section]:
    """Who won how often alone against another in all other seats, where that was played; each with its number of games."""
    rows, data = [], list[Sequence[object]]([("bot", "against", "games", "wins", "low", "high")])
    seats = 2
    for contest, outcomes in ladders:
        seats = contest.seats
        for one, other in contest.duels():
            if count := len(duels_of(outcomes, one, other)):
                won = duel(outcomes, one, other)
                rows.append(plots.Bar(f"{one} / {other}", won.share, won.low, won.high, f"({voice.number(count)})"))
                data.append((one, other, count, *won))
    if not rows:
        return []
    drawn = plots.fitted(lambda width: plots.bars(voice, voice.say("ladder"), rows, 1 / seats, voice.say("fair"), width))
    return [Section("duels", voice.say("ladder"), voice.say("ladder.text"), drawn, data)]


def _levels(rows: Sequence[tuple[str, Comparison]], setup: Setup, voice: Voice) -> list[Section]:
    """Several levels side by side."""
    if len(rows) < 2:
        return []
    columns = COLUMNS if setup.seats > 1 else SOLO_COLUMNS
    cells = [_figure_row(name, found, columns, voice) for name, found in rows]
    drawn = plots.table([voice.say("bot"), *map(voice.say, columns)], cells)
    return [Section("levels", voice.say("levels"), voice.say("levels.text"), drawn, _figure_data(rows, columns))]


def _seats(games: Sequence[Ended], seats: int, voice: Voice) -> list[Section]:
    if seats == 1:
        return []
    rows, data = [], list[Sequence[object]]([("seat", "games", "wins", "low", "high")])
    for seat in range(seats):
        won = wilson(sum(1 / ranks.count(1) for ranks, _ in games if ranks[seat] == 1), len(games))
        rows.append(plots.Bar(voice.say("seat", number=seat + 1), won.share, won.low, won.high))
        data.append((seat + 1, len(games), *won))
    drawn = plots.fitted(lambda width: plots.bars(voice, voice.say("seats"), rows, 1 / seats, voice.say("fair"), width))
    return [Section("seats", voice.say("seats"), voice.say("seats.text", games=len(games)), drawn, data)]


def _scores(games: Sequence[Ended], voice: Voice) -> list[Section]:
    placed = [
        (number, seat, rank, score) for number, game in enumerate(games, 1) for seat, (rank, score) in enumerate(zip(*game, strict=True), 1)
    ]
    winners = [float(score) for _, _, rank, score in placed if rank == 1]
    others = [float(score) for _, _, rank, score in placed if rank > 1]
    series = [(voice.say("scores.winners"), winners)] + ([(voice.say("scores.others"), others)] if others else [])
    drawn = plots.fitted(lambda width: plots.histogram(voice, voice.say("scores"), series, voice.say("points"), width=width))
    text = voice.say("scores.text", games=len(games))
    return [Section("scores", voice.say("scores"), text, drawn, [("game", "seat", "rank", "points"), *placed])]


def _length(games: Sequence[Watched], voice: Voice) -> list[Section]:
    lengths = [float(len(game.branching)) for game in games]
    drawn = plots.fitted(lambda width: plots.histogram(voice, voice.say("length"), [("", lengths)], voice.say("decisions"), width=width))
    data = [("game", "decisions"), *((number, len(game.branching)) for number, game in enumerate(games, 1))]
    return [Section("length", voice.say("length"), voice.say("length.text", games=len(games)), drawn, data)]


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
    drawn = plots.fitted(
        lambda width: plots.band(voice, voice.say("branching"), lines[1], lines[0], lines[2], voice.say("progress"), width)
    )
    data = [("part", "p10", "median", "p90", "decisions"), *zip(range(1, SLICES + 1), *lines, map(len, parts), strict=True)]
    return [Section("choices", voice.say("branching"), voice.say("branching.text"), drawn, data)]


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
    shares = plots.fitted(lambda width: plots.stacks(voice, voice.say("actions"), rows, kinds, width))

    def worth(kind: str, each: int) -> str:
        times = count[each][kind]
        return f"{voice.number(gain[each][kind] / times, 2, signed=True)} ({times})" if times else "–"

    cells = [[kind, *(worth(kind, each) for each in sorted(count))] for kind in kinds]
    earning = plots.table([voice.say("kind"), *(row[0] for row in rows)], cells)
    played = [
        ("phase", "begins_with", "turns", "share"),
        *((each, kind, count[each][kind], count[each][kind] / sum(count[each].values())) for each in sorted(count) for kind in kinds),
    ]
    earned = [
        ("phase", "begins_with", "turns", "points"),
        *((each, kind, times, gain[each][kind] / times) for each in sorted(count) for kind in kinds if (times := count[each][kind])),
    ]
    return [
        Section("actions", voice.say("actions"), voice.say("actions.text"), shares, played),
        Section("earnings", voice.say("earn"), voice.say("earn.text"), earning, earned),
    ]


def _changes(setup: Setup, watched: Sequence[Watched], played: Callable[[Setup], list[Watched]], voice: Voice) -> list[Section]:
    seats = changed_seats(setup)
    goal = setup.game.solo_goal if seats == 1 else 0
    own = Voice([setup.game.folder / "locale"], voice.language)
    base = figures(watched if seats == setup.seats else played(setup.game.setup(seats, None)), goal)
    columns = COLUMNS if seats > 1 else SOLO_COLUMNS
    all_found, moved = [(voice.say("as-it-is"), base)], [set[int]()]
    options = setup.changed_options() if seats == setup.seats else {}
    for change in setup.game.what_ifs:
        found = figures(played(setup.game.setup(seats, changed_components(setup, change), **options)), goal)
        all_found.append((own.say(f"what-if.{change.name}"), found))
        moved.append({at for at, name in enumerate(columns.values(), 1) if _differ(getattr(base, name), getattr(found, name))})
    text = [voice.say("changes.text")] + ([own.say("what-if.seats")] if setup.game.what_if_seats else [])
    rows = [_figure_row(label, found, columns, voice) for label, found in all_found]
    drawn = plots.table([voice.say("change"), *map(voice.say, columns)], rows, moved)
    return [Section("changes", voice.say("changes"), " ".join(text), drawn, _figure_data(all_found, columns))]


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


def _figure_data(rows: Sequence[tuple[str, Comparison]], columns: Mapping[str, str]) -> list[Sequence[object]]:
    headings = [heading for name in columns.values() for heading in (name, f"{name}_plus_minus")]
    return [("what", *headings), *((label, *(part for name in columns.values() for part in getattr(found, name))) for label, found in rows)]


def worth_a_look(games: Sequence[Watched]) -> dict[str, int]:
    """The games that a designer would want to see, by why: the closest, the biggest comeback, the longest; a number each."""
    numbers = range(len(games))
    found = {"longest": max(numbers, key=lambda at: len(games[at].branching))}
    if won := [at for at in numbers if len(games[at].ranks) > 1 and games[at].ranks.count(1) == 1]:
        found = {"closest": min(won, key=lambda at: (games[at].lead, -len(games[at].branching))), **found}
        back = max(won, key=lambda at: games[at].behind)
        if games[back].behind >= CLEAR:
            found["comeback"] = back
    return found


def _worth_a_look(setup: Setup, name: str, games: Sequence[Watched], replays: list[Replay], voice: Voice) -> list[Section]:
    """These games, each to be looked at in the page, and as a record; their replays are added to those of the page."""
    names = [f"{name} {seat + 1}" for seat in range(setup.seats)]
    drawn, data = "", list[Sequence[object]]([("why", "game", "points", "decisions", "behind")])
    for why, at in sorted(worth_a_look(games).items(), key=lambda item: WHYS.index(item[0])):
        game = games[at]
        points = " : ".join(map(str, game.scores))
        winners = ", ".join(who for who, rank in zip(names, game.ranks, strict=True) if rank == 1)
        told = voice.say(
            "look.told" if setup.seats > 1 else "look.told-solo", number=at + 1, who=winners, points=points, decisions=len(game.branching)
        )
        told += " " + voice.say("look.behind", share=voice.percent(game.behind)) if why == "comeback" else ""
        shown = replay(setup, game.log, names, voice.language)
        record = data_link(f"{setup.game.name}-{why}.txt", "text/plain", shown.record, voice.say("look.record"))
        slider = f'<input type="range" min="0" value="0" aria-label="{escape(voice.say("look.turn"))}">'
        back, on = (f'<button type="button" aria-label="{escape(voice.say(key))}">{sign}</button>' for key, sign in STEPS)
        drawn += (
            f'<details class="replay" name="replay" data-game="{len(replays)}"><summary><b>{escape(voice.say(f"look.{why}"))}</b>'
            f"<span>{escape(told)}</span></summary><figure></figure><p class=told aria-live=polite></p>"
            f"<div class=steps>{back}{slider}{on}<output></output></div><p class=data>{record}</p></details>"
        )
        data.append((why, at + 1, points, len(game.branching), game.behind))
        replays.append(shown)
    return [Section("games", voice.say("look"), voice.say("look.text"), drawn, data)]


def _climbed(progress: Callable[[int], None], before: int, done: int) -> None:
    progress(before + done)


def level_ladder(
    setup: Setup,
    games: int,
    seed: str,
    workers: int,
    progress: Callable[[int], None] = lambda done: None,
    kept: KeptGames | None = None,
    ray: str | None = None,
) -> list[tuple[Contest, list[Outcome]]]:
    """Every level alone against the one below it. Ctrl-C leaves no ladder that could be reported."""
    found: list[tuple[Contest, list[Outcome]]] = []
    for weak, strong in pairwise(LEVELS):
        contest = Contest(setup.game.name, setup.seats, (strong, weak), seed, dict(setup.changed_options()), True)
        path = kept.file(f"{strong}.jsonl") if kept else None
        outcomes = contend(contest, games, workers, path, ray, partial(_climbed, progress, games * len(found)))
        if len(outcomes) < games:
            raise KeyboardInterrupt
        found.append((contest, outcomes))
    return found
