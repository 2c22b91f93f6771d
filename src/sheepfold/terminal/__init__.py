"""The terminal: the command `sheepfold`, and the games played in text.

This module is all that is imported before the command line is read; typer, rich and the words come when they are needed.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """The entry point of the command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from sheepfold.terminal.app import run

        run(sys.argv[1:])
    except KeyboardInterrupt:
        # Only while modules are being imported; once a command runs it has its own words for this.
        os._exit(130)


__all__ = ["main"]
