"""The page of a study: one file that needs nothing else: the best of the tries, what each goal came to, and their component files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

from sheepfold.arena import page, plots
from sheepfold.arena.page import Section, data_link
from sheepfold.messages import Voice
from sheepfold.tune.goals import Goal, Value
from sheepfold.tune.study import Point, Study

HERE = Path(__file__).parent
Rows = list[Sequence[object]]


def make_page(study: Study, points: Sequence[Point], fresh: int, language: str) -> str:
    """The page as HTML. `points` are the best, as they were measured with so many fresh seeds; with none, as they were tried."""
    plan, voice = study.plan, Voice([HERE / "locale", HERE.parent / "arena" / "locale"], language)
    intro = voice.say("tuned.intro", tries=len(study.points), games=plan.games, bots=", ".join(dict.fromkeys(plan.bots)), seed=plan.seed)
    intro += " " + (voice.say("tuned.afresh", games=fresh) if fresh else voice.say("tuned.stopped"))
    sections = [_points(study, points, voice)]
    tried = [point for point in study.points if not point.refused]
    for one, other in combinations(range(len(study.goals)), 2):
        sections.append(_front(study, tried, points, one, other, voice))
    sections += [_goal(goal, points, voice) for goal in study.goals]
    title = voice.say("tuned.title", game=study.game.title, seats=plan.seats)
    return page.page(study.game, title, intro, sections, [], [], voice)


def written(value: float, goal: Goal, voice: Voice) -> str:
    """A number of a goal's figure: shares in per cent."""
    return voice.percent(value, 1) if goal.share else voice.number(value, 2)


def worst(goal: Goal, point: Point) -> Value:
    """The figure of a goal that misses it by most: of several seats the least equal one."""
    return max((point.figures[name] for name in goal.names), key=lambda found: max(goal.low - found.value, found.value - goal.high))


def _points(study: Study, points: Sequence[Point], voice: Voice) -> Section:
    places = [each.place for each in study.ranges]
    cells, missed, files = [], [], []
    for number, point in enumerate(points, start=1):
        found = [(goal, worst(goal, point)) for goal in study.goals]
        measured = [f"{written(value.value, goal, voice)} ± {written(value.half, goal, voice)}" for goal, value in found]
        cells.append([str(number), *(point.values[place] for place in places), *measured])
        missed.append({1 + len(places) + at for at, by in enumerate(point.missed) if by})
        if text := study.component_file(point):
            name = f"{study.game.name}-point-{number}.toml"
            files.append(data_link(name, "text/plain", text, voice.say("tuned.file", number=number)))
    drawn = plots.table([voice.say("tuned.number"), *places, *(goal.text for goal in study.goals)], cells, missed)
    drawn += f"<nav>{''.join(files)}</nav>" if files else ""
    return Section("points", voice.say("tuned.points"), voice.say("tuned.points.text"), drawn, _as_rows(study, points))


def _front(study: Study, tried: Sequence[Point], points: Sequence[Point], one: int, other: int, voice: Voice) -> Section:
    x, y = (study.goals[at] for at in (one, other))
    across, up = (plots.Axis(voice.say("tuned.missed", goal=goal.text), _tick(goal, voice)) for goal in (x, y))
    every, best = ([(point.missed[one], point.missed[other]) for point in some] for some in (tried, points))
    title = voice.say("tuned.front", one=x.text, other=y.text)
    drawn = plots.fitted(lambda width: plots.front(title, every, best, across, up, width))
    return Section(f"front-{one + 1}-{other + 1}", title, voice.say("tuned.front.text"), drawn, _as_rows(study, study.points))


def _goal(goal: Goal, points: Sequence[Point], voice: Voice) -> Section:
    rows, said, data = [], [], Rows([("point", "figure", "value", "low", "high")])
    for number, point in enumerate(points, start=1):
        value, half = worst(goal, point)
        rows.append(plots.Bar(voice.say("tuned.point", number=number), value, value - half, value + half))
        said.append(f"{written(value, goal, voice)} ± {written(half, goal, voice)}")
        for name in goal.names:
            found = point.figures[name]
            data.append((number, name, found.value, found.value - found.half, found.value + found.half))
    draw = partial(plots.dots, voice, goal.text, rows, said=said, zone=(goal.low, goal.high), tick_said=_tick(goal, voice))
    text = voice.say("tuned.goal.text") + (" " + voice.say("tuned.goal.worst") if len(goal.names) > 1 else "")
    return Section(f"goal-{goal.names[0]}", goal.text, text, plots.fitted(lambda width: draw(width=width)), data)


def _tick(goal: Goal, voice: Voice) -> Callable[[float], str]:
    """How a number on an axis is written: no more places than it needs."""

    def said(value: float) -> str:
        shown = 100 * value if goal.share else value
        places = 0 if round(shown, 6) == int(round(shown, 6)) else 1
        return voice.percent(value, places) if goal.share else voice.number(value, places)

    return said


def _as_rows(study: Study, points: Sequence[Point]) -> Rows:
    """Points with their values and how far they missed each goal."""
    places = [each.place for each in study.ranges]
    head = ("point", *places, *(f"missed {goal.text}" for goal in study.goals), "refused")
    none = [""] * len(study.goals)
    rows = [(at, *(each.values[place] for place in places), *(each.missed or none), each.refused) for at, each in enumerate(points, 1)]
    return [head, *rows]
