"""Games as data for offline learning: one row a decision, in a Parquet file.

A row has what the seat to act was shown (`view`), what it could do (`mask`), what it did (`action`) and how the game ended for it. The
columns are in docs/research.md; what was played is in the file's metadata.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import Position, divisors, worth
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Setup

ROWS = 4096
"""How many rows are kept before they are written."""


class DataSet:
    """Rows on their way into a file. `decision` is told of every decision, `ended` of every game that came to its end."""

    def __init__(self, setup: Setup, path: Path, about: dict[str, str]) -> None:
        self._arrow: Any = wanted("pyarrow", "data")
        parquet: Any = import_module("pyarrow.parquet")
        first = sequential(setup.start())
        self._size = len(divisors(first))
        self._actions = int(first.action_count)
        self.rows = 0
        self._clear()
        self._begun = 0
        schema = self._table().schema.with_metadata({f"sheepfold.{name}": value for name, value in about.items()})
        try:
            self._file = parquet.ParquetWriter(path, schema, compression="zstd")
        except OSError as error:
            raise SheepfoldError(f"{path}: {error.strerror or error}") from None

    def _clear(self) -> None:
        self._columns: dict[str, array[Any]] = {name: array(code) for name, code in COLUMNS.items()}

    def _table(self) -> Any:
        arrow = self._arrow
        columns = {}
        for name, values in self._columns.items():
            flat = arrow.Array.from_buffers(getattr(arrow, KINDS[COLUMNS[name]])(), len(values), [None, arrow.py_buffer(values)])
            width = {"view": self._size, "mask": self._actions}.get(name)
            columns[name] = arrow.FixedSizeListArray.from_arrays(flat, width) if width else flat
        return arrow.table(columns)

    def decision(self, game: int, ply: int, position: Position, action: int) -> None:
        """Before `action` is taken in `position`."""
        seat = int(position.to_act)
        view = position.seen_by(seat)
        columns = self._columns
        columns["game"].append(game)
        columns["ply"].append(ply)
        columns["seat"].append(seat)
        columns["view"].extend(view.tensor())
        mask = bytearray(self._actions)
        for legal in view.legal():
            mask[legal] = 1
        columns["mask"].frombytes(mask)
        columns["action"].append(action)

    def ended(self, position: Position) -> None:
        """The game of the last decisions is over: their results are known."""
        columns = self._columns
        scores, ranks = position.scores(), position.ranks()
        results = [worth(position, seat) for seat in range(position.seats)]
        for seat in columns["seat"][self._begun :]:
            columns["result"].append(results[seat])
            columns["score"].append(scores[seat])
            columns["rank"].append(ranks[seat])
        self._begun = len(columns["seat"])
        if self._begun >= ROWS:
            self._flush()

    def dropped(self) -> None:
        """The game of the last decisions will not be finished: they are forgotten."""
        wide = {"view": self._size, "mask": self._actions}
        for name, values in self._columns.items():
            del values[self._begun * wide.get(name, 1) :]

    def _flush(self) -> None:
        self._file.write_table(self._table().replace_schema_metadata(self._file.schema.metadata))
        self.rows += self._begun
        self._clear()
        self._begun = 0

    def close(self) -> None:
        """Write what is left."""
        self.dropped()
        self._flush()
        self._file.close()


COLUMNS = {"game": "i", "ply": "i", "seat": "b", "view": "f", "mask": "b", "action": "h", "result": "f", "score": "i", "rank": "b"}
"""The columns by the code that Python's arrays have for their kind."""
KINDS = {"i": "int32", "h": "int16", "b": "int8", "f": "float32"}


@contextmanager
def data_set(setup: Setup, path: Path, bots: tuple[str, ...], seed: str) -> Iterator[DataSet]:
    """A data set that is complete when the block ends, however it ends."""
    import sheepfold

    about = {
        "version": sheepfold.__version__,
        "game": setup.game.name,
        "seats": str(setup.seats),
        "options": ", ".join(f"{name}={value}" for name, value in setup.options.items()),
        "components": setup.digest,
        "bots": ", ".join(bots),
        "seed": seed,
    }
    rows = DataSet(setup, path, about)
    try:
        yield rows
    finally:
        rows.close()
