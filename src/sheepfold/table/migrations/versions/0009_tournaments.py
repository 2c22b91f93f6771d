"""Tournaments: what is played how, who takes part, and who met whom in which round."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0009", "0008"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("organiser", sa.String(32)),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("round", sa.Integer, nullable=False, server_default="0"),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("starts", sa.Float),
        sa.Column("writer", sa.String(32), nullable=False, server_default=""),
        sa.Column("due", sa.Float),
    )
    op.create_index("tournaments_by_state", "tournaments", ["state", "since"])
    op.create_index("tournaments_by_organiser", "tournaments", ["organiser"])
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String(32), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(32)),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("level", sa.String(20), nullable=False, server_default=""),
        sa.Column("left_in", sa.Integer),
    )
    op.create_index("entrants_by_person", "entrants", ["person"])
    op.create_table(
        "pairings",
        sa.Column("tournament_id", sa.String(32), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("entrant", sa.Integer, primary_key=True),
        sa.Column("board", sa.Integer),
        sa.Column("seat", sa.Integer, nullable=False, server_default="0"),
        sa.Column("table_id", sa.String(32)),
        sa.Column("rank", sa.Integer),
        sa.Column("score", sa.Integer),
    )
    op.create_index("pairings_by_table", "pairings", ["table_id"])
