"""Hosts of one's own for a while: network namespaces of Linux on one bridge, whose lines can be cut; for benches, and for root only."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


class NoHosts(Exception):
    """There can be none here, and why."""


class Host:
    """One of them."""

    def __init__(self, name: str, line: str, address: str) -> None:
        self.name, self.line, self.address = name, line, address
        self.enter = ["ip", "netns", "exec", name]
        """Before a command that is to run there."""

    def cut(self) -> None:
        """From now on nothing comes through, and nobody is told so."""
        _ip("link", "set", self.line, "down")

    def mend(self) -> None:
        _ip("link", "set", self.line, "up")


@contextmanager
def running(count: int) -> Iterator[tuple[str, list[Host]]]:
    """The address of this machine among them, and the others."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        raise NoHosts("network namespaces need Linux, root and the command ip")
    mark = f"{os.getpid() % 0xFFFF:x}"
    net = f"10.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}"
    bridge, hosts = f"sheep{mark}", [Host(f"sheep{mark}-{number}", f"sh{mark}-{number}", f"{net}.{10 + number}") for number in range(count)]
    try:
        try:
            _ip("link", "add", bridge, "type", "bridge")
            _ip("addr", "add", f"{net}.1/24", "dev", bridge)
            _ip("link", "set", bridge, "up")
            for host in hosts:
                _ip("netns", "add", host.name)
                _ip("link", "add", host.line, "type", "veth", "peer", "name", "eth0", "netns", host.name)
                _ip("link", "set", host.line, "master", bridge, "up")
                for wish in (
                    ("addr", "add", f"{host.address}/24", "dev", "eth0"),
                    ("link", "set", "eth0", "up"),
                    ("link", "set", "lo", "up"),
                ):
                    _ip("-n", host.name, *wish)
        except subprocess.CalledProcessError as error:
            raise NoHosts(f"network namespaces cannot be made here ({error.stderr.strip()})") from None
        yield f"{net}.1", hosts
    finally:
        for host in hosts:
            subprocess.run(["ip", "netns", "del", host.name], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", bridge], capture_output=True, check=False)


def _ip(*wish: str) -> None:
    subprocess.run(["ip", *wish], check=True, capture_output=True, text=True)
