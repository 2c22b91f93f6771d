"""People find their games again and are told when it is their turn: whose turn it is, how games have ended, where people sit, with which
devices, and how they want to be told."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("turn", sa.Integer))
    op.add_column("tables", sa.Column("used", sa.Text))
    op.create_index("tables_by_since", "tables", ["since"])
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
    )
    op.create_table("keys", sa.Column("name", sa.String(20), primary_key=True), sa.Column("value", sa.Text, nullable=False))
    op.create_table(
        "devices",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("devices_by_person", "devices", ["person"])
    op.create_table(
        "places",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("visited", sa.Float, nullable=False),
        sa.Column("told", sa.Float, nullable=False, server_default="0"),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("muted", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("places_by_table", "places", ["table_id"])
    op.create_table(
        "carries",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("due", sa.Float, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("zone", sa.String(60), nullable=False, server_default=""),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("device", sa.String(32), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
    )
    op.create_index("subscriptions_by_person", "subscriptions", ["person"])
    op.create_table(
        "hooks",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id")),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("format", sa.String(8), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("origin", sa.String(200), nullable=False),
    )
    op.create_index("hooks_by_person", "hooks", ["person"])
    op.create_index("hooks_by_table", "hooks", ["table_id"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.UniqueConstraint("target", "person", "table_id", "kind", "since", name="one_notice"),
    )
    op.create_index("notices_by_due", "notices", ["due"])
