"""A film of pictures: things with ids glide, others come and go, and without motion it is the first picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from sheepfold import art

SVG = "{http://www.w3.org/2000/svg}"


def pictured(*pieces: str) -> str:
    return art.document(300, 200, "".join(pieces) + art.part("hand", 150, 300, 50, art.text(5, 20, "secret")), "A board", theme="bare")


def put(x: float, name: str = "one") -> str:
    return art.sheep("blue", "s", id=name, x=x, y=50, size=40, label="a sheep")


def filmed(*pictures: str) -> tuple[str, ElementTree.Element]:
    wide, high, body = art.film(pictures, 10)
    assert (wide, high) == (300, 150), "the board without the parts below it"
    return body, ElementTree.fromstring(art.document(wide, high, body, "A film"))


def test_what_moved_glides_through_its_places() -> None:
    body, root = filmed(pictured(put(50)), pictured(put(50)), pictured(put(120)))
    things = root.findall(f".//{SVG}g[@id='one']")
    assert len(things) == 1, "one thing, however many pictures"
    style = things[0].get("style", "")
    assert "translate(50px,50px)" in style, "it stands where the first picture has it"
    name = re.search(r"animation:(film\d+) 10s", style)
    assert name
    course = re.search(rf"@keyframes {name[1]}{{((?:[^{{}}]*{{[^{{}}]*}})*)}}", body)
    assert course
    steps = re.findall(r"([\d.]+)%{transform:translate\((\d+)px", course[1])
    assert [place for _, place in steps] == ["50", "50", "120", "120"]
    assert [float(at) for at, _ in steps] == sorted(float(at) for at, _ in steps)
    assert float(steps[1][0]) == 66.67, "it rests until its picture comes"


def test_what_is_not_always_there_fades() -> None:
    body, root = filmed(pictured(put(50), art.text(9, 9, "1")), pictured(put(50), put(90, "two"), art.text(9, 9, "2")))
    other = root.find(f".//{SVG}g[@id='two']")
    assert other is not None
    assert "opacity:0" in other.get("style", ""), "not in the first picture, so not there without motion"
    assert sorted(each.text or "" for each in root.iter(f"{SVG}text")) == ["1", "2"]
    assert body.count("@keyframes film") == 3, "coming, going, and the film's own beginning and end: things that move alike share it"
    still = root.find(f".//{SVG}g[@id='one']")
    assert still is not None and "animation" not in still.get("style", "")


def test_nothing_is_lit_or_said_in_a_film() -> None:
    body, _ = filmed(pictured(put(50), art.target("<path/>", "place", "a place", "can")), pictured(put(60)))
    for word in ("secret", "aria-label", "role=", "tabindex", "sf-lit", "sf-hit"):
        assert word not in body
    assert not re.search(r'class="[^"]*\b(can|target)\b', body)
    assert "prefers-reduced-motion:reduce" in body
