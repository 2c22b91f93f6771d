"""A ledger goes on where it was stopped, whatever was being written, and says in one line what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheepfold.arena.ledger import Ledger
from sheepfold.core.errors import SheepfoldError


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    path = tmp_path / "run" / "games.jsonl"
    Ledger(path, {"game": 1}, "contest").add([[1], [2]])
    whole = path.read_bytes()
    for end in range(len(whole) + 1):  # stopped, or the disk was full, at any byte
        path.write_bytes(whole[:end])
        again = Ledger(path, {"game": 1}, "contest")
        again.add([[3]])
        rows = [*Ledger(path, {"game": 1}, "contest").rows(tuple, "game")]
        assert rows == [*[(1,), (2,)][: max(0, whole[:end].count(b"\n") - 1)], (3,)]


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    Ledger(path, {"game": 1}, "contest").add([[1]])
    with pytest.raises(SheepfoldError, match=r"holds another contest: .*; give another folder"):
        Ledger(path, {"game": 2}, "contest")
    path.write_bytes(path.read_bytes().replace(b"[1]", b"\xff1]"))
    with pytest.raises(SheepfoldError, match=r"games\.jsonl: line 2 is no game; without that line the rest goes on"):
        list(Ledger(path, {"game": 1}, "contest").rows(tuple, "game"))
    with pytest.raises(SheepfoldError, match="Is a directory"):
        Ledger(tmp_path, {}, "contest")
