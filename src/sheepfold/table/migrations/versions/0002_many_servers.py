"""Many servers on one database: revisions, who goes on with a table and until when; what was printed on the pieces.

Version 0.1 knew one reading of some rules, which are options now with other defaults: its games go on by the rules that they began with,
and with the same pieces, of which two files have come to say more.
"""

import json

import sqlalchemy as sa
from alembic import op

from sheepfold.game.registry import every_game

revision, down_revision = "0002", "0001"
SAY_MORE = {"14a42cda": "56cbf8b5", "7a22d4a9": "0f5e583f"}


def upgrade() -> None:
    for column in (
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("undos", sa.Integer, nullable=False, server_default="0"),
        sa.Column("since", sa.Float, nullable=False, server_default="0"),
        sa.Column("writer", sa.String(32), nullable=False, server_default=""),
        sa.Column("due", sa.Float),
        sa.Column("secret", sa.String(64), nullable=False, server_default=""),
    ):
        op.add_column("tables", column)
    op.execute("UPDATE tables SET since = touched")
    op.create_index("tables_by_due", "tables", ["due"])
    files = op.create_table(
        "component_files", sa.Column("digest", sa.String(32), primary_key=True), sa.Column("text", sa.Text, nullable=False)
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String(60), nullable=False),
        sa.Column("what", sa.Text, nullable=False),
    )
    op.create_table(
        "servers",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
    )
    tables = sa.table("tables", *map(sa.column, ("id", "game", "options", "components")))
    for before, now in SAY_MORE.items():
        op.execute(tables.update().where(tables.c.components == before).values(components=now))
    database = op.get_bind()
    for game in every_game():
        begun = sa.select(tables.c.id, tables.c.options).where(tables.c.game == game.name)
        for table_id, options in database.execute(begun).all():
            as_then = json.dumps({**game.first_readings, **json.loads(options)})
            op.execute(tables.update().where(tables.c.id == table_id).values(options=as_then))
    used = set(database.execute(sa.select(tables.c.components).distinct()).scalars())
    kept = {game.components.digest: game.printed for game in every_game() if game.printed}
    op.bulk_insert(files, [{"digest": digest, "text": text} for digest, text in kept.items() if digest in used])
