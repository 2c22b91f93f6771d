"""A PostgreSQL server of the tests' own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

_NUMBERS = count()


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[str]:
    """The URL of a server of our own, on loopback, in a temporary folder."""
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path(shutil.which("initdb") or "").parent]
    binaries = next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)
    if not binaries:
        pytest.skip("no PostgreSQL server is installed here")
    user = "postgres" if os.geteuid() == 0 else None
    if user and subprocess.run(["id", user], capture_output=True, check=False).returncode:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="sheepfold-postgres-"))
    if user:
        shutil.chown(folder, user)
    who = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    data = folder / "data"
    subprocess.run([*who, binaries / "initdb", "-D", data, "-A", "trust", "-U", "sheep"], check=True, capture_output=True, cwd=folder)
    command = [
        *who,
        binaries / "postgres",
        "-D",
        data,
        "-p",
        str(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "fsync=off",
        "-k",
        folder,
    ]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        import psycopg

        for _ in range(200):
            try:
                psycopg.connect(f"host=127.0.0.1 port={port} user=sheep dbname=postgres").close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        yield f"postgresql+psycopg://sheep@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGQUIT)  # at once, whoever is still connected
        server.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The URL of a fresh database there."""
    import psycopg

    name = f"sheep{next(_NUMBERS)}"
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_server.replace("/postgres", f"/{name}")


def hang_up_on_everybody(url: str) -> None:
    """As when the database is started again."""
    import psycopg

    others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {others}")
