"""Differences: what has become of a scene since the last one, as the page is told it, and how to make the one from the other.

A scene is a dictionary for JSON. Its lists are told as runs of the old list and what is new between them, its other fields whole; the
picture is told as the list of its tags, of which a move changes a few. Both scenes are the same viewer's, so nothing gets in that it may
not see. `static/differences.js` has the page's half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Scene = dict[str, Any]
Runs = list[Any]
"""What became of a list: numbers by twos (from which place of the old list how many items are kept), and lists of new items."""
PICTURE, TAG = "picture", "<"
"""The field that is cut into tags, and at what."""


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Scene:
    """What `applied` makes the new scene from: fields that are other, and of lists what is. Both scenes have the same fields."""
    fields: Scene = {}
    lists: dict[str, Runs] = {}
    for name, value in new.items():
        before = old.get(name)
        if before is value or before == value:
            continue
        if name == PICTURE and before:
            lists[name] = runs(before.split(TAG), value.split(TAG))
        elif type(value) is list and type(before) is list and value and before:
            lists[name] = runs(before, value)
        else:
            fields[name] = value
    return {"fields": fields, "lists": lists}


def applied(old: Mapping[str, Any], change: Mapping[str, Any]) -> Scene:
    """The scene that follows by a difference."""
    new = {**old, **change["fields"]}
    for name, found in change["lists"].items():
        new[name] = TAG.join(patched(old[name].split(TAG), found)) if name == PICTURE else patched(old[name], found)
    return new


def runs(old: Sequence[Any], new: Sequence[Any]) -> Runs:
    """A list by what it keeps of another. Most items are what stood there, or in place of something else; otherwise one that occurs once in
    the old list says where it goes on."""
    found: Runs = []
    places: dict[Any, int] | None = None
    at, known, begun = 0, len(old), -1
    fresh: list[Any] | None = None
    for item in new:
        if at >= known or old[at] != item:
            if begun >= 0:
                found += (begun, at - begun)
                begun = -1
            if places is None:
                places = _once(old)
            place = places.get(item, -1) if type(item) is str else -1
            if place < 0:
                if fresh is None:
                    fresh = []
                    found.append(fresh)
                fresh.append(item)
                at += 1
                continue
            at = place
        if begun < 0:
            begun, fresh = at, None
        at += 1
    if begun >= 0:
        found += (begun, at - begun)
    return found


def _once(items: Sequence[Any]) -> dict[Any, int]:
    """Where each text stands that occurs only once."""
    found: dict[Any, int] = {}
    for place, item in enumerate(items):
        if type(item) is str:
            found[item] = -1 if item in found else place
    return found


def patched(old: Sequence[Any], found: Runs) -> list[Any]:
    """The list that `runs` tells of."""
    new: list[Any] = []
    parts = iter(found)
    for part in parts:
        new += part if type(part) is list else old[part : part + next(parts)]
    return new
