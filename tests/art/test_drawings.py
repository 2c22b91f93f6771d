"""Every drawing is well-formed, the same each time, small, and made of classes only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from xml.etree import ElementTree

import pytest

from sheepfold import art
from sheepfold.art import svg

TRICKY = 'Anna & "Bo" <the sheep>'


def every_piece() -> dict[str, str]:
    """One of each, with an id of its own."""
    out: dict[str, str] = {}

    def add(name: str, draw: Callable[..., str], *arguments: object) -> None:
        out[name] = draw(*arguments, id=name, label=TRICKY, x=12.5, y=40, size=60, tap=True, classes="can")

    for colour in art.COLOURS:
        for facing in art.FACINGS:
            add(f"sheep-{colour}-{facing}", art.sheep, colour, facing)
        add(f"mark-{colour}", art.mark, colour)
        add(f"die-{colour}", art.die, colour)
        add(f"marker-{colour}", art.score_marker, colour)
        add(f"question-{colour}", art.landscape_back, True, colour)
    for facing in art.FACINGS:
        add(f"berta-{facing}", art.berta, facing)
        add(f"roger-{facing}", art.roger, facing)
    for who in ("shearer", "shepherd", "hunter"):
        add(who, art.person, who)
    for pose in ("head", "howl"):
        add(f"wolf-{pose}", art.wolf, pose)
    for direction in art.DIRECTIONS:
        add(f"arrow-{direction}", art.arrow, direction)
        add(f"compass-{direction}", art.compass, direction)
    for action, shape, used in product((*art.ACTIONS, None), ("card", "square"), (False, True)):
        add(f"action-{action}-{shape}-{used}", art.action_card, action, 3, "green", shape, used)
    for action in art.ACTIONS:
        add(f"icon-{action}", art.action_icon, action, "red")
    for value, compact in product(range(1, 20), (False, True)):
        power = "name" if value in (1, 19) else "reverse" if value in (2, 3, 17, 18) else None
        add(f"card-{value}-{compact}", art.counting_card, value, value % 6, power, compact)
    for mood in art.MOODS:
        add(f"face-{mood}", art.mood_face, mood)
        add(f"sign-{mood}", art.mood_sign, mood)
        add(f"seen-{mood}", art.mood_tile, "back", None, mood)
    for what, flower in product((*art.MOODS, "ram", "shepherd", "back"), (None, *art.SIDES)):
        add(f"tile-{what}-{flower}", art.mood_tile, what, flower)
    for way, state in product("hv", ("up", "faint", "lit")):
        add(f"fence-{way}-{state}", art.fence, way, state)
    for way in "hv":
        add(f"fence-place-{way}", art.fence_place, way)
    for middle in ("", "wolf", "hunter", "shepherd"):
        add(f"land-{middle}", art.landscape, ("forest",) * 4, middle)
    for motif, quarters in product(("village", "forest", *art.COLOURS), range(4)):
        add(f"land-{motif}-{quarters}", art.landscape, art.turned((motif, motif, "blue", "red"), quarters))  # type: ignore[arg-type]
    for value in (0, 7, -2, 74, 120):
        add(f"badge-{value}", art.badge, value, "blue", True)
    add("plus", art.die, "+")
    add("times", art.die, "x")
    add("space", art.track_space, 12, 1)
    add("space-panic", art.track_space, 3, 1, True)
    add("space-goal", art.track_space, 37, 2, False, True)
    for name, plain in {
        "wall": art.wall, "gate": art.gate, "counter": art.counter, "back": art.card_back, "wolf": art.wolf_card,
        "pillow": art.pillow, "spot": art.empty_spot, "card-spot": art.card_spot, "land-back": art.landscape_back,
    }.items():  # fmt: skip
        add(name, plain)
    for clockwise in (True, False):
        add(f"turn-{clockwise}", art.turn_arrow, clockwise)
    for which in ("name", "reverse"):
        add(f"power-{which}", art.power_icon, which)
    out["bubble"] = art.bubble(3, TRICKY, "yellow", 10, 20, id="bubble")
    out["text"] = art.text(3, 4, TRICKY, halo=True)
    out["target"] = art.target("<g/>", "target", TRICKY, "can")
    out["number"] = art.number(-1234567890, 0, 0, 20)
    out["meadow"] = art.meadow(0, 0, 300, 200) + art.paper(300, 200) + art.pen_frame(0, 0, 100, 100) + art.pegs(5, 5, 20)
    out["pasture"] = art.pasture(9, 9, 40, id=lambda r, c: f"f{r}-{c}", label=lambda r, c: TRICKY, states={(1, 1): "can"})
    out["track"] = art.track((12, 37, 49, 74), 15, 26, panic=(3, 8), walls=(24, 61), id=lambda n: f"t{n}")
    out["rank"] = art.rank_label(4, 0, 0, 12)
    out["emblem"] = art.emblem(0, 0, 40)
    return out


PIECES = every_piece()


def whole(body: str, theme: art.Theme = "auto") -> str:
    return art.document(400, 400, body, TRICKY, TRICKY, theme)


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_well_formed_and_small(name: str) -> None:
    ElementTree.fromstring(whole(PIECES[name]))
    if name not in ("pasture", "track", "meadow"):
        assert len(PIECES[name]) < 2500, f"{name}: {len(PIECES[name])} characters"


def test_ids_are_unique_on_one_sheet() -> None:
    ids = re.findall(r'\bid="([^"]+)"', whole("".join(PIECES.values())))
    assert len(ids) == len(set(ids))
    assert set(PIECES) - {"text", "number", "meadow", "pasture", "track", "rank", "emblem"} <= set(ids)


def test_drawing_again_gives_the_same_in_another_process() -> None:
    again = every_piece()
    assert again == PIECES
    code = (
        "from sheepfold import art; print(art.document(9, 9, art.sheep('blue', 'e', id='a') + art.pasture(9, 9, 40)"
        " + art.landscape(('village', 'red', 'red', 'blue')), 't'))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(runs) == 1


def test_moving_a_piece_changes_its_transform_and_nothing_else() -> None:
    here = art.sheep("red", "n", id="s", x=10, y=20, size=40)
    there = art.sheep("red", "n", id="s", x=50, y=20, size=40)
    assert here.replace("translate(10px,20px)", "translate(50px,20px)") == there


def test_no_colour_stands_in_a_drawing_and_nothing_runs() -> None:
    drawn = "".join(PIECES.values()) + svg.defs(svg.symbols())
    assert not re.search(r"(fill|stroke|color)=", drawn)
    assert not re.search(r"#[0-9a-f]{3,6}\b(?![\w-])", drawn.replace('href="#sf-', ""))
    assert "<script" not in drawn
    assert not re.search(r"\son[a-z]+=", drawn)
    assert "url(" not in drawn


def test_every_class_used_has_a_rule() -> None:
    drawn = "".join(PIECES.values()) + svg.defs(svg.symbols())
    used = {cls for group in re.findall(r'class="([^"]+)"', drawn) for cls in group.split()}
    sheet = art.style("auto")
    assert not {cls for cls in used if cls != "target" and not re.search(rf"\.{cls}\b", sheet)}


def test_every_symbol_shown_is_drawn() -> None:
    shown = re.findall(r'href="#sf-([\w-]+)"', "".join(PIECES.values()) + svg.defs(svg.symbols()))
    assert set(shown) <= set(svg.symbols())


def test_the_root_is_accessible() -> None:
    root = ElementTree.fromstring(whole(PIECES["wall"]))
    space = "{http://www.w3.org/2000/svg}"
    assert root.get("viewBox") == "0 0 400 400"
    assert root.get("role") == "group"
    assert root.findtext(f"{space}title") == TRICKY
    assert root.findtext(f"{space}desc") == TRICKY
    still = ElementTree.fromstring(art.document(10, 10, "", "t", interactive=False))
    assert still.get("role") == "img"


def test_a_page_may_hold_style_and_symbols_once() -> None:
    ElementTree.fromstring(art.kit())
    bare = art.document(400, 400, PIECES["sheep-blue-e"], "t", theme="bare")
    ElementTree.fromstring(bare)
    assert "<style" not in bare
    assert "<defs" not in bare
    shown = set(re.findall(r'href="#(sf-[\w-]+)"', bare))
    assert shown <= set(re.findall(r'id="(sf-[\w-]+)"', art.kit()))
    assert len(art.kit()) < 90_000


def test_a_tappable_piece_is_a_button_with_a_name() -> None:
    root = ElementTree.fromstring(PIECES["sheep-blue-e"])
    assert (root.get("role"), root.get("tabindex"), root.get("aria-label")) == ("button", "0", TRICKY)
    assert "target" in (root.get("class") or "").split()


def test_whole_boards_stay_small() -> None:
    flock = "".join(art.sheep("blue", "e", id=f"s{k}", x=k, y=k, size=40, label="blue sheep", tap=True) for k in range(9))
    board = (
        art.paper(400, 550)
        + art.pasture(9, 9, 40, id=lambda r, c: f"field-{r}-{c}", label=lambda r, c: f"row {r}, column {c}")
        + art.pen_frame(0, 0, 400, 400) + art.track((12, 37, 49, 74), 15, 26, panic=(3, 8, 15), walls=(24, 61))
        + flock + art.berta("e") + art.roger("w") + art.counter(id="timer")
    )  # fmt: skip
    assert len(whole(board)) < 45_000
    motifs: tuple[tuple[art.Motif, ...], ...] = (
        ("red", "red", "village", "blue"),
        ("forest", "yellow", "black", "black"),
    )
    land = "".join(art.landscape(motifs[k % 2], id=f"tile-{k}", label="landscape", x=k, y=k, size=90) for k in range(77))
    assert len(whole(land)) < 70_000
    fences = "".join(art.fence("h", "faint", id=f"edge-{k}", label="free edge", tap=True, size=60) for k in range(60))
    tiles = "".join(art.mood_tile(art.MOODS[k % 5], id=f"tile-{k}", label="a tile", tap=True, size=50) for k in range(25))
    assert len(whole(fences + tiles)) < 50_000
    hand = "".join(art.counting_card(k, 3, id=f"card-{k}", label="a card", tap=True) for k in range(1, 20))
    assert len(whole(hand)) < 40_000


def test_icon_and_logo_are_pictures_of_their_own() -> None:
    for picture in (art.icon(TRICKY), art.icon(TRICKY, 16), art.logo(TRICKY), art.logo(TRICKY, theme="dark")):
        ElementTree.fromstring(picture)
        assert len(picture) < 9_000


def test_a_turned_landscape_keeps_its_sides_in_order() -> None:
    assert art.turned(("village", "red", "blue", "forest"), 1) == ("forest", "village", "red", "blue")
    assert art.turned(("village", "red", "blue", "forest"), 4) == ("village", "red", "blue", "forest")


def test_a_landscape_has_fences_only_between_different_neighbours() -> None:  # GM-40
    count: dict[tuple[art.Motif, ...], int] = {
        ("red", "red", "red", "red"): 0,
        ("red", "red", "red", "blue"): 2,
        ("red", "red", "blue", "blue"): 2,
        ("red", "red", "blue", "yellow"): 3,
        ("red", "blue", "red", "yellow"): 4,
        ("village", "red", "blue", "yellow"): 4,
    }
    for sides, fences in count.items():
        assert art.landscape(sides).count("#sf-hurdle-") == fences, sides


def test_a_landscape_of_three_sides_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="four sides"):
        art.landscape(("red", "red", "red"))


def test_the_track_winds_to_and_fro() -> None:
    first, last, next_row = (art.track_point(n, 15, 10) for n in (1, 15, 16))
    assert first == (5, 5)
    assert last == (145, 5)
    assert next_row == (145, 15)


def test_a_name_is_cut_before_it_gets_too_small_to_read() -> None:
    assert art.shortened("Dolly", 16, 82) == "Dolly"
    cut = art.shortened("Maximilian-Ferdinand XIV", 16, 82)
    assert cut.startswith("Max")
    assert cut.endswith("…")
    assert art.fitting(cut, 16, 82) == 16
