"""An nginx of one's own for a while, in front of several servers, which it asks in turn; for benches and tests."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

CONFIGURATION = """
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream sheep {{ {servers} keepalive 64; }}
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_buffering off;
        proxy_connect_timeout 500ms;
        proxy_next_upstream error timeout non_idempotent;
        proxy_next_upstream_timeout 10s;
        add_header X-Server $upstream_addr always;
        location / {{ proxy_pass http://sheep; proxy_read_timeout {patience}s; }}
        location ~ /(stream|events)$ {{ proxy_pass http://sheep; proxy_read_timeout 1h; }}
    }}
}}
"""
"""A move that was stored and is sent again is done once, so the proxy may ask another server for one that a server did not answer."""


class NoProxy(Exception):
    """There is no nginx here."""


@contextmanager
def running(servers: Sequence[str], patience: float = 2) -> Iterator[str]:
    """Its address. Where a server does not answer within that many seconds, the next one is asked. None is ever left out: once all have
    failed, nginx would leave out all of them for as long as it is asked often."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not nginx:
        raise NoProxy("no nginx is installed here")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="sheepfold-nginx-"))
    folder.chmod(0o755)
    named = " ".join(f"server {each} max_fails=0;" for each in servers)
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, servers=named, port=port, patience=patience))
    process = subprocess.Popen(
        [nginx, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log", "-g", "daemon off;"], stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
