"""Differences: what has become of a scene since the last one, as the page is told it, and how to make the one from the other.

A scene is a dictionary for JSON. Its lists are told as runs of the old list and what is new between them, its other fields whole. A picture
is a list of its tags for the page, of which a move changes a few; here it is held by its lines, so that only the tags of changed lines are
looked at. Both scenes are the same viewer's, so nothing gets in that it may not see. `static/differences.js` has the page's half.
"""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]
Runs = list[Any]
"""What became of a list: numbers by twos (from which place of the old list how many items are kept), and lists of new items."""
TAG = "<"
"""What the page cuts a picture at into its list."""

MANY = 6
"""From which search on in a list it pays to know the places of all that is in it."""


class Picture:
    """A picture by its lines, each of which begins with a tag or is empty."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        for line in lines:
            if line and not line.startswith(TAG):  # somebody's words go over several lines
                lines = [text]
                break
        self.lines = lines
        self.tags: list[int] = []
        """How many each line has, once that is known."""

    def __str__(self) -> str:
        return "".join(self.lines)

    def since(self, old: Picture) -> Runs:
        """What became of the old picture's tags."""
        if not old.tags:
            old.tags = [line.count(TAG) for line in old.lines]
        starts, start = [], 1  # before the first tag is nothing, which is an item too
        for each in old.tags:
            starts.append(start)
            start += each
        starts.append(start)
        found: Runs = [0, 1]
        tags: list[int] = []
        at, known = 0, len(old.lines)
        parts = runs(old.lines, self.lines)
        place, last = 0, len(parts)
        while place < last:
            part = parts[place]
            place += 1
            if isinstance(part, list):
                until: int = parts[place] if place < last else known
                _keep_all(found, starts[at], runs(_tags(old.lines[at:until]), _tags(part)))
                for line in part:
                    tags.append(line.count(TAG))
            else:
                at = part
                until = at + parts[place]
                place += 1
                _keep(found, starts[at], starts[until] - starts[at])
                tags += old.tags[at:until]
                at = until
        self.tags = tags
        return found


def _tags(lines: list[str]) -> list[str]:
    together = "".join(lines)
    return together[1:].split(TAG) if together else []


def _keep(found: Runs, start: int, count: int) -> None:
    """Add a run, which may go on with the one before it."""
    if len(found) > 1 and isinstance(found[-1], int) and found[-2] + found[-1] == start:
        found[-1] += count
    else:
        found.append(start)
        found.append(count)


def _keep_all(found: Runs, shift: int, parts: Runs) -> None:
    """Add the runs of a piece of the list that begins at that place."""
    place, last = 0, len(parts)
    while place < last:
        part = parts[place]
        if isinstance(part, list):
            found.append(part)
            place += 1
        else:
            _keep(found, shift + part, parts[place + 1])
            place += 2


def difference(old: Scene, new: Scene) -> Scene:
    """What `applied` makes the new scene from: fields that are other, and of lists what is. Both scenes have the same fields."""
    fields: Scene = {}
    lists: dict[str, Runs] = {}
    for name, value in new.items():
        before = old[name]
        if before is value:
            continue
        if isinstance(value, Picture) and isinstance(before, Picture):
            found = value.since(before)
            if found != [0, 1 + sum(before.tags)]:
                lists[name] = found
        elif isinstance(value, list) and isinstance(before, list):
            found = runs(before, value)
            if found != ([0, len(before)] if before else []):
                lists[name] = found
        elif before != value:
            fields[name] = value
    return {"fields": fields, "lists": lists}


def applied(old: Scene, change: Scene) -> Scene:
    """The scene that follows by a difference, pictures cut at their tags."""
    return {**old, **change["fields"], **{name: patched(old[name], found) for name, found in change["lists"].items()}}


def runs(old: list[Any], new: list[Any]) -> Runs:
    """A list by what it keeps of another. Most items are what stood there, or one stands in another's place; otherwise a text that occurs
    only once in the old list says where it goes on."""
    found: Runs = []
    fresh: list[Any] = []
    places: dict[str, int] = {}
    at, place, known, length, begun, searched = 0, 0, len(old), len(new), -1, 0
    while place < length:
        item = new[place]
        if at < known and _same(old[at], item):
            if fresh:
                found.append(fresh)
                fresh = []
            if begun < 0:
                begun = at
            at += 1
            place += 1
            continue
        if begun >= 0:
            found.append(begun)
            found.append(at - begun)
            begun = -1
        if isinstance(item, str) and not (at + 1 < known and place + 1 < length and _same(old[at + 1], new[place + 1])):
            searched += 1
            if searched == MANY:
                places = _once(old)
            there = _place(old, item) if searched < MANY else places.get(item, -1)
            if there >= 0:
                at = there
                continue
        fresh.append(item)
        at += 1
        place += 1
    if fresh:
        found.append(fresh)
    if begun >= 0:
        found.append(begun)
        found.append(at - begun)
    return found


def _same(one: Any, other: Any) -> bool:
    """Texts are compared as such, which is quick; others are mostly the very same."""
    if one is other:
        return True
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return bool(one == other)


def _place(items: list[Any], text: str) -> int:
    """Where a text stands, if it occurs only once; else -1."""
    found = -1
    for place, item in enumerate(items):
        if isinstance(item, str) and item == text:
            if found >= 0:
                return -1
            found = place
    return found


def _once(items: list[Any]) -> dict[str, int]:
    """The same of all texts."""
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
