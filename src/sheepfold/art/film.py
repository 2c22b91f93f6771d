"""A film: pictures of one board after another as one SVG that moves by itself, without a script.

What has an id in the pictures is one thing in all of them, and glides from where it was to where it is; whatever else differs fades in and
out with the pictures that show it. For who wants no motion it stands still at the first picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG: Final = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", SVG)
SILENT: Final = re.compile("aria-label|role|tabindex|data-.*")
"""What is said of a picture in which one can play, to people and to the page's script; a film is one image."""
MARKED: Final = re.compile(r"\s*\b(?:can|chosen|last|threat|target)\b")
UNLIT: Final = {"sf-lit", "sf-hit", "sf-peek"}
"""What is seen only where one can play."""
MOVING, FADING = 0.22, 0.1
"""The part of each picture's time in which things glide, and in which they come and go."""


class _Film:
    """The pictures as they are put together: what moves is noted as rules for the style."""

    def __init__(self, count: int, seconds: float) -> None:
        self.count, self.seconds = count, seconds
        self.names: dict[str, str] = {}
        """By its course: the name of a motion. Things that move alike share it."""

    def motion(self, values: Sequence[str], property: str, part: float) -> str:
        """The name of a motion through these values, one a picture."""
        steps = [f"0%{{{property}:{values[0]}}}"]
        for place in range(1, self.count):
            if values[place] != values[place - 1]:
                steps.append(f"{self._at(place)}{{{property}:{values[place - 1]}}}{self._at(place + part)}{{{property}:{values[place]}}}")
        return self.names.setdefault("".join([*steps, f"100%{{{property}:{values[-1]}}}"]), f"film{len(self.names)}")

    def _at(self, place: float) -> str:
        return f"{100 * place / self.count:.2f}%".replace(".00", "")

    def merged(self, nodes: Sequence[Element | None]) -> Element:
        """One thing as it is in each of the pictures, None where it is not."""
        first = next(node for node in nodes if node is not None)
        made = Element(first.tag, {name: value for name, value in first.attrib.items() if name != "style"})
        made.text, made.tail = first.text, first.tail
        motions, style = [], []
        if places := self._places(nodes):
            style.append(f"transform:{places[0]}")
            if len(set(places)) > 1:
                motions.append(self.motion(places, "transform", MOVING))
        if None in nodes:
            style += ["opacity:0"] if nodes[0] is None else []
            motions.append(self.motion(["0" if node is None else "1" for node in nodes], "opacity", FADING))
        if motions:
            style.append("animation:" + ",".join(f"{name} {self.seconds:g}s ease-in-out infinite" for name in motions))
        if style:
            made.set("style", ";".join(style))
        parts = [dict(_keyed(node)) if node is not None else {} for node in nodes]
        for key in _in_order(parts):
            made.append(self.merged([known.get(key) for known in parts]))
        return made

    def _places(self, nodes: Sequence[Element | None]) -> list[str]:
        """Where a thing stands in each picture: while it is not there, where it stood before, or will."""
        found = [_place(node) for node in nodes]
        known = [place for place in found if place]
        if not known:
            return []
        last, places = known[0], []
        for place in found:
            last = place or last
            places.append(last)
        return places


def _place(node: Element | None) -> str:
    found = re.search(r"transform:([^;]+)", node.get("style", "")) if node is not None else None
    return found[1] if found else ""


def _keyed(node: Element) -> Iterator[tuple[str, Element]]:
    """The parts of a thing, each with what it is known by in other pictures: its id; else, where things with ids are in it, all but where
    it stands; else all that it is."""
    met: dict[str, int] = {}
    for child in node:
        if "id" in child.attrib:
            key = f"#{child.get('id')}"
        elif child.find(".//*[@id]") is not None:
            key = f"{child.tag} {sorted((name, value) for name, value in child.attrib.items() if name != 'style')}"
        else:
            key = ElementTree.tostring(child, "unicode")
        met[key] = met.get(key, 0) + 1
        yield f"{key} {met[key]}", child


def _in_order(pictures: Sequence[Iterable[str]]) -> list[str]:
    """What is in any of the pictures, each thing after what it lay on where it came first."""
    order: list[str] = []
    for picture in pictures:
        before = -1
        for key in picture:
            if key not in order:
                order.insert(before + 1, key)
            before = order.index(key)
    return order


def _board(picture: str) -> Element:
    """A picture's board without the parts below it, and without what is said or lit."""
    root = ElementTree.fromstring(picture)
    box = [float(number) for number in root.get("viewBox", "").split()]
    for child in list(root):
        if child.tag in (f"{{{SVG}}}title", f"{{{SVG}}}desc", f"{{{SVG}}}style", f"{{{SVG}}}defs"):
            root.remove(child)
        elif "data-part" in child.attrib:
            box[3] = min(box[3], float(child.get("y", box[3])))
            root.remove(child)
    root.set("viewBox", " ".join(f"{number:g}" for number in box))
    for each in list(root.iter()):
        for child in [child for child in each if UNLIT & set(child.get("class", "").split())]:
            each.remove(child)
        for name in filter(SILENT.fullmatch, list(each.attrib)):
            del each.attrib[name]
        if "class" in each.attrib:
            each.set("class", MARKED.sub("", each.get("class", "")).strip())
    return root


def film(pictures: Sequence[str], seconds: float) -> tuple[float, float, str]:
    """How wide and high a film of these pictures is, and what `document` makes it of. After so long it begins anew."""
    boards = [_board(picture) for picture in pictures]
    made = _Film(len(boards), seconds)
    whole = made.merged(boards)
    wide, high = (max(float(board.get("viewBox", "").split()[side]) for board in boards) for side in (2, 3))
    rules = "".join(f"@keyframes {name}{{{steps}}}" for steps, name in made.names.items())
    rules += "@keyframes film{0%,100%{opacity:0}3%,97%{opacity:1}}@media (prefers-reduced-motion:reduce){*{animation:none!important}}"
    body = "".join(ElementTree.tostring(child, "unicode") for child in whole).replace(f' xmlns="{SVG}"', "")
    return wide, high, f'<style>{rules}</style><g style="animation:film {seconds:g}s linear infinite">{body}</g>'
