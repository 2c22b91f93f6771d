"""Differences: what has become of a scene since the last one, as the page is told it, and how to make the one from the other.

A scene is a dictionary for JSON. Its lists are told as runs of the old list and what is new between them, its other fields whole. A picture
is a list of its tags here, of which a move changes a few. Both scenes are the same viewer's, so nothing gets in that it may not see.
`static/differences.js` has the page's half.
"""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]
Runs = list[Any]
"""What became of a list: numbers by twos (from which place of the old list how many items are kept), and lists of new items."""


def difference(old: Scene, new: Scene) -> Scene:
    """What `applied` makes the new scene from: fields that are other, and of lists what is. Both scenes have the same fields."""
    fields: Scene = {}
    lists: dict[str, Runs] = {}
    for name, value in new.items():
        before = old[name]
        if before is value or before == value:
            continue
        if isinstance(value, list) and isinstance(before, list):
            lists[name] = runs(before, value)
        else:
            fields[name] = value
    return {"fields": fields, "lists": lists}


def applied(old: Scene, change: Scene) -> Scene:
    """The scene that follows by a difference."""
    return {**old, **change["fields"], **{name: patched(old[name], found) for name, found in change["lists"].items()}}


def runs(old: list[Any], new: list[Any]) -> Runs:
    """A list by what it keeps of another. Most items are what stood there, or one stands in another's place; otherwise a text that occurs
    only once in the old list says where it goes on."""
    found: Runs = []
    fresh: list[Any] = []
    places: dict[str, int] | None = None
    at, known, begun = 0, len(old), -1
    for place, item in enumerate(new):
        if at >= known or old[at] != item:
            if begun >= 0:
                found.append(begun)
                found.append(at - begun)
                begun = -1
            replaced = at + 1 < known and place + 1 < len(new) and old[at + 1] == new[place + 1]
            there = -1
            if not replaced and isinstance(item, str):
                if places is None:
                    places = _once(old)
                there = places.get(item, -1)
            if there < 0:
                fresh.append(item)
                at += 1
                continue
            at = there
        if fresh:
            found.append(fresh)
            fresh = []
        if begun < 0:
            begun = at
        at += 1
    if fresh:
        found.append(fresh)
    if begun >= 0:
        found.append(begun)
        found.append(at - begun)
    return found


def _once(items: list[Any]) -> dict[str, int]:
    """Where each text stands that occurs only once."""
    found: dict[str, int] = {}
    for place, item in enumerate(items):
        if isinstance(item, str):
            found[item] = -1 if item in found else place
    return found


def patched(old: list[Any], found: Runs) -> list[Any]:
    """The list that `runs` tells of."""
    new: list[Any] = []
    parts = iter(found)
    for part in parts:
        new += part if isinstance(part, list) else old[part : part + next(parts)]
    return new
