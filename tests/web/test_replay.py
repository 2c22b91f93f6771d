"""Looking back without a browser: films, records, uploads, playing on, the analysis; and that nothing of a running game is reached."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from replay_helper import finished, put
from replay_helper import played as plain
from web_helper import client_of, run, scene, tables_of

from sheepfold.art.pieces import bare
from sheepfold.bots.analysis import Finding
from sheepfold.core.position import EVERYTHING, OVER
from sheepfold.game.component_file import EnteredFile
from sheepfold.game.records import Event, Record, read_record, write_record
from sheepfold.game.registry import find, names
from sheepfold.table.archive import Analysis, Archive
from sheepfold.web import replay_frames
from sheepfold.web.app import create_app
from sheepfold.web.replay import BATCH

BOXES = Path(__file__).parents[1] / "boxes"
SHORT = ("guerre-des-moutons", 2, "short")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One server for all, so that its jobs starts once; its analyses are quick."""
    with client_of(tmp_path_factory.mktemp("replay"), look_back=20) as found:
        yield found


def film(client: TestClient, name: str, first: int, **query: Any) -> list[str]:
    """The pictures of a batch, put together."""
    answer = client.get(f"/replay/{name}/frames", params={"first": first, **query})
    assert answer.status_code == 200, answer.text
    batch = answer.json()
    assert batch["first"] == first
    return ["".join(batch["pieces"][number] for number in numbers) for numbers in batch["frames"]]


@pytest.mark.parametrize("game", names())
def test_the_film_shows_what_the_engine_draws(client: TestClient, game: str) -> None:
    record = finished(game, find(game).seats[-1], "film")
    name = put(tables_of(client).store, record)
    first = len(record.events) // 2 // BATCH * BATCH
    for viewer, query in ((EVERYTHING, {}), (1, {"seat": 1})):
        if viewer >= record.setup.seats:
            continue
        shown = film(client, name, first, **query)
        assert len(shown) == min(BATCH, len(record.events) + 1 - first)
        for step in (0, len(shown) - 1):
            assert shown[step] == replay_frames.one_frame(plain(record), viewer, "en", first + step)
    last = film(client, name, len(record.events) // BATCH * BATCH)
    assert last[-1] == replay_frames.one_frame(plain(record), EVERYTHING, "en", len(record.events))


@pytest.mark.parametrize("game", ["sheepzzz", "te-kuiti"])
def test_a_ply_in_words_is_what_the_table_said(client: TestClient, game: str) -> None:
    record = finished(game, 2, "words")
    plies = len(record.events) // 2
    store = tables_of(client).store
    whole, half = put(store, record), put(store, record, plies=plies)
    for seat in range(2):
        told = client.get(f"/t/{half}/scene", headers={"cookie": f"seat_{half}=token-{seat}"}).json()["outline"]
        assert client.get(f"/replay/{whole}/outline?ply={plies}&seat={seat}").json() == told
        every_line = {line for passage in client.get(f"/replay/{whole}/outline?ply={plies}").json() for line in passage["lines"]}
        assert {line for passage in told for line in passage["lines"]} <= every_line, "open, all hands are said"


@pytest.mark.parametrize("game", names())
def test_the_story_is_the_tables_log(client: TestClient, game: str) -> None:
    """As a seat it is word for word what that seat was told; open it has no gaps."""
    record = finished(game, find(game).seats[-1], "film")
    name = put(tables_of(client).store, record)
    told = client.get(f"/replay/{name}/story?seat=0").json()
    log = client.get(f"/api/tables/{name}", headers={"authorization": "Bearer token-0"}).json()["log"]
    assert [(each["who"], each["code"], each["lines"]) for each in told] == [(each["who"], each["notation"], each["lines"]) for each in log]
    assert told[-1]["scores"] == [int(score) for score in record.end().scores()]
    open_story = client.get(f"/replay/{name}/story").json()
    assert all(each["code"] for each in open_story)
    assert client.get(f"/replay/{name}?ply=3").status_code == 200


@pytest.mark.parametrize("game", [game for game in names() if find(game).secrets])
def test_an_open_picture_shows_every_hand_and_ids_are_one_of_a_kind(game: str) -> None:
    record = finished(game, find(game).seats[-1], "film")
    ply = next(ply for ply, position in enumerate(record.positions()) if position.to_act >= 0)
    shown = replay_frames.one_frame(plain(record), EVERYTHING, "en", ply)
    for seat in range(record.setup.seats):
        assert f'data-part="hand-{seat}"' in shown
    ids = re.findall(r' id="([^"]+)"', shown)
    assert len(ids) == len(set(ids))


# Records.


def test_a_downloaded_record_comes_back_as_the_same_game(client: TestClient) -> None:
    record = finished("sheepzzz", 3, "down")
    name = put(tables_of(client).store, record)
    text = client.get(f"/replay/{name}/record").text
    assert read_record(text).events == record.events
    assert client.get(f"/api/replays/{name}/record").text == text == write_record(record)
    made = client.post("/api/replays", json={"record": text})
    assert made.status_code == 201
    brought = made.json()["replay"]
    assert client.get(f"/replay/{brought}/record").text == text
    assert client.get(f"/replay/{brought}/story").json() == client.get(f"/replay/{name}/story").json()
    assert film(client, brought, 0) == film(client, name, 0)
    assert client.post("/api/replays", json={"record": text.replace("\n", "\r\n")}).json()["replay"] == brought


def test_a_record_by_hand_and_one_that_is_not_over_can_be_brought(client: TestClient) -> None:
    record = finished("haste-bock", 2, "hand")
    text = write_record(Record(record.setup, record.events[:20]))
    by_hand = text[: text.index("sum:")]
    answer = client.post("/replay", data={"text": by_hand}, follow_redirects=False)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert "Player 2" in page


def test_a_broken_record_is_refused_with_its_line(client: TestClient) -> None:
    record = finished("haste-bock", 2, "hand")
    lines = write_record(record).split("\n")
    number = next(place for place, line in enumerate(lines, start=1) if line.startswith(("1 ", "2 ")) and place > 30)
    lines[number - 1] = lines[number - 1][:2] + "fly <away>"
    broken = "\n".join(line for line in lines if not line.startswith("sum:"))
    answer = client.post("/replay", files={"file": ("game.txt", broken)})
    assert answer.status_code == 422
    assert f"Line {number} does not fit" in answer.text
    assert "fly &lt;away&gt;" in answer.text and "fly <away>" not in answer.text
    assert client.post("/api/replays", json={"record": broken}).json()["problem"].startswith(f"line {number}: ")
    french = client.post("/replay", data={"text": broken}, headers={"accept-language": "fr"})
    assert f"La ligne {number} ne convient pas" in french.text and "pas possible ici" in french.text
    begun = client.post("/replay", data={"text": "hello"}, headers={"accept-language": "fr"}).text
    assert "Un enregistrement commence par" in begun and "A record starts" not in begun
    assert "Line 1 does not fit" in client.post("/replay", data={"text": "hello"}).text
    assert client.post("/api/replays", json={"record": "x" * 60_001}).status_code == 422
    assert client.post("/replay", data={"text": "x" * 70_000}).status_code == 413
    odd = b'{"record": "sheepfold record 1\\n\\ud800"}'
    assert client.post("/api/replays", content=odd, headers={"content-type": "application/json"}).status_code == 422


def test_a_record_of_the_terminal_can_be_brought(client: TestClient, tmp_path: Path) -> None:
    """Written by `sheepfold play --record`, given up after a move."""
    import subprocess
    import sys

    file = tmp_path / "game.txt"
    command = [sys.executable, "-m", "sheepfold", "play", "te-kuiti", "--seats", "2", "--bot", "lamb", "--seed", "1", "--record", str(file)]
    subprocess.run(command, input="1\n", text=True, capture_output=True, timeout=60, check=False)
    answer = client.post("/replay", files={"file": ("game.txt", file.read_bytes())}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert len(client.get(answer.headers["location"] + "/story").json()) >= 1


def test_old_uploads_make_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheepfold.table.archive.MOST_UPLOADS", 3)
    archive = Archive(tables_of(client).store)
    names = []
    for number in range(5):
        name, done = archive.keep(f"record {number}")
        done.result(10)
        names.append(name)
    assert [archive.record(name) is not None for name in names] == [False, False, True, True, True]


# Playing on.


@pytest.mark.parametrize("game", ["haste-bock", "sheepzzz"])
def test_playing_on_starts_at_that_ply(client: TestClient, game: str) -> None:
    record = finished(game, 2 if 2 in find(game).seats else 3, "on")
    name = put(tables_of(client).store, record)
    ply = next(ply for ply, position in enumerate(record.positions()) if ply > 40 and position.to_act == 1)
    answer = client.post(f"/replay/{name}/play", data={"ply": ply, "seat": 1, "level": "ram"}, follow_redirects=False)
    assert answer.status_code == 303
    table = answer.headers["location"].removeprefix("/t/")
    shown = scene(client, table)
    assert (shown["ply"], shown["seat"], shown["to_act"]) == (ply, 1, 1)
    assert [player["kind"] for player in shown["players"]] == ["bot", "person", *["bot"] * (record.setup.seats - 2)]
    whole = record.setup.game.picture(record.end(ply).seen_by(1), 1, "auto", voice(client, table))
    assert shown["picture"] == bare(whole).replace("\n", "")
    assert client.get(f"/replay/{table}").status_code == 409
    at_the_end = client.post(f"/replay/{name}/play", data={"ply": len(record.events), "seat": 0}, headers={"accept": "application/json"})
    assert (at_the_end.status_code, "go back" in at_the_end.json()["problem"]) == (409, True)


def voice(client: TestClient, table: str) -> Any:
    return tables_of(client).in_memory[table].voice("en")


# Nothing of a running game.

GETS = (
    "", "?ply=3", "?seat=1&ply=3", "/frames?first=0", "/frames?first=0&seat=1", "/story", "/story?seat=1", "/record", "/analysis",
    "/outline?ply=3", "/outline?ply=3&seat=1",
)  # fmt: skip
POSTS = (("/analysis", {}), ("/analysis/stop", {}), ("/play", {"ply": "3", "seat": "1"}))
PROGRAMS = (("GET", "/record"), ("GET", "/analysis"), ("POST", "/analysis"))


def everything(client: TestClient, name: str, token: str | None) -> list[tuple[int, str]]:
    """The answer of every address under which a game can be looked back at, to a seat or a spectator."""
    cookie = {"cookie": f"seat_{name}={token}"} if token else {}
    bearer = {"authorization": f"Bearer {token}"} if token else {}
    answers = [client.get(f"/replay/{name}{what}", headers=cookie) for what in GETS]
    answers += [client.post(f"/replay/{name}{what}", data=form, headers=cookie, follow_redirects=False) for what, form in POSTS]
    answers += [client.request(method, f"/api/replays/{name}{what}", headers=bearer) for method, what in PROGRAMS]
    return [(answer.status_code, answer.text) for answer in answers]


@pytest.mark.parametrize("game", ["sheepzzz", "haste-bock"])
def test_nothing_of_a_running_game_can_be_reached(client: TestClient, game: str) -> None:
    record = finished(game, 3, "leak")
    store = tables_of(client).store
    early, late = (put(store, record, plies=plies) for plies in (len(record.events) // 2, len(record.events) - 1))
    for token in (None, "token-0", "token-1"):
        found = [everything(client, name, token) for name in (early, late)]
        for name, answers in zip((early, late), found, strict=True):
            assert {status for status, _ in answers} == {409}
            assert not any("sf-piece" in text or "sheepfold record" in text for _, text in answers), name
        # What is said does not depend on the game at all, its address aside.
        assert [text.replace(early, "") for _, text in found[0]] == [text.replace(late, "") for _, text in found[1]]
    whole = put(store, record)
    assert {status for status, _ in everything(client, whole, None)} <= {200, 303}


def test_a_game_that_is_taken_back_is_closed_again(client: TestClient) -> None:
    """Alone against bots the last move may be taken back: from then on there is no replay, and what was found out is forgotten."""
    games = (finished("haste-bock", 2, f"back {number}") for number in range(50))
    record = next(each for each in games if each.events[-1].who == 0 and len(each.end(len(each.events) - 1).legal()) > 1)
    tables = tables_of(client)
    name = put(tables.store, record, people=1)
    mine = {"cookie": f"seat_{name}=token-0"}
    archive, ply = Archive(tables.store), len(record.events) - 1
    archive.begin(name, Analysis(plain(record).digest(), "done", [ply])).result(10)
    archive.found(name, ply, vars(Finding(ply, 0, [0.5, 0.5], [record.events[ply].action], 0.0))).result(10)
    assert client.get(f"/replay/{name}/analysis").json()["shares"] == [[ply, [0.5, 0.5]]]
    assert client.post(f"/t/{name}/undo", headers=mine).status_code == 200
    assert {status for status, _ in everything(client, name, "token-0")} == {409}
    shown = client.get(f"/t/{name}/scene", headers=mine).json()
    before = record.setup.game.write(record.end(shown["ply"]).seen_by(0), record.events[-1].action)
    other = next(choice["action"] for choice in shown["actions"] if choice["action"] != before)
    client.post(f"/t/{name}/move", json={"ply": shown["ply"], "action": other}, headers=mine)
    for _ in range(200):  # another end is another game: nothing that was found before is shown
        shown = client.get(f"/t/{name}/scene", headers=mine).json()
        if shown["status"] == "over":
            break
        if shown["actions"]:
            client.post(f"/t/{name}/move", json={"ply": shown["ply"], "action": shown["actions"][0]["action"]}, headers=mine)
    assert tables.in_memory[name].position.to_act == OVER and tables.in_memory[name].events != record.events
    assert client.get(f"/replay/{name}/analysis").json()["state"] == "none"


def test_a_finished_game_is_looked_at_with_the_pieces_that_it_was_played_with(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corrected file changes neither the pictures nor the points of games that were played before."""
    record, game = finished("sheepzzz", 3, "pieces"), find("sheepzzz")
    tables = tables_of(client)
    name = put(tables.store, record)
    before, points = film(client, name, 0), scene(client, name)["players"]
    other = EnteredFile("components.toml", (BOXES / "sheepzzz.toml").read_text(encoding="utf-8"))
    monkeypatch.setitem(vars(game), "components", game.read_components(other))
    monkeypatch.setitem(vars(game), "printed", other.text)
    tables.in_memory.clear()
    gallery = client.app.state.gallery  # type: ignore[attr-defined]
    gallery._film.clear()
    assert run(client, lambda: gallery.find(name)).record().setup.digest == record.setup.digest != game.components.digest
    assert film(client, name, 0) == before and scene(client, name)["players"] == points


def test_a_game_of_several_people_stays_over(client: TestClient) -> None:
    """Else somebody could look at all hands, take the last move back, and play on knowing them."""
    record = finished("sheepzzz", 3, "leak")
    name = put(tables_of(client).store, record)
    for token in ("token-0", "token-1", "token-2"):
        answer = client.post(f"/t/{name}/undo", headers={"cookie": f"seat_{name}={token}", "accept": "application/json"})
        assert (answer.status_code, "look back" in answer.json()["problem"]) == (409, True)


# The analysis.


def done(client: TestClient, name: str, state: str = "done") -> dict[str, Any]:
    """Wait until the analysis is there."""
    for _ in range(3000):
        shown = client.get(f"/replay/{name}/analysis").json()
        if shown["state"] == state:
            return dict(shown)
        time.sleep(0.02)
    raise AssertionError(f"the analysis is {shown['state']}")


def test_an_analysis_is_made_once_and_kept(tmp_path: Path) -> None:
    """Wanted, stopped, gone on with by another server on the same database, done, and not made again."""
    record = finished("te-kuiti", 2, "look")
    with client_of(tmp_path, look_back=12) as client:
        name = put(tables_of(client).store, record)
        assert client.get(f"/replay/{name}/analysis").json()["state"] == "none"
        begun = client.post(f"/replay/{name}/analysis").json()
        assert begun["state"] in ("running", "waiting") and begun["of"] > 20
        stopped = client.post(f"/replay/{name}/analysis/stop").json()
        assert stopped["state"] == "stopped"
        on = client.post(f"/api/replays/{name}/analysis").json()
        assert on["state"] in ("running", "waiting")
        assert (on["of"], on["done"] >= stopped["done"]) == (begun["of"], True)
    with client_of(tmp_path, look_back=12) as client:
        shown = done(client, name)
        assert shown["done"] == shown["of"] == len(shown["shares"]) == begun["of"]
        assert shown["result"] == [0.0, 1.0] or shown["result"] == [1.0, 0.0] or shown["result"] == [0.5, 0.5]
        for ply, shares in shown["shares"]:
            assert record.events[ply].who >= 0
            assert sum(shares) == pytest.approx(1, abs=0.001)
        assert len(shown["turning"]) > 0, "random play has turning points"
        losses = [point["loss"] for point in shown["turning"]]
        assert losses == sorted(losses, reverse=True)
        assert all(point["done"] and point["better"] and point["done"] != point["better"] for point in shown["turning"])
        jobs = client.app.state.gallery.jobs  # type: ignore[attr-defined]
        jobs.close()
        jobs.in_turn = None  # whoever would think now fails
        assert client.post(f"/replay/{name}/analysis").json() == shown


@pytest.mark.slow
def test_servers_share_what_waits_for_its_analysis(postgres: str) -> None:
    """Wanted at one, looked at by the other, seen and stopped at both; and what one client may want, it may want of both together."""
    apps = [create_app(postgres, look_back=12, analyses=1) for _ in range(2)]
    with TestClient(apps[0], base_url="http://sheep.test") as idle, TestClient(apps[1], base_url="http://sheep.test") as busy:
        names = [put(tables_of(idle).store, finished("te-kuiti", 2, f"shared {number}")) for number in range(2)]

        async def fall_asleep() -> None:
            apps[0].state.gallery.analysis_queue._task.cancel()

        run(idle, fall_asleep)
        begun = idle.post(f"/replay/{names[0]}/analysis").json()
        refused = busy.post(f"/replay/{names[1]}/analysis", headers={"accept": "application/json"})
        assert (begun["state"], refused.status_code) == ("running", 503)
        assert done(idle, names[0])["done"] == begun["of"] == len(done(busy, names[0])["shares"])
        assert busy.post(f"/replay/{names[1]}/analysis").json()["state"] == "running"
        assert idle.post(f"/replay/{names[1]}/analysis/stop").json()["state"] == "stopped"
        assert busy.get(f"/replay/{names[1]}/analysis").json()["state"] == "stopped"


def test_one_game_at_a_time_is_looked_at_and_not_too_many_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in Archive(tables_of(client).store).waiting():  # what other tests have wanted
        client.post(f"/replay/{each.name}/analysis/stop")
    monkeypatch.setattr("sheepfold.web.analysis_queue.MOST_QUEUED", 2)
    names = [put(tables_of(client).store, finished("te-kuiti", 2, f"queue {number}")) for number in range(3)]
    answers = [client.post(f"/replay/{name}/analysis", headers={"accept": "application/json"}) for name in names]
    assert [answer.status_code for answer in answers[:2]] == [200, 200]
    if answers[2].status_code == 503:  # unless the first is done already
        assert "moment" in answers[2].json()["problem"]
    states = [client.get(f"/replay/{name}/analysis").json()["state"] for name in names]
    assert states.count("running") <= 1
    for name in names:
        client.post(f"/replay/{name}/analysis/stop")


def test_a_game_for_one_has_a_replay_and_no_shares(client: TestClient) -> None:
    name = put(tables_of(client).store, finished("te-kuiti", 1, "alone"))
    assert client.get(f"/replay/{name}?ply=9").status_code == 200
    answer = client.post(f"/replay/{name}/analysis", headers={"accept": "application/json"})
    assert (answer.status_code, "alone" in answer.json()["problem"]) == (422, True)
    assert client.get(f"/replay/{name}/analysis").json()["result"] is None


def test_interruptions_are_looked_at_too() -> None:
    """La Guerre des Moutons: what was done out of turn is judged, and waiting can have been better."""
    from sheepfold.bots.analysis import asked, find_out
    from sheepfold.web.jobs import decisions

    found = 0
    for number in range(30):
        record = finished("guerre-des-moutons", 3, f"interrupt {number}")
        for ply in decisions(plain(record)):
            if record.events[ply].interrupt:
                finding = find_out(asked(plain(record).session(), ply), record.events[ply].action, ply, 30)
                assert finding.seat == record.events[ply].who
                costly = [finding.__class__(**{**vars(finding), "loss": 0.2})]
                (point,) = replay_frames.points_of_turning(plain(record), costly, "en")
                assert point["done"] and point["better"]
                found += 1
        if found >= 3:
            return
    raise AssertionError("nobody interrupted")


def test_events_are_what_they_were() -> None:
    """The plain values that go to other processes give the same record."""
    record = finished(*SHORT)
    again = plain(record).record()
    assert again.events == record.events and all(isinstance(event, Event) for event in again.events)
    assert write_record(again) == write_record(record)
