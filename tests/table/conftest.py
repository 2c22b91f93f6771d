"""What tests of tables share."""

from postgres_helper import postgres, postgres_server  # noqa: F401
