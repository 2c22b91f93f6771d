"""What hosts are given in deploy/ fits the program: the lock pyproject.toml, the dashboard /metrics, the proxy the server."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from web_helper import client_of

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\b(sheepfold_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
BY = re.compile(r"\bby \(([^)]*)\)")


def test_the_lock_holds_all_that_hosts_need_within_the_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [Requirement(text) for text in (*project["dependencies"], *extras["web"], *extras["postgres"], *extras["push"])]
    text = (DEPLOY / "requirements.lock").read_text(encoding="utf-8")
    pinned = [Requirement(line.removesuffix("\\").strip()) for line in text.splitlines() if re.match(r"\w", line)]
    locked = {canonicalize_name(each.name): each for each in pinned}
    for each in wanted:
        if each.name != "sheepfold":
            version = str(locked[canonicalize_name(each.name)].specifier).removeprefix("==")
            assert version in each.specifier, f"{each} is locked at {version}"
    assert {"httptools", "uvloop", "psycopg-binary"} <= locked.keys(), "what the extras' own extras bring"
    assert text.count("--hash=sha256:") >= len(pinned)
    assert "://" not in text


def figures(tmp_path: Path) -> dict[str, list[dict[str, str]]]:
    """By metric the labels of each of its lines, after something of everything has happened."""
    found: dict[str, list[dict[str, str]]] = {}
    with client_of(tmp_path) as client:
        client.get("/")
        tables = client.app.state.tables  # type: ignore[attr-defined]
        tables.counted.update(COUNTED)
        for line in client.get("/metrics").text.splitlines():
            if line.startswith("sheepfold_"):
                name, labels = re.match(r"(\w+)(?:\{(.*)\})? ", line).groups()  # type: ignore[union-attr]
                found.setdefault(name, []).append(dict(re.findall(r'(\w+)="([^"]*)"', labels or "")))
    found["sheepfold_tables"] = [{"status": status} for status in ("open", "playing", "over", "closed")]
    return found


SOURCES = "\n".join(path.read_text(encoding="utf-8") for room in ("table", "web") for path in (ROOT / "src/sheepfold" / room).glob("*.py"))
COUNTED = set(re.findall(r'counted\["([^"]+)"\]', SOURCES))


def expressions() -> Iterator[tuple[str, str]]:
    """Where an expression stands, and what it is: those of the dashboard, and the alarms of the page."""
    for panel in json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    for alarm in re.findall(r"^ *expr: (.*)$", page, re.MULTILINE):
        yield "operations.md", alarm


def test_every_query_asks_for_figures_that_there_are(tmp_path: Path) -> None:
    known = figures(tmp_path)
    asked = list(expressions())
    assert len({where for where, _ in asked}) > 10, "they are all found"
    for where, expression in asked:
        metrics = METRIC.findall(expression)
        assert metrics or expression.startswith("up{"), where
        for name, matchers in metrics:
            assert name in known, f"{where}: there is no {name}"
            for label, how, value in MATCHER.findall(matchers):
                values = {labels.get(label) for labels in known[name]}
                assert None not in values, f"{where}: {name} has no {label}"
                if label == "what":
                    assert set(value.split("|")) <= values, f"{where}: nothing is counted as {value}"
                assert how in ("=", "!=") or re.compile(value)
            for label in ",".join(BY.findall(expression)).replace(" ", "").split(","):
                assert not label or any(label in labels for labels in known[name]), f"{where}: {name} has no {label}"


def test_the_server_believes_the_proxy_of_the_composition_and_nobody_else() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    server, proxy = composed["services"]["server"], composed["services"]["proxy"]
    assert server["environment"]["FORWARDED_ALLOW_IPS"] == proxy["networks"]["inside"]["ipv4_address"]
    here = "server 127.0.0.1:8321;"
    assert here in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert f"s/127.0.0.1:8321/{server['networks']['inside']['ipv4_address']}:8321/" in proxy["command"][2]
    secret = composed["services"]["database"]["environment"]["POSTGRES_PASSWORD"]
    assert secret.startswith("${DATABASE_PASSWORD:?"), "no password stands in the file"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")
def test_the_processes_of_a_server_are_replaced_while_people_play(empty_postgres: str) -> None:
    """By SIGHUP, as `systemctl reload` does it: every move that was acknowledged is there, and the game goes on."""
    command = [sys.executable, "-m", "sheepfold", "serve", "--port", "0", "--processes", "2", "--database", empty_postgres]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().split()[1].replace("localhost", "127.0.0.1")
            made = ask(f"{address}api/tables", {"game": "te-kuiti", "seats": [{"kind": "me"}, {"kind": "me"}]})
            table, token = f"{address}api/tables/{made['table']}", made["token"]
            before, acknowledged = workers(server.pid), 0
            assert len(before) == 2
            server.send_signal(signal.SIGHUP)
            for _ in range(2000):
                scene = ask(f"{table}?since=100000", token=token)
                assert scene["ply"] >= acknowledged, "what was acknowledged is there"
                if scene["status"] != "playing" or not workers(server.pid) & before:
                    break
                acknowledged = ask(f"{table}/moves", {"ply": scene["ply"], "action": scene["actions"][0]["action"]}, token)["ply"]
                time.sleep(0.25)
            assert acknowledged and len(workers(server.pid)) == 2 and not workers(server.pid) & before
        finally:
            server.terminate()


def workers(server: int) -> set[str]:
    """The processes of a server that answer requests."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return {each for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()}


def ask(address: str, body: object = None, token: str = "") -> dict[str, Any]:
    """Asked again where the line was cut; the same move is done once."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    for _ in range(600):
        try:
            with urlopen(Request(address, None if body is None else json.dumps(body).encode(), headers), timeout=60) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except HTTPError:
            raise
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer from {address}")
