"""The colours hold what the experience page promises: contrast, and no need for colour vision."""

from __future__ import annotations

import itertools
import math

import pytest

from sheepfold import art
from sheepfold.art import theme

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
THEMES = ("light", "dark")


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def contrast(one: str, two: str) -> float:
    light, dark = sorted((sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(x), strict=True)) for x in (one, two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, linear(colour), strict=True)))) for row in VISION[vision])
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, two: str, vision: str) -> float:
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(lab(one, vision), lab(two, vision), strict=True)))


def test_the_measures_know_black_from_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert difference("#000000", "#ffffff", "normal") == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("name", THEMES)
def test_text_is_readable_on_every_ground_it_is_set_on(name: str) -> None:
    palette = art.PALETTES[name]
    poor = {pair: round(contrast(palette[pair[0]], palette[pair[1]]), 2) for pair in theme.TEXT_ON}
    assert not {pair: value for pair, value in poor.items() if value < 4.5}


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("vision", VISION)
def test_sheep_colours_differ_for_every_eye(name: str, vision: str) -> None:
    palette = art.PALETTES[name]
    close = {(one, two): round(difference(palette[one], palette[two], vision), 1) for one, two in itertools.combinations(art.COLOURS, 2)}
    assert not {pair: value for pair, value in close.items() if value < 20}


@pytest.mark.parametrize("name", THEMES)
def test_outlines_part_the_wool_from_the_grass(name: str) -> None:
    palette = art.PALETTES[name]
    for colour in art.COLOURS:
        line = palette["black-line" if colour == "black" else "line"]
        best = max(contrast(line, palette["grass"]), contrast(palette[colour], palette["grass"]))
        assert best >= 2, (colour, best)


def test_every_colour_has_its_own_shape() -> None:
    assert set(art.MARKS) == set(art.COLOURS)
    assert len(set(art.MARKS.values())) == len(art.COLOURS)


def test_both_palettes_name_the_same_things() -> None:
    assert theme.LIGHT.keys() == theme.DARK.keys()


def test_every_colour_named_in_a_rule_exists() -> None:
    for name in THEMES:
        assert "$" not in art.style(name)  # type: ignore[arg-type]


def test_auto_follows_the_reader_and_the_page() -> None:
    sheet = art.style("auto")
    assert "prefers-color-scheme:dark" in sheet
    assert "[data-theme=dark]" in sheet
    assert "prefers-reduced-motion:reduce" in sheet
    for state in ("can", "chosen", "ghost", "last", "threat"):
        assert f".sf .{state}" in sheet
