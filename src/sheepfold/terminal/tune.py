"""`sheepfold tune`: values that come near to what a designer wants, with a bar while it lasts, and the best of them at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from sheepfold.ansi import ink
from sheepfold.core.workers import cores
from sheepfold.messages import Voice
from sheepfold.terminal.arena import bar
from sheepfold.terminal.language import terminal_voice
from sheepfold.terminal.layout import wrapped
from sheepfold.terminal.screen import Screen, write
from sheepfold.tune.goals import Goal, Value
from sheepfold.tune.page import make_page
from sheepfold.tune.page import written as number
from sheepfold.tune.study import FRONT, PAGE, Plan, Point, Study, written


def tuned(plan: Plan, folder: Path, tries: int, fresh: int, workers: int | None, ray: str | None, language: str) -> int:
    """Try until there are so many tries, play the best once more with fresh seeds, and show them; the exit code."""
    voice, screen = terminal_voice(language), Screen()
    study = Study(plan, folder, workers or cores(), ray)
    tries = min(tries, study.size())
    stopped = False
    try:
        with bar(voice.say("tune.bar", title=study.game.title), tries) as progress:
            progress(len(study.points))
            for _ in study.go_on(tries):
                progress(len(study.points))
        best = study.best()
        with bar(voice.say("tune.again"), len(best)) as progress:
            points = []
            for point in best:
                points.append(study.tried(point.values, fresh))
                progress(len(points))
    except KeyboardInterrupt:
        stopped, points = True, study.best()
    refused = [point for point in study.points if point.refused]
    _wrap(screen, ink(voice.say("tune.title", title=study.game.title, seats=plan.seats, tries=len(study.points)), "bold"))
    if refused:
        _wrap(screen, voice.say("tune.refused", count=len(refused), why=refused[-1].refused))
    points.sort(key=lambda point: (-point.missed.count(0.0), point.missed))
    _show(screen, points, study.goals, voice)
    write(folder / FRONT, written(points, study.goals))
    if points:
        write(folder / PAGE, make_page(study, points, 0 if stopped else fresh, language))
    for place, point in enumerate(points, start=1):
        if text := study.component_file(point):
            write(folder / f"point-{place}.toml", text)
    if stopped:
        print(voice.say("tune.stopped", done=len(study.points), wanted=tries), file=sys.stderr)
        return 130
    print(voice.say("report.done", path=str(folder / PAGE)), file=sys.stderr)
    return 0


def _show(screen: Screen, points: Sequence[Point], goals: Sequence[Goal], voice: Voice) -> None:
    for place, point in enumerate(points, start=1):
        _wrap(screen, f"{place}. " + ", ".join(f"{name}={value}" for name, value in point.values.items()))
        for goal, missed in zip(goals, point.missed, strict=True):
            found = ", ".join(_value(point.figures[name], goal, voice) for name in goal.names)
            reached = voice.say("tune.reached") if not missed else voice.say("tune.missed", by=number(missed, goal, voice))
            _wrap(screen, f"   {goal.text}: {found} · {reached}")


def _value(found: Value, goal: Goal, voice: Voice) -> str:
    return f"{number(found.value, goal, voice)} ± {number(found.half, goal, voice)}"


def _wrap(screen: Screen, text: str) -> None:
    for line in wrapped(text, screen.size.columns):
        screen.show(line)
