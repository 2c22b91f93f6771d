"""What people mean to do before they are asked, and which puzzles of their games they have solved."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    op.create_table(
        "intents",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("undos", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("standing", sa.String(40), nullable=False),
        sa.Column("looked", sa.Integer, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("due_ply", sa.Integer),
        sa.Column("gone", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("intents_by_table", "intents", ["table_id"])
    op.create_table(
        "puzzles",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
