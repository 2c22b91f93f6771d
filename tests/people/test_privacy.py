"""What docs/privacy.md says is kept of people is what the database has: no table and no column more or less."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient
from sqlalchemy import select
from web_helper import client_of

from sheepfold.table.schema import metadata
from sheepfold.table.store import Store

PAGE = Path(__file__).parents[2] / "docs" / "privacy.md"


def test_every_column_is_told_of() -> None:
    rows = [row.split("|") for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    told = {re.findall("`(.+?)`", row[1])[0]: re.findall("`(.+?)`", row[2]) for row in rows}
    assert told == {table.name: [column.name for column in table.columns] for table in metadata.tables.values()}
    assert all(row[3].strip() and row[4].strip() for row in rows), "what for, and until when"


def test_nothing_is_kept_of_who_only_looks(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        table = client.post("/api/tables", json={"game": "te-kuiti", "seats": [{"kind": "me"}, {"kind": "bot"}]}).json()["table"]
        before = all_rows(client)
        looked_at = (
            "/", "/lobby", "/mine", "/rules/te-kuiti", f"/t/{table}", f"/t/{table}/picture.svg", "/push/key", "/puzzles", "/players",
            "/account/lost",
        )  # fmt: skip
        for address in looked_at:
            assert client.get(address).status_code == 200
        for wish in (
            "/mine/carry",
            "/mine/forget",
            "/mine/show",
            "/push/unsubscribe",
            "/mine/quiet",
            f"/mine/hide/{table}",
            "/puzzles/look",
        ):
            assert client.post(wish).status_code == 200
        assert client.post("/account/lost", data={"code": "ACDE"}).status_code == 422
        assert all_rows(client) == before and not client.cookies


def all_rows(client: TestClient) -> dict[str, set[str]]:
    """Every row that is about a person, by table."""
    store: Store = client.app.state.tables.store  # type: ignore[attr-defined]
    with store.engine.connect() as connection:
        found = {table.name: {str(row) for row in connection.execute(select(table))} for table in metadata.tables.values()}
    return {name: rows for name, rows in found.items() if rows and name not in ("keys", "events", "tables")}
