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
    except OSError as error:
        # While help is written; commands have their own words for this.
        os.write(sys.stderr.fileno(), f"sheepfold: {error.strerror}\n".encode())
        os._exit(1)


__all__ = ["main"]
