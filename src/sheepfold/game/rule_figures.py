"""Figures: the pictures in the rules, drawn when they are read by the game's own picture code, so that they cannot be out of date.

In a help file a figure is a fenced block called `picture`: first what it starts from, then events as in a record, and wherever a line
begins with `---` a panel showing the position as it is then, with its caption:

    ```picture
    seats: 4
    window: fields 3 3 1 7
    draw:
      b . y . . r .
    --- Before
    1 slam 2
    1 slam b1 e 2
    --- Blue has rammed two
    ```

`draw` is for games whose positions can be drawn as text (`Game.from_drawing`), `window` names a part of the picture (`Game.window`), and
`view` is a seat. A figure is drawn with the game's own pieces; with `pieces: in play`, where no event depends on them, with those of the
table that it is read at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from sheepfold.core.errors import BadRecord
from sheepfold.core.position import SPECTATOR, Position
from sheepfold.game.component_file import Source
from sheepfold.game.game import Game
from sheepfold.messages import Voice

FENCE = re.compile(r"^```picture\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r"[ \t]*\{#([\w-]+)\}[ \t]*$", re.MULTILINE)
FACT = re.compile(r"([a-z-]+):\s*(.*)")
SCALE = 0.46
"""How large a figure is on a page, of its size on the sheet."""


@dataclass
class Figure:
    """What a block says."""

    facts: dict[str, str] = field(default_factory=dict)
    drawing: list[str] = field(default_factory=list)
    steps: list[tuple[str, str]] = field(default_factory=list)
    """`event` and its text, or `panel` and its caption."""


def read_figure(text: str) -> Figure:
    """A block, taken apart."""
    figure, drawing = Figure(), False
    for line in text.splitlines():
        if line.startswith("---"):
            figure.steps.append(("panel", line.strip("- ").strip()))
        elif drawing and line.startswith(" "):
            figure.drawing.append(line.strip())
        elif line.strip() == "draw:":
            drawing = True
        elif fact := FACT.fullmatch(line.strip()):
            figure.facts[fact[1]] = fact[2]
        elif line.strip():
            figure.steps.append(("event", line.strip()))
    return figure


def panels(game: Game, text: str, component_file: Source | None = None) -> list[tuple[Position, str]]:
    """The positions that a block shows, each with its caption; `component_file` is the one in play, where it is not the game's own."""
    figure = read_figure(text)
    options = dict(option.split("=") for option in figure.facts.get("options", "").split())
    pieces = component_file if figure.facts.get("pieces") == "in play" else None
    setup = game.setup(int(figure.facts.get("seats", game.seats[-1])), pieces, **options)
    position = game.from_drawing(setup, figure.drawing, figure.facts) if figure.drawing else setup.start()
    shown = []
    for number, (kind, what) in enumerate(figure.steps, start=1):
        if kind == "panel":
            shown.append((position.copy(), what))
            continue
        who, _, action = what.partition(" ")
        out_of_turn = int(who[:-1]) - 1 if who.endswith("!") else None
        try:
            read = game.read(position, action, out_of_turn)
        except ValueError as error:
            raise BadRecord(number, f"the figure's event {what!r}: {error}") from error
        if out_of_turn is None:
            position.apply(read)
        else:
            position.interrupt(out_of_turn, read)
    return shown


@lru_cache(512)
def panels_as_svg(game: Game, text: str, voice_language: str, name: str, component_file: Source | None = None) -> list[tuple[str, str]]:
    """The panels of a block as SVG, with ids of their own (they begin with `name`), each with its caption."""
    facts = read_figure(text).facts
    seat = int(facts["view"]) - 1 if "view" in facts else SPECTATOR
    voice = Voice([game.folder / "locale"], voice_language)
    found = []
    for number, (position, caption) in enumerate(panels(game, text, component_file)):
        view = position.seen_by(seat)
        picture = game.picture(view, seat, "auto", voice)
        found.append((_alone(picture, game.window(view, facts.get("window", "")), f"{name}{number}-", caption), caption))
    return found


def _alone(picture: str, window: tuple[float, float, float, float] | None, name: str, caption: str) -> str:
    """A picture as one image among others on a page: cropped, without labels and without ids that others have too."""
    picture = re.sub(r"<style>.*?</style>|<defs>.*?</defs>|<title>.*?</title>|<desc>.*?</desc>", "", picture, flags=re.DOTALL)
    picture = re.sub(r' (?:aria-label|aria-hidden|role|tabindex)="[^"]*"', "", picture)
    needed = set(re.findall(r'(?:href="#|url\(#)([^")]+)', picture))
    picture = re.sub(r' id="([^"]+)"', lambda found: f' id="{name}{found[1]}"' if found[1] in needed else "", picture)
    picture = re.sub(r'(href="#|url\(#)(?!sf-)', rf"\g<1>{name}", picture)
    head, _, rest = picture.partition(">")
    box = re.search(r'viewBox="([^"]+)"', head)
    x, y, wide, high = window or (float(number) for number in (box[1] if box else "0 0 720 720").split())
    if y + high <= _first_part(rest):
        rest = re.sub(r"<svg[^>]*data-part.*?</svg>", "", rest, flags=re.DOTALL)
    size = f'width="{wide * SCALE:.0f}" height="{high * SCALE:.0f}" style="--wide:{wide * SCALE:.0f}px"'
    at = f'viewBox="{x:g} {y:g} {wide:g} {high:g}" {size}'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="sf sf-auto" role="img" aria-label="{_quoted(caption)}" {at}>{rest}'


def _first_part(rest: str) -> float:
    found = [float(y) for y in re.findall(r'<svg[^>]*data-part="[^"]*"[^>]*? y="([\d.]+)"', rest)]
    found += [float(y) for y in re.findall(r'<svg[^>]*? y="([\d.]+)"[^>]*data-part', rest)]
    return min(found, default=0)


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def without_figures(help_text: str) -> str:
    """The rules where there are no pictures: drawings stay as text, captions as lines, anchors go."""

    def as_text(block: re.Match[str]) -> str:
        figure = read_figure(block[1])
        captions = [what for kind, what in figure.steps if kind == "panel" and what]
        lines = [f"    {line}" for line in figure.drawing] + [""] * bool(figure.drawing) + [f"*{caption}*  " for caption in captions]
        return "\n".join(lines) + "\n"

    return ANCHOR.sub("", FENCE.sub(as_text, help_text))
