"""Hosts cope: lines of chat that people report, who may say nothing, and of what is said and asked for by whom."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0007", "0006"


def upgrade() -> None:
    op.add_column("chat", sa.Column("person", sa.String(32), nullable=False, server_default=""))
    op.create_index("chat_by_person", "chat", ["person"])
    op.add_column("analyses", sa.Column("person", sa.String(32), nullable=False, server_default=""))
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("settled", sa.Float),
        sa.UniqueConstraint("table_id", "number", "person", name="one_report"),
    )
    op.create_index("reports_by_person", "reports", ["person"])
    op.create_table(
        "silences",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("until", sa.Float),
    )
