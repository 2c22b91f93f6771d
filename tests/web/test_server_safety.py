"""What strangers may try: other sites, odd methods, wrong ids, floods; and nothing that the API answers may be the server's fault."""

from __future__ import annotations

import hmac
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient
from web_helper import another, client_of, new_table, scene, tables_of

from sheepfold.web.app import create_app
from sheepfold.web.guard import HEADERS, LARGEST_BODY, Buckets

ROOT = Path(__file__).parents[2]
FOREIGN = (
    {"origin": "https://evil.test"}, {"origin": "null"}, {"origin": "http://[::1"}, {"origin": "http://sheep.test.evil.test"},
    {"origin": "http://sheep.test:81"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
)  # fmt: skip


def a_wish(client: TestClient, table: str) -> dict[str, Any]:
    shown = scene(client, table)
    return {"ply": shown["ply"], "action": shown["actions"][0]["action"], "seat": shown["seat"]}


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_no_other_site_posts(client: TestClient, headers: dict[str, str]) -> None:
    table = new_table(client)
    wish = a_wish(client, table)
    for path, body in (
        (f"/t/{table}/move", wish), (f"/t/{table}/undo", None), (f"/t/{table}/say", {"text": "hi"}), (f"/t/{table}/leave", None),
        ("/play/haste-bock", None), ("/api/tables", {"game": "haste-bock", "seats": [{}, {}]}),
    ):  # fmt: skip
        answer = client.post(path, json=body, headers=headers)
        assert answer.status_code == 403, path
        assert "another site" in answer.json()["problem"]
    assert scene(client, table)["ply"] == wish["ply"]


def test_our_own_page_and_programs_post(client: TestClient) -> None:
    table = new_table(client)
    own = ({"origin": "http://sheep.test"}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}, {})
    for headers in own:
        assert client.post(f"/t/{table}/move", json=a_wish(client, table), headers=headers).status_code == 200


def test_a_move_as_a_form_of_another_site_could_send_it_is_no_move(client: TestClient) -> None:
    """Browsers send text/plain and forms across sites without asking first."""
    table = new_table(client)
    wish = a_wish(client, table)
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        body = TestClient(client.app).build_request("POST", "/", json=wish).content
        assert client.post(f"/t/{table}/move", content=body, headers={"content-type": kind}).status_code == 422
    assert scene(client, table)["ply"] == wish["ply"]


def test_every_answer_has_the_headers_that_keep_scripts_out(client: TestClient) -> None:
    table = new_table(client)
    wish = a_wish(client, table)
    paths = ("/", f"/t/{table}", f"/t/{table}/scene", "/api/games", "/nowhere", "/static/table.js", "/health")
    answers = [client.get(path) for path in paths]
    answers += [client.post(f"/t/{table}/move", json=wish), client.post(f"/t/{table}/move", json=wish | {"action": "jump"})]
    answers += [client.post("/api/tables", content=b"{"), client.post("/", headers={"origin": "https://evil.test"})]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers.get(name) == value, answer.request.url
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == "'self'"
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    for path in ("/", "/lobby", "/new/haste-bock", "/rules/haste-bock", f"/t/{table}", "/nowhere"):
        page = client.get(path).text
        assert not re.search(r"<script(?![^>]*(src=\"/static/|application/json))", page), path
        assert not re.search(r"<[^>]+\son\w+\s*=", page), path
        assert "javascript:" not in page


def test_ids_are_checked_before_anything_is_looked_up(client: TestClient) -> None:
    for bad in ("abc", "a" * 33, "..%2f..%2fetc", "a'b;--xx", "%00abcd", "ab cd", "é" * 6):
        for path in (f"/t/{bad}", f"/t/{bad}/scene", f"/t/{bad}/stream", f"/api/tables/{bad}", f"/api/tables/{bad}/stream"):
            assert client.get(path).status_code in (404, 422), path
        for path in (f"/t/{bad}/move", f"/api/tables/{bad}/moves"):
            assert client.post(path, json={"ply": 0, "action": "x"}).status_code in (404, 422), path


def test_methods(client: TestClient) -> None:
    table = new_table(client)
    for path in ("/", f"/t/{table}", "/api/games", "/health"):
        assert client.options(path).status_code in (200, 204, 405)
        assert "access-control-allow-origin" not in client.options(path, headers={"origin": "https://evil.test"}).headers
        assert client.delete(path).status_code == 405
        assert client.request("TRACE", path).status_code == 405
        assert client.head(path).status_code == (405 if path.startswith("/api") else 200)
        assert client.head(path).content == b""
    assert client.head(f"/t/{table}/stream").status_code == 405, "it has no end"
    assert client.get(f"/t/{table}/move").status_code == 405
    refused = client.put(f"/api/tables/{table}/moves", json={})
    assert (refused.status_code, refused.headers["allow"], list(refused.json())) == (405, "POST", ["problem"])


def test_tokens_are_compared_in_constant_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables_of(client).in_memory[new_table(client)]
    compared: list[tuple[bytes, bytes]] = []
    original = hmac.compare_digest

    def spy(one: bytes, two: bytes) -> bool:
        compared.append((one, two))
        return original(one, two)

    monkeypatch.setattr("sheepfold.table.table.hmac.compare_digest", spy)
    assert table.seats_of([table.seats[0].token[:-1] + "!"]) == []
    assert table.seats_of([table.seats[0].token]) == [0, 1]
    assert len(compared) == 4
    assert len(table.seats[0].token) >= 32


def test_tokens_that_are_no_text_are_no_tokens(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open")
    for token in (b"Bearer ", b"Bearer \xff\xfe", b"Basic abc", b"Bearer " + b"x" * 5000):
        headers = {b"authorization": token}
        answer = client.get(f"/api/tables/{table}", headers=headers)
        assert answer.status_code == 200
        assert answer.json()["seat"] is None
        assert client.post(f"/api/tables/{table}/moves", json={"ply": 0, "action": "x"}, headers=headers).status_code == 403


def test_cookies(client: TestClient) -> None:
    for path, form in (("/play/haste-bock", {}), ("/theme", {"theme": "dark"}), ("/language", {"language": "fr"})):
        answer = client.post(path, data=form, follow_redirects=False)
        assert answer.headers.get_list("set-cookie")
        for cookie in answer.headers.get_list("set-cookie"):
            assert "SameSite=lax" in cookie
            if cookie.startswith("seat_"):
                assert "HttpOnly" in cookie


def test_tokens_of_others_are_in_no_answer(client: TestClient) -> None:
    table = new_table(client, "haste-bock", "me", "open", "open", name0="Anna", listed="on")
    friend, third = another(client), another(client)
    friend.post(f"/t/{table}/sit", data={"seat": "1", "name": "Ben"})
    third.post(f"/t/{table}/sit", data={"seat": "2", "name": "Carl"})
    tokens = [seat.token for seat in tables_of(client).in_memory[table].seats]
    assert len(set(tokens)) == 3
    for number, browser in enumerate((client, friend, third, another(client))):
        paths = (f"/t/{table}", f"/t/{table}/scene", f"/api/tables/{table}", "/lobby", "/api/tables", "/metrics", "/health")
        texts = [str(browser.get(path).content) + str(browser.get(path).headers) for path in paths]
        texts += [str(browser.post(f"/t/{table}/{what}").content) for what in ("undo", "hint", "move", "rematch")]
        for other, token in enumerate(tokens):
            assert other == number or not any(token in text for text in texts)


def test_floods_are_slowed_down_and_told_when_to_come_again(tmp_path: Path) -> None:
    with client_of(tmp_path, burst=12.0, per_second=0.001) as client:
        table = new_table(client)
        wish = a_wish(client, table)
        answers = [client.post(f"/t/{table}/move", json=wish) for _ in range(20)]
        codes = [answer.status_code for answer in answers]
        assert codes[0] == 200
        assert codes[-1] == 429
        assert answers[-1].headers["retry-after"]
        assert "problem" in answers[-1].json()
        assert 9 <= codes.count(200) <= 10, "an answered move costs one, not two"


def test_buckets_forget_the_longest_idle_first() -> None:
    buckets = Buckets(lambda: (2, 1.0), most=3)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("a", 1.5)
    for client in "bcd":
        buckets.take(client, 2.0)
    assert list(buckets.left) == ["b", "c", "d"]


def test_moves_that_are_too_long_or_broken_are_refused_in_words(client: TestClient) -> None:
    table = new_table(client)
    wish = a_wish(client, table)
    for body, code in (
        (wish | {"action": "x" * 201}, 422), (wish | {"action": "x" * LARGEST_BODY}, 413), (wish | {"more": 1}, 422),
        (wish | {"ply": "soon"}, 422), (wish | {"ply": 10**30}, 422), ([], 422),
    ):  # fmt: skip
        for path in (f"/t/{table}/move", f"/api/tables/{table}/moves"):
            answer = client.post(path, json=body, headers={"accept": "application/json"})
            assert answer.status_code == code or (code == 422 and answer.status_code == 403), (path, body)
            assert answer.json()["problem"]
    assert scene(client, table)["ply"] == wish["ply"]


def test_half_characters_are_refused_or_left_out(client: TestClient) -> None:
    table = new_table(client)
    ply = scene(client, table)["ply"]
    for path, body in (
        (f"/t/{table}/move", b'{"ply": %d, "action": "\\ud800", "seat": 0}' % ply), (f"/t/{table}/say", b'{"text": "\\ud800"}'),
        ("/api/tables", b'{"game": "haste-bock", "seats": [{"kind": "me", "name": "\\udfff"}, {"kind": "me"}]}'),
        ("/api/tables", b'{"game": "\\ud800", "seats": [{}]}'),
    ):  # fmt: skip
        assert client.post(path, content=body, headers={"content-type": "application/json"}).status_code in (201, 404, 422), path
    assert client.get(f"/t/{table}").status_code == 200


# Programs.


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server on a real port."""
    app = create_app(f"sqlite:///{tmp_path / 'real.db'}", bot_pause=0.0, burst=1e9, per_second=1e9)
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.02)
        assert thread.is_alive()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


def test_the_example_client_plays_to_the_end(address: str) -> None:
    command = [sys.executable, ROOT / "docs/example_client.py", address, "haste-bock"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"Ada: \d+ points, place [12]\nBen: \d+ points, place [12]\n", done.stdout)


@pytest.mark.slow
def test_no_input_is_so_bad_that_a_server_fails() -> None:
    """The short form of `make bench-bad-inputs`: the API as schemathesis reads it, forms, records, component files, streams, raw HTTP."""
    pytest.importorskip("schemathesis")
    command = [sys.executable, ROOT / "bench/bad_inputs.py", "--count", "400", "--seed", "1", "--servers", "fast"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert found["faults"] == []
    assert sum(found["servers"]["fast"]["kinds"]["described"].values()) > 40
