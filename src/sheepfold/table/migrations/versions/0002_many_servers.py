"""Many servers on one database: revisions, who goes on with a table and until when; what was printed on the pieces."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    for column in (
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("undos", sa.Integer, nullable=False, server_default="0"),
        sa.Column("since", sa.Float, nullable=False, server_default="0"),
        sa.Column("writer", sa.String(32), nullable=False, server_default=""),
        sa.Column("due", sa.Float),
    ):
        op.add_column("tables", column)
    op.execute("UPDATE tables SET since = touched")
    op.create_index("tables_by_due", "tables", ["due"])
    op.create_table("component_files", sa.Column("digest", sa.String(32), primary_key=True), sa.Column("text", sa.Text, nullable=False))
