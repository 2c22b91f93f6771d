"""The database of version 0.1, which made it without a mark; nothing is to be done."""

revision, down_revision = "0001", None


def upgrade() -> None:
    pass
