"""Games as data for offline learning: one row a decision, in a Parquet file, or in a folder with all that others need to know of it.

A row has what the seat to act was shown (`view`), what it could do (`legal`), what it did (`action`) and how the game ended for it. The
columns are in docs/research.md; what was played is in the metadata of every file. A folder has files for training, validation and testing
(every tenth game, by its number, is for the last, the one before for validation), a data card and its description as Croissant has it.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import sheepfold
from sheepfold.arena.data_card import card, croissant
from sheepfold.core.errors import SheepfoldError, wanted
from sheepfold.core.position import Position, tensor_numbers, worth
from sheepfold.core.sequential import sequential
from sheepfold.game.game import Setup

A_GROUP, A_FILE = 16384, 1_000_000
"""How many rows are kept before they are written, and how many a file of a folder has."""
COLUMNS = {"game": "i", "ply": "i", "seat": "b", "view": "B", "legal": "h", "action": "h", "result": "f", "score": "i", "rank": "b"}
"""The columns by the code that Python's arrays have for their kind."""
KINDS = {"i": "int32", "h": "int16", "b": "int8", "B": "uint8", "f": "float32"}
SPLITS = {8: "validation", 9: "test"}
"""By the last digit of a game's number; all others are for training."""


def split_of(game: int) -> str:
    return SPLITS.get(game % 10, "train")


Columns = dict[str, "array[Any]"]


def no_rows() -> Columns:
    return {name: array(code) for name, code in COLUMNS.items()}


class Game(NamedTuple):
    """The decisions of one game."""

    number: int
    columns: Columns
    legal: array[int]
    """How many actions were legal in each."""
    digest: bytes


class Rows:
    """The decisions of some games. `decision` is told of every one, `ended` of every game that came to its end."""

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.dropped()

    def dropped(self) -> None:
        """The game of the last decisions will not be finished, or is kept already: a new one begins."""
        self._columns, self._legal = no_rows(), array("i")

    def decision(self, game: int, ply: int, position: Position, action: int) -> None:
        """Before `action` is taken in `position`."""
        seat, columns, legal = int(position.to_act), self._columns, position.legal()
        columns["game"].append(game)
        columns["ply"].append(ply)
        columns["seat"].append(seat)
        columns["view"].frombytes(bytes(tensor_numbers(position, seat)))
        columns["legal"].fromlist(legal)
        columns["action"].append(action)
        self._legal.append(len(legal))

    def ended(self, position: Position) -> None:
        """The game of the last decisions is over: their results are known."""
        columns = self._columns
        scores, ranks = position.scores(), position.ranks()
        results = [worth(position, seat) for seat in range(position.seats)]
        for seat in columns["seat"]:
            columns["result"].append(results[seat])
            columns["score"].append(scores[seat])
            columns["rank"].append(ranks[seat])
        if columns["game"]:
            sums = hashlib.sha256(self._legal.tobytes())
            for values in columns.values():
                sums.update(values.tobytes())
            self.games.append(Game(columns["game"][0], columns, self._legal, sums.digest()))
        self.dropped()


class DataSet:
    """Rows on their way into files, of which few are in memory at any time."""

    def __init__(self, setup: Setup, path: Path, about: dict[str, str]) -> None:
        self._arrow: Any = wanted("pyarrow", "data")
        self._parquet: Any = import_module("pyarrow.parquet")
        self.path, self.about, self.folder = path, about, path.suffix != ".parquet"
        self._wide = sum(count for _, count, _ in sequential(setup.start()).layout())
        self.rows: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.files: dict[str, list[Path]] = {}
        self._digests = hashlib.sha256()
        self._waiting: dict[str, tuple[Columns, array[int]]] = {}
        self._writers: dict[str, Any] = {}
        try:
            if self.folder:
                path.mkdir()
            else:
                self._writer("train")
        except OSError as error:
            raise SheepfoldError(f"{path}: {error.strerror or error}") from None

    def append(self, rows: Rows) -> None:
        """The games that follow."""
        for game in rows.games:
            split = split_of(game.number) if self.folder else "train"
            self._digests.update(game.digest)
            self.games[split] += 1
            held, ends = self._waiting.setdefault(split, (no_rows(), array("i", [0])))
            for name, values in game.columns.items():
                held[name].extend(values)
            for count in game.legal:
                ends.append(ends[-1] + count)
            if len(ends) > A_GROUP:
                self._write(split)

    def digest(self) -> str:
        """Of all rows so far, whatever the files look like."""
        return self._digests.hexdigest()

    def _table(self, columns: Columns, ends: array[int]) -> Any:
        arrow = self._arrow
        made = {}
        for name, values in columns.items():
            flat = arrow.Array.from_buffers(getattr(arrow, KINDS[COLUMNS[name]])(), len(values), [None, arrow.py_buffer(values)])
            if name == "view":
                flat = arrow.FixedSizeListArray.from_arrays(flat, self._wide)
            elif name == "legal":
                flat = arrow.ListArray.from_arrays(arrow.array(ends, arrow.int32()), flat)
            made[name] = flat
        return arrow.table(made).replace_schema_metadata({f"sheepfold.{name}": value for name, value in self.about.items()})

    def _writer(self, split: str) -> Any:
        if split not in self._writers:
            files = self.files.setdefault(split, [])
            files.append(self.path / f"{split}-{len(files):05}.parquet" if self.folder else self.path)
            nothing = self._table(no_rows(), array("i", [0]))
            self._writers[split] = self._parquet.ParquetWriter(files[-1], nothing.schema, compression="zstd")
        return self._writers[split]

    def _write(self, split: str) -> None:
        columns, ends = self._waiting.pop(split)
        try:
            self._writer(split).write_table(self._table(columns, ends))
        except OSError as error:
            raise SheepfoldError(f"{self.path}: {error.strerror or error}") from None
        before, self.rows[split] = self.rows[split], self.rows[split] + len(ends) - 1
        if self.folder and before // A_FILE != self.rows[split] // A_FILE:
            self._writers.pop(split).close()

    def close(self) -> None:
        """Write what is left, and what there is to know of it."""
        for split in list(self._waiting):
            self._write(split)
        try:
            for writer in self._writers.values():
                writer.close()
            if self.folder:
                about = {**self.about, "digest": self.digest()}
                (self.path / "README.md").write_text(card(about, self.games, self.rows), encoding="utf-8")
                (self.path / "croissant.json").write_text(croissant(about, self.files, self._wide), encoding="utf-8")
        except OSError as error:
            raise SheepfoldError(f"{self.path}: {error.strerror or error}") from None


@contextmanager
def data_set(setup: Setup, path: Path, bots: tuple[str, ...], seed: str, games: int) -> Iterator[DataSet]:
    """A data set that is complete when the block ends, however it ends."""
    first = sequential(setup.start())
    options = " ".join(f"--option {name}={value}" for name, value in setup.changed_options().items())
    about = {
        "version": sheepfold.__version__,
        "game": setup.game.name,
        "seats": str(setup.seats),
        "options": ", ".join(f"{name}={value}" for name, value in setup.options.items()),
        "components": setup.digest,
        "bots": ", ".join(bots),
        "seed": seed,
        "actions": str(int(first.action_count)),
        "layout": json.dumps(first.layout()),
        "command": " ".join(
            f"sheepfold simulate {setup.game.name} -n {games} --seats {setup.seats} --bots {','.join(bots)} --seed {seed} {options}".split()
        ),
    }
    rows = DataSet(setup, path, about)
    try:
        yield rows
    finally:
        rows.close()
