"""Checks of what play stops for: that it adds up, says why, and lights what is there."""

from __future__ import annotations

import re

from sheepfold.game.conformance.contract import check, demand
from sheepfold.game.conformance.lines import Line
from sheepfold.game.game import Game
from sheepfold.game.moments import Moment
from sheepfold.game.session import Session
from sheepfold.messages import languages

IDS = re.compile(r'\bid="([^"]+)"')


@check
def moments_add_up(line: Line) -> None:
    """A moment's totals are the scores, its gains what changed by the event, since an earlier moment or the start; all have reasons."""
    if line.case.wrapped or type(line.game).moment is Game.moment:
        return
    session = Session(line.record())
    for place, viewer in enumerate(line.viewers):
        voice = line.case.voice(languages()[place % len(languages())])
        since = [[int(score) for score in line.positions[0].seen_by(viewer).scores()]]
        for seen in session.seen(viewer):
            moment = session.moment(seen, voice)
            if moment is None:
                continue
            where = f"{line.where(seen.ply)}, viewer {viewer}"
            scores = [int(score) for score in seen.after.scores()]
            _demand_gains(where, moment, scores, [*since, [int(score) for score in seen.before.scores()]])
            for text in (moment.title, *(reason for gain in moment.gains for reason in gain.reasons), moment.note or "-"):
                demand(text.strip() and "{" not in text and "\n" not in text, f"{where}: the moment says {text!r}")
            if moment.steps:
                drawn = set(IDS.findall(line.game.picture(seen.after, viewer, "bare", voice)))
                lit = {target for step in moment.steps for target in step.targets}
                demand(lit <= drawn, f"{where}: the moment lights {sorted(lit - drawn)}, which the picture does not show")
                demand(all(step.targets for step in moment.steps), f"{where}: a step lights nothing")
            since.append(scores)


def _demand_gains(where: str, moment: Moment, scores: list[int], bases: list[list[int]]) -> None:
    seats = [gain.seat for gain in moment.gains]
    demand(seats == sorted(set(seats) & set(range(len(scores)))), f"{where}: gains of seats {seats}")
    for gain in moment.gains:
        demand(gain.total == scores[gain.seat], f"{where}: seat {gain.seat} has {scores[gain.seat]}, but its gain says {gain.total}")
        demand(bool(gain.reasons), f"{where}: seat {gain.seat} is given {gain.points} without a reason")
    gained = {gain.seat: gain.points for gain in moment.gains}
    changes = [{seat: score - base[seat] for seat, score in enumerate(scores)} for base in bases]
    fitting = any(all(points == gained.get(seat, 0) for seat, points in change.items()) for change in changes)
    demand(not gained or fitting, f"{where}: gains {gained}, but the scores changed by {changes[-1]}")
