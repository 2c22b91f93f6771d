"""Research: the games as environments of OpenSpiel, PettingZoo and Gymnasium, and data for offline learning.

Nothing here is needed to play, and what it rests on is optional: a module whose library is missing says what to type.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from sheepfold.core.errors import SheepfoldError


class MissingLibrary(SheepfoldError, ImportError):
    """An optional library is not installed; the message has the command that installs it."""


def wanted(library: str, extra: str) -> ModuleType:
    """The library, imported; where it is missing, MissingLibrary says what to type."""
    try:
        return import_module(library)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != library.partition(".")[0]:
            raise  # it is there, but something that it needs is not
        raise MissingLibrary(f"{library} is not installed; type: pip install 'sheepfold[{extra}]'") from error
