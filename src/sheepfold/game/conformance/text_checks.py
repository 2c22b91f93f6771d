"""Checks of what is written: notation, records, and what players read, in every language."""

from __future__ import annotations

from collections import Counter

from sheepfold.ansi import width
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import HIDDEN
from sheepfold.core.sequential import unwrapped
from sheepfold.game.conformance.contract import SHOWN, Broken, check, demand
from sheepfold.game.conformance.lines import COLUMNS, ROWS, Line, effort, state
from sheepfold.game.game import tidy
from sheepfold.game.records import read_record, write_record
from sheepfold.game.registry import names
from sheepfold.messages import Voice, languages


@check
def texts_read_back(line: Line) -> None:
    """Every action's text is short lower-case text, unique in its position, and reads back to the same action."""
    if line.case.wrapped:
        return
    game = line.game
    for ply, position in enumerate(line.positions):
        lists: list[tuple[int | None, list[int]]] = [(None, position.legal())]
        if position.interruptible:
            lists += [(seat, position.interruptions(seat)) for seat in range(position.seats)]
        for seat, actions in lists:
            texts = [game.write(position, action) for action in actions]
            where = line.where(ply)
            for action, text in zip(actions, texts, strict=True):
                demand(text and text == tidy(text), f"{where}: the text of {action} is {text!r}")
            repeated = [text for text, count in Counter(texts).items() if count > 1]
            demand(not repeated, f"{where}: several actions are written {repeated[:SHOWN]}")
            few = actions if len(actions) <= 3 else [actions[line.dice("read", ply).below(len(actions))]]
            for action in few:
                _demand_reads_back(line, ply, seat, action)


def _demand_reads_back(line: Line, ply: int, seat: int | None, action: int) -> None:
    position = line.positions[ply]
    text = line.game.write(position, action)
    who = int(position.to_act) if seat is None else seat
    views = [position, position.seen_by(who)] if who >= 0 else [position]
    for view in views:
        written = line.game.write(view, action)
        demand(written == text, f"{line.where(ply)}: {action} is written {text!r}, but {written!r} in the view of {who}")
        found = line.game.read(view, f" {text.upper()} ", seat)
        demand(found == action, f"{line.where(ply)}: {action} is written {text!r}, which reads as {found}")


@check
def records_round_trip(line: Line) -> None:
    """A record written, read and replayed gives the same end."""
    if line.case.wrapped:
        return
    for ply in {len(line.events), len(line.events) // 3}:
        text = write_record(line.record(ply))
        position = line.positions[ply]
        if line.game.name in names():
            try:
                again = read_record(text)
            except SheepfoldError as error:
                raise Broken(f"{line.where(ply)}: the record that was written cannot be read: {error}") from error
            demand(again.setup == line.setup and again.events == line.events[:ply], f"{line.where(ply)}: the record reads otherwise")
            demand(state(again.end()) == state(position), f"{line.where(ply)}: the record ends otherwise")
            demand(write_record(again) == text, f"{line.where(ply)}: written again, the record differs")
        demand(state(line.record(ply).end()) == state(position), f"{line.where(ply)}: the events end otherwise")


@check
def words_work(line: Line) -> None:
    """Pictures, prompts, descriptions and tellings work in every language for every viewer, and what is printed fits the columns."""
    ways = [(viewer, language) for viewer in line.viewers for language in languages()]
    thorough = set(line.plies(effort(8) + 1))
    for ply in range(len(line.positions)):
        for viewer, language in ways if ply in thorough else [ways[ply % len(ways)]]:
            _demand_words(line, ply, viewer, line.case.voice(language))
    for language in languages():
        demand(line.game.help(language, line.setup).startswith("# "), f"{line.game.name}: no help in {language}")


def _demand_words(line: Line, ply: int, viewer: int, voice: Voice) -> None:
    game, position = line.game, unwrapped(line.positions[ply])
    view = position.seen_by(viewer)
    where = f"{line.where(ply)}, viewer {viewer}, {voice.language}"
    picture = game.text_picture(view, viewer, COLUMNS, voice)
    demand(picture.strip(), f"{where}: the picture is empty")
    shorter = game.text_excerpt(view, viewer, COLUMNS, ROWS, voice).split("\n")
    demand(len(shorter) <= max(ROWS, picture.count("\n") + 1), f"{where}: the excerpt has {len(shorter)} lines")
    sentences = [*picture.split("\n"), *shorter, *_sentence(game.prompt(view, voice), f"{where}: prompt")]
    for passage in game.outline(view, viewer, voice):
        demand(bool(passage.title and (passage.lines or passage.rows)), f"{where}: a passage of the outline is empty: {passage}")
        demand(all(len(row) == len(passage.columns) + 1 for row in passage.rows), f"{where}: rows of unequal length: {passage}")
        for text in (passage.title, *passage.lines, *passage.columns, *(cell for row in passage.rows for cell in row)):
            demand("{" not in text and "\n" not in text, f"{where}: the outline says {text!r}")  # it is read aloud: no columns to fit
    if int(view.to_act) == viewer:
        actions = view.legal()
        few = actions if len(actions) <= 8 else [actions[line.dice("describe", ply).below(len(actions))] for _ in range(8)]
        for action in few:
            sentences += _sentence(game.describe(view, action, voice), f"{where}: describe({action})")
            if why := game.reason(view, action, voice):
                sentences += _sentence(why, f"{where}: reason({action})")
    if viewer >= 0 and position.interruptible:
        for action in view.interruptions(viewer)[:8]:
            sentences += _sentence(game.describe(view, action, voice), f"{where}: describe({action})")
    if ply < len(line.events) and not line.case.wrapped:
        event = line.events[ply]
        shown = event.action if line.seen[viewer][ply] else HIDDEN
        after = line.positions[ply + 1].seen_by(viewer)
        for told in game.tell(view, shown, after, voice, event.who if event.interrupt else None):
            sentences += _sentence(told, f"{where}: tell")
    for text in sentences:
        demand(width(text) <= COLUMNS, lambda: f"{where}: {width(text)} columns: {text!r}")  # noqa: B023


def _sentence(text: str, where: str) -> list[str]:
    demand(text.strip() and "\n" not in text, f"{where} is {text!r}")
    demand("{" not in text, f"{where}: a value is not filled in: {text!r}")
    return [text]
