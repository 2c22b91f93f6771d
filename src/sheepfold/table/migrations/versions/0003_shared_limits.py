"""Limits and analyses are shared by all servers; a table knows the version of the rules that its log is written in."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("asides", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("rules", sa.Integer, nullable=False, server_default="1"))
    op.add_column("analyses", sa.Column("client", sa.String(64), nullable=False, server_default=""))
    op.add_column("analyses", sa.Column("writer", sa.String(32), nullable=False, server_default=""))
    op.add_column("analyses", sa.Column("due", sa.Float))
    op.create_table("limits", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Float, nullable=False))
