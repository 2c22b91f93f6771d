"""The sheet the drawings lie on: symbols, pieces, text and the root element.

A drawing that occurs often is defined once under a name and shown with ``use``;
``document`` looks at what the body uses and adds just those symbols and style
rules. A piece stands on the sheet by the ``transform`` of its outermost group and
nothing else, so that moving it is one attribute and a CSS transition shows the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final, TypedDict, Unpack

from sheepfold.kept import kept

from .pen import num
from .theme import Theme, style

_SYMBOLS: dict[str, str] = {}


class Place(TypedDict, total=False):
    """Where a piece stands and who it is. ``x, y`` is its middle, ``size`` the width of its 100-box.

    ``id`` stays the same from picture to picture; ``label`` is read aloud; ``classes`` adds state
    classes (``can chosen ghost last threat``); ``tap`` makes it a button for pointer and keyboard;
    ``comes_from`` is the id of what it was in the picture before (a card of the hand, now on a pile).
    """

    x: float
    y: float
    size: float
    id: str
    label: str
    classes: str
    tap: bool
    comes_from: str


def define(name: str, body: str) -> str:
    """Keep a drawing as a symbol; returns the name."""
    if name in _SYMBOLS:
        raise ValueError(f"the symbol {name!r} is already drawn")
    _SYMBOLS[name] = body
    return name


def symbols() -> tuple[str, ...]:
    """The names of all symbols."""
    return tuple(_SYMBOLS)


@kept(512)
def use(name: str, x: float = 0, y: float = 0, scale: float = 1, cls: str = "", turn: float = 0, mirror: bool = False) -> str:
    """Show a symbol with its middle at ``x, y``, turned clockwise by ``turn`` degrees."""
    if scale == 1 and not turn and not mirror:
        at = f' x="{num(x)}" y="{num(y)}"' if x or y else ""
        return f'<use href="#sf-{name}"{_attribute("class", cls)}{at}/>'
    steps = ""
    if x or y:
        steps += f"translate({num(x)} {num(y)})"
    if turn:
        steps += f"rotate({num(turn)})"
    if mirror:
        steps += f"scale({-scale:.3g} {scale:.3g})"
    elif scale != 1:
        steps += f"scale({scale:.3g})"
    transform = f' transform="{steps}"' if steps else ""
    return f'<use href="#sf-{name}"{_attribute("class", cls)}{transform}/>'


def path(cls: str, *data: str) -> str:
    """One path element from one or more pieces of path data."""
    return f'<path{_attribute("class", cls)} d="{"".join(data)}"/>'


def _attribute(name: str, value: str) -> str:
    return f' {name}="{escape(value)}"' if value else ""


def piece(body: str, **place: Unpack[Place]) -> str:
    """Put a drawing made in the 100-box on the sheet; in the text of a picture it begins a line."""
    scale = place.get("size", 100.0) / 100
    grown = f" scale({scale:.4g})" if scale != 1 else ""
    label = place.get("label", "")
    tap = place.get("tap", False)
    role = "button" if tap else "img" if label else ""
    reach = ' tabindex="0"' if tap else ""
    return (
        f"\n<g{_attribute('id', place.get('id', ''))}"
        f"{_attribute('class', ('sf-piece ' + place.get('classes', '')).strip() + (' target' if tap else ''))}"
        f' style="transform:translate({num(place.get("x", 0.0))}px,{num(place.get("y", 0.0))}px){grown}"'
        f"{_attribute('role', role)}{reach}{_attribute('aria-label', label)}{_attribute('data-from', place.get('comes_from', ''))}>{body}</g>"
    )


def target(body: str, id: str, label: str, classes: str = "") -> str:
    """Make any fragment a button for pointer and keyboard, where it is."""
    extra = f" {classes}" if classes else ""
    return f'\n<g class="target{escape(extra)}" id="{escape(id)}" tabindex="0" role="button" aria-label="{escape(label)}">{body}</g>'


@kept(512)
def text(x: float, y: float, words: str, size: float = 14, anchor: str = "middle", halo: bool = False, soft: bool = False) -> str:
    """A line of text on the baseline ``y``; ``halo`` keeps it readable on a busy ground."""
    cls = ("sf-soft" if soft else "sf-text") + (" sf-halo" if halo else "")
    cls += f" sf-{anchor}" if anchor in ("middle", "end") else ""
    return f'<text class="{cls}" x="{num(x)}" y="{num(y)}" font-size="{num(size)}">{escape(words)}</text>'


_WIDTHS: Final = {
    letter: width
    for width, letters in (
        (0.36, " 'ijlîï"), (0.42, "fIJ,-./:;|’·"), (0.52, 'rt!"()*'), (0.62, "csxzL?ç"), (0.84, "ABDGHKNRUVXÀÜÄ+→×"), (0.92, "wOQÖ&"),
        (1.06, "mMW%…"),
    )
    for letter in letters
}  # fmt: skip
"""How wide letters are in the widest font that a page may fall back on (DejaVu Sans, bold), in their size; the others are 0.72."""


@kept(512)
def fitting(words: str, size: float, room: float) -> float:
    """The size of a text, smaller where it would not fit."""
    return min(size, room / max(0.36, sum(_WIDTHS.get(letter, 0.72) for letter in words)))


@kept(512)
def shortened(words: str, least: float, room: float) -> str:
    """A name, cut with an ellipsis where it would have to be smaller than ``least`` to fit."""
    if fitting(words, least, room) >= least:
        return words
    kept = len(words)
    while kept > 1 and fitting(words[:kept] + "…", least, room) < least:
        kept -= 1
    return words[:kept].rstrip() + "…"


@kept(512)
def button(
    words: str,
    id: str,
    x: float,
    y: float,
    width: float,
    height: float = 88,
    size: float = 28,
    classes: str = "",
    under: str = "",
    icon: str = "",
) -> str:
    """A choice that is no thing on the board, drawn as a button with its middle at ``x, y``.

    ``under`` is a second, smaller line, ``icon`` a drawing that fits the height (its middle at 0, 0) at the left end. With the class
    ``sf-soon`` it is there only while it can be tapped (the second tap of two).
    """
    shape = f'x="{num(-width / 2)}" y="{num(-height / 2)}" width="{num(width)}" height="{num(height)}" rx="{num(height / 4)}"'
    body = f'<rect class="sf-card" {shape}/><rect class="sf-lit sf-veil" {shape}/>'
    room, middle = width - 24, 0.0
    if icon:
        body += f'<g transform="translate({num(height / 2 - width / 2)})">{icon}</g>'
        room, middle = width - height - 12, height / 2 - 6
    lines = [(words, size), (under, size * 0.78)] if under else [(words, size)]
    for row, (line, high) in enumerate(lines):
        fitted = fitting(line, high, room)
        body += text(middle, size * 0.35 + (row - (len(lines) - 1) / 2) * size * 1.15, line, fitted, soft=row > 0)
    return piece(body, id=id, x=x, y=y, label=f"{words}: {under}" if under else words, classes=classes)


def _sheet(theme: Theme) -> str:
    """The classes of whatever sets the colours for what is drawn in it."""
    return f"sf sf-{'auto' if theme == 'bare' else theme}"


def part(name: str, y: float, width: float, height: float, body: str, theme: Theme = "auto", below: bool = False) -> str:
    """A piece of the picture that a page may put elsewhere (``hand``: beside the board on a wide screen, ``others``: behind a tab).

    Parts lie below the board, each as wide as the picture; their own corner is at 0, 0. A part that is `below` stays there on any screen.
    """
    place = ' data-place="below"' if below else ""
    return (
        f'\n<svg class="{_sheet(theme)} sf-part" id="part-{name}" data-part="{name}"{place} y="{num(y)}" width="{num(width)}"'
        f' height="{num(height)}" viewBox="0 0 {num(width)} {num(height)}">{body}</svg>'
    )


_HREF = re.compile(r'href="#sf-([\w-]+)"')
_CLASS = re.compile(r'class="([^"]+)"')


def _needed(body: str) -> list[str]:
    found: list[str] = []
    waiting = list(dict.fromkeys(_HREF.findall(body)))
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            waiting += _HREF.findall(_SYMBOLS[name])
    return sorted(found)


def defs(names: Iterable[str]) -> str:
    """The ``<defs>`` with these symbols, in the order given."""
    return "<defs>" + "".join(f'<g id="sf-{name}">{_SYMBOLS[name]}</g>' for name in names) + "</defs>"


def document(
    width: float,
    height: float,
    body: str,
    title: str,
    description: str = "",
    theme: Theme = "auto",
    interactive: bool = True,
) -> str:
    """A whole picture: alone in a file, in a notebook, or inline in a page.

    ``interactive`` adds the state classes and opens the parts to screen readers; without it the
    picture is one image. The theme ``bare`` leaves out style and symbols, for a page that holds ``kit`` once.
    """
    shared = ""
    if theme != "bare":
        needed = _needed(body)
        drawn = body + "".join(_SYMBOLS[name] for name in needed)
        classes = {cls for group in _CLASS.findall(drawn) for cls in group.split()}
        shared = f"<style>{style(theme, classes, interactive)}</style>" + (defs(needed) if needed else "")
    told = f"<desc>{escape(description)}</desc>" if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_sheet(theme)}" viewBox="0 0 {num(width)} {num(height)}"'
        f' width="{num(width)}" height="{num(height)}" role="{"group" if interactive else "img"}"'
        f' aria-label="{escape(title)}"><title>{escape(title)}</title>{told}\n{shared}{body}</svg>'
    )


def kit(theme: Theme = "auto", only: Iterable[str] | None = None) -> str:
    """Style and symbols, unseen, for a page whose pictures are ``bare`` and change often: all symbols, or ``only`` those whose names begin
    so, with what they are drawn with."""
    names = list(_SYMBOLS)
    if only is not None:
        wanted = tuple(only)
        needed = _needed("".join(use(name) for name in names if name.startswith(wanted)))
        names = [name for name in names if name in needed]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sf sf-{theme}" width="0" height="0" aria-hidden="true"'
        f' style="position:absolute"><style>{style(theme)}</style>{defs(names)}</svg>'
    )
