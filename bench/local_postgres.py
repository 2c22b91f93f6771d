"""A PostgreSQL server of one's own for a while, on loopback, in a temporary folder; for benches and tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoPostgres(Exception):
    """There is none here, and why."""


@contextmanager
def running(synced: bool = True, address: str = "127.0.0.1") -> Iterator[str]:
    """Its URL. Without `synced` it is quick, and keeps nothing if the machine fails. Whoever reaches the address may come."""
    try:
        import psycopg
    except ImportError:
        raise NoPostgres("the extra 'postgres' is not installed") from None
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path(shutil.which("initdb") or "").parent]
    binaries = next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)
    if not binaries:
        raise NoPostgres("no PostgreSQL server is installed here")
    user = "postgres" if os.geteuid() == 0 else None
    if user and subprocess.run(["id", user], capture_output=True, check=False).returncode:
        raise NoPostgres("PostgreSQL does not run as root, and there is no user postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="sheepfold-postgres-"))
    if user:
        shutil.chown(folder, user)
    who = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    data, settings = folder / "data", [f"listen_addresses={address}", f"fsync={'on' if synced else 'off'}", "max_connections=200"]
    subprocess.run([*who, binaries / "initdb", "-D", data, "-A", "trust", "-U", "sheep"], check=True, capture_output=True, cwd=folder)
    with (data / "pg_hba.conf").open("a") as guests:
        guests.write(f"host all all {address}/24 trust\n")
    command = [
        *who,
        binaries / "postgres",
        "-D",
        data,
        "-p",
        str(port),
        "-k",
        folder,
        *(part for each in settings for part in ("-c", each)),
    ]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                psycopg.connect(f"host={address} port={port} user=sheep dbname=postgres").close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        yield f"postgresql+psycopg://sheep@{address}:{port}/postgres"
    finally:
        server.send_signal(signal.SIGQUIT)  # at once, whoever is still connected
        server.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def hang_up_on_everybody(url: str) -> None:
    """As when the database is started again."""
    import psycopg

    others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {others}")
