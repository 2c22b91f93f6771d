"""As an app: the manifest says all that systems ask for, its icons are what it says, and the worker keeps no more than it should."""

from __future__ import annotations

import re
import struct

from fastapi.testclient import TestClient


def test_the_manifest_is_complete_and_in_the_readers_language(client: TestClient) -> None:
    for language in ("en", "fr"):
        answer = client.get("/manifest.webmanifest", headers={"accept-language": language})
        assert answer.headers["content-type"].startswith("application/manifest+json")
        found = answer.json()
        assert found["lang"] == language
        assert {"id", "name", "short_name", "description", "start_url", "scope", "display", "background_color", "theme_color"} <= set(found)
        assert client.get(found["start_url"]).status_code == 200
        assert all(client.get(each["url"]).status_code == 200 for each in found["shortcuts"])
    icons = [each for each in found["icons"] if each["type"] == "image/png"]
    assert {(each["sizes"], each["purpose"]) for each in icons} == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in icons:
        content = client.get(icon["src"]).content
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        assert "x".join(map(str, struct.unpack(">II", content[16:24]))) == icon["sizes"]


def test_every_page_names_the_manifest_and_the_colours_of_the_frame(client: TestClient) -> None:
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert len(re.findall('<meta name="theme-color"', page)) == 2
    client.post("/theme", data={"theme": "dark"})
    assert re.findall('<meta name="theme-color" content="([^"]+)">', client.get("/").text) == ["#263241"]


def test_the_worker_keeps_static_files_and_the_offline_page_only(client: TestClient) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "worker-src 'self'" in client.get("/").headers["content-security-policy"]
    listed = re.search(r'"files": \[([^\]]+)\], "page": "([^"]+)"', answer.text)
    assert listed
    files = re.findall(r'"([^"]+)"', listed[1])
    assert files and all(re.fullmatch(r"/(static/[\w.-]+|art\.css)\?\w+", name) for name in files)
    assert all(client.get(name).status_code == 200 for name in files)
    page = client.get(listed[2], headers={"accept-language": "fr"})
    assert page.status_code == 200 and 'lang="fr"' in page.text
    needed = set(re.findall(r'(?:src|href)="(/(?:static/|art)[^"]+)"', page.text)) - {"/static/icon-192.png"}
    assert needed <= set(files), "the offline page needs nothing that is not kept"
