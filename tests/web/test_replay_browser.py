"""Looking back in a real Chromium: scrubbing, keys, the graph, playing on, what is kept; the pictures held against the engine's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser_helper import in_chromium
from replay_helper import finished, played, put

from sheepfold.bots.analysis import Finding
from sheepfold.core.dice import Dice
from sheepfold.core.position import EVERYTHING
from sheepfold.game.records import Record, write_record
from sheepfold.table.archive import Analysis, Archive
from sheepfold.table.store import Store
from sheepfold.web import replay_frames

pytestmark = in_chromium

FLAT = """(whole) => {
    const attributes = (element) => [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort().join(' ');
    const text = (element) => element.childElementCount ? '' : element.textContent;
    const flat = (root) => [...root.querySelectorAll('*')].map((each) => `${each.tagName} ${attributes(each)} ${text(each)}`);
    if (whole === null) {
        const shown = (each) => each.firstElementChild ? flat(each.firstElementChild) : [];
        return [shown(document.querySelector('#r-board')), ...[...document.querySelectorAll('#r-parts > * > div')].map(shown)];
    }
    const picture = new DOMParser().parseFromString(whole, 'image/svg+xml').documentElement;
    const parts = [...picture.querySelectorAll(':scope > svg[data-part]')];
    parts.forEach((part) => part.remove());
    return [flat(picture), ...parts.map(flat)];
}"""
"""All elements of the picture on the page, or of a text: the board's, then those of each part."""


@pytest.fixture
def stored(database: Path, server: str):
    """Put a game into the server's database; its address."""

    def store(record: Record, findings: list[Finding] | None = None) -> str:
        shelf = Store(f"sqlite:///{database}", alone=False)
        name = put(shelf, record)
        if findings is not None:
            archive = Archive(shelf)
            archive.begin(name, Analysis(played(record).digest(), "done", [each.ply for each in findings])).result(30)
            for each in findings:
                archive.found(name, each.ply, vars(each)).result(30)
        shelf.close()
        return f"{server}/replay/{name}"

    return store


def drawn(page, ply: int) -> None:
    page.wait_for_function("(ply) => document.getElementById('replay')?.dataset.drawn === String(ply)", arg=ply)


def slide(page, ply: int) -> None:
    """What dragging the slider does."""
    moved = "(slider, ply) => { slider.value = ply; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
    page.locator("#r-slider").evaluate(moved, ply)
    drawn(page, ply)


def same_as_the_engine(page, record: Record, viewer: int, ply: int) -> None:
    wanted = replay_frames.one_frame(played(record), viewer, "en", ply)
    page.wait_for_function(f"(whole) => JSON.stringify(({FLAT})(null)) === JSON.stringify(({FLAT})(whole))", arg=wanted, timeout=60_000)


@pytest.mark.parametrize("game", ["sheepzzz", "haste-bock"])
def test_wherever_one_scrubs_the_page_shows_what_the_engine_draws(visit, stored, server: str, game: str) -> None:
    record = finished(game, 3, "scrub")
    page = visit(at=None)
    address = stored(record)
    if game == "sheepzzz":  # part of it is enough, and quicker: brought as a record that is not over
        record = Record(record.setup, record.events[:70], record.names)
        address = server + page.request.post(f"{server}/api/replays", data={"record": write_record(record)}).json()["page"]
    count, dice = len(record.events), Dice(f"scrub {game}")
    page.goto(f"{address}?ply={count // 3}")
    drawn(page, count // 3)
    for ply in (count // 3, 0, count, *(dice.below(count) for _ in range(4))):
        slide(page, ply)
        same_as_the_engine(page, record, EVERYTHING, ply)
    assert f"{ply} of {count}" in page.locator("#r-where").inner_text()
    if record.setup.game.secrets:
        page.locator("#r-as").select_option("1")
        same_as_the_engine(page, record, 1, ply)


def test_keys_the_log_and_links_lead_where_they_say(visit, stored) -> None:
    record = finished("haste-bock", 2, "keys")
    address, count = stored(record), len(record.events)
    story = replay_frames.story(played(record), EVERYTHING, "en")
    page = visit(at=None)
    page.goto(f"{address}?ply=10")
    drawn(page, 10)
    following = next(ply for ply in range(11, count + 1) if story[ply - 1]["lines"])
    page.keyboard.press("ArrowRight")
    drawn(page, following)
    assert story[following - 1]["lines"][0] in page.locator("#r-story").inner_text()
    page.keyboard.press("End")
    drawn(page, count)
    page.keyboard.press("Home")
    drawn(page, 0)
    page.keyboard.press("Space")
    page.wait_for_function("() => Number(document.getElementById('replay').dataset.drawn) > 1")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.getElementById('replay').dataset.film === 'resting'")
    entry = page.locator("#r-log .entry").nth(20)
    number = int(entry.locator("small").inner_text())
    entry.click()
    drawn(page, number)
    page.wait_for_url(re.compile(rf"ply={number}$"))
    page.reload()
    drawn(page, number)


def test_the_graph_and_its_turning_points_lead_to_their_ply(visit, stored) -> None:
    record = finished("haste-bock", 2, "keys")
    plies = [ply for ply, event in enumerate(record.events) if event.who >= 0 and len(record.end(ply).legal()) > 1]
    other = next(action for action in record.end(plies[9]).legal() if action != record.events[plies[9]].action)
    findings = [Finding(ply, record.events[ply].who, [0.6, 0.4], [record.events[ply].action], 0.0) for ply in plies[:30]]
    findings[9] = Finding(plies[9], record.events[plies[9]].who, [0.6, 0.4], [other], 0.18)
    page = visit(360, 740, color_scheme="dark", locale="fr-FR", at=None)
    page.goto(stored(record, findings))
    drawn(page, 0)
    assert page.locator("#r-graph path.g-line").count() == 2
    assert re.search(r"mieux\s: .*\+18\s%", page.locator("#r-turning").inner_text(), re.DOTALL)
    page.locator("#r-turning .entry").click()
    drawn(page, plies[9])
    page.locator("#r-graph").scroll_into_view_if_needed()
    box = page.locator("#r-graph").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 40)
    page.wait_for_function("(ply) => Number(document.getElementById('replay').dataset.drawn) > ply", arg=plies[9])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_game_is_brought_kept_and_played_on(visit, stored, tmp_path: Path) -> None:
    """Downloaded, brought back as a file, the same; a broken line is named; picture and film are files; and one plays on from a ply."""
    whole = finished("haste-bock", 2, "bring")
    ply = next(ply for ply in range(30, 60) if whole.end(ply).to_act == 1)
    page = visit(forgives="422", at=None)
    page.goto(stored(whole))
    drawn(page, 0)
    with page.expect_download() as download:
        page.locator("a[download]").click()
    download.value.save_as(tmp_path / "game.txt")
    text = (tmp_path / "game.txt").read_text()
    assert text == write_record(whole)

    lines = text.replace(text[text.index("sum:") :], "").split("\n")
    lines[19] = "1 fly"
    page.goto(f"{page.url.split('/replay')[0]}/replay")
    page.locator("textarea").fill("\n".join(lines))
    page.locator("main button.go").click()
    page.wait_for_selector("[role=alert]")
    assert "Line 20 does not fit" in page.locator("[role=alert]").inner_text()
    page.locator("input[type=file]").set_input_files(tmp_path / "game.txt")
    page.locator("main button.go").click()
    page.wait_for_url(re.compile(r"/replay/u\w+"))
    drawn(page, 0)
    slide(page, ply)
    same_as_the_engine(page, whole, EVERYTHING, ply)

    kept = {}
    for button in ("svg", "png"):
        with page.expect_download() as download:
            page.locator(f"#r-{button}").click()
        kept[button] = Path(download.value.path()).read_bytes()
    assert kept["png"].startswith(b"\x89PNG") and len(kept["png"]) > 50_000
    assert b"var(--" not in kept["svg"] and b"<style>" in kept["svg"]

    page.locator("#r-on select[name=seat]").select_option("1")
    page.locator("#r-on button").click()
    page.wait_for_url(re.compile(r"/t/"))
    page.wait_for_function("() => document.getElementById('said')?.classList.contains('mine')")
    shown = page.evaluate("async () => (await fetch(location.pathname + '/scene')).json()")
    assert (shown["ply"], shown["seat"], shown["to_act"]) == (ply, 1, 1)


def test_a_film_is_a_gif_with_a_picture_a_turn(visit, stored, server: str) -> None:
    whole = finished("haste-bock", 2, "bring")
    record = Record(whole.setup, whole.events[:14], whole.names)
    page = visit(at=None)
    answer = page.request.post(f"{server}/api/replays", data={"record": write_record(record)})
    page.goto(f"{server}{answer.json()['page']}")
    drawn(page, 0)
    with page.expect_download() as download:
        page.locator("#r-film").click()
    data = Path(download.value.path()).read_bytes()
    who = [event.who for event in record.events] + [None]
    turns = [ply for ply in range(len(record.events)) if who[ply] >= 0 and who[ply] != who[ply + 1]]
    decoded = page.evaluate(
        """async (numbers) => {
            const decoder = new ImageDecoder({ data: new Uint8Array(numbers), type: 'image/gif' });
            await decoder.tracks.ready;
            await decoder.completed;
            const sizes = [];
            for (let at = 0; at < decoder.tracks.selectedTrack.frameCount; at += 1) {
                const { image } = await decoder.decode({ frameIndex: at });
                sizes.push([image.displayWidth, image.displayHeight]);
            }
            return sizes;
        }""",
        list(data),
    )
    assert len(turns) <= len(decoded) <= len(turns) + 2
    assert {width for width, _ in decoded} == {480}


def test_nothing_stays_in_a_film_of_what_has_gone_again(visit, server: str) -> None:
    """The same picture before and after another one looks the same to the last pixel, also where there are more colours than a GIF has."""
    page = visit(at=None)
    answer = page.request.post(f"{server}/api/replays", data={"record": write_record(finished("haste-bock", 2, "bring"))})
    page.goto(f"{server}{answer.json()['page']}")
    drawn(page, 0)
    changed = page.evaluate(
        """async () => {
            const { film } = await import(document.getElementById('replay').dataset.keep);
            const stops = '<stop stop-color="#7a3"/><stop offset="1" stop-color="#def"/>';
            const field = `<defs><linearGradient id="a">${stops}</linearGradient></defs><rect width="720" height="300" fill="url(#a)"/>`;
            const picture = (sheep) => `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="300">${field}${sheep}</svg>`;
            const made = await film([picture(''), picture('<circle cx="300" cy="150" r="90" fill="#a3b"/>'), picture('')], () => true);
            const decoder = new ImageDecoder({ data: await made.arrayBuffer(), type: 'image/gif' });
            await decoder.tracks.ready;
            await decoder.completed;
            const frames = [];
            for (const frameIndex of [0, 1, 2]) {
                const { image } = await decoder.decode({ frameIndex });
                const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
                const pen = canvas.getContext('2d');
                pen.drawImage(image, 0, 0);
                frames.push(new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer));
            }
            return [1, 2].map((number) => frames[number].reduce((count, pixel, at) => count + (pixel !== frames[0][at]), 0));
        }"""
    )
    assert changed[0] > 5000 and changed[1] == 0


def test_a_picture_to_keep_has_the_points(visit, server: str) -> None:
    record = finished("haste-bock", 2, "bring")
    page = visit(at=None)
    answer = page.request.post(f"{server}/api/replays", data={"record": write_record(record)})
    page.goto(f"{server}{answer.json()['page']}?ply={len(record.events)}")
    drawn(page, len(record.events))
    with page.expect_download() as download:
        page.locator("#r-svg").click()
    svg = Path(download.value.path()).read_text(encoding="utf-8")
    for seat, points in enumerate(record.end().scores()):
        assert f">{record.names[seat]} {points}</text>" in svg
