"""People may keep an account: passkeys, a recovery code, and what is to be signed just now."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0008", "0007"


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("handle", sa.String(32), nullable=False),
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(60), nullable=False, server_default=""),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_table(
        "recoveries",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("recoveries_by_code", "recoveries", ["code"], unique=True)
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.String(64), primary_key=True),
        sa.Column("device", sa.String(32), nullable=False),
        sa.Column("handle", sa.String(32), nullable=False),
        sa.Column("due", sa.Float, nullable=False),
    )
    op.create_index("challenges_by_due", "challenges", ["due"])
