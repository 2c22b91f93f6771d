"""What tests of people share."""

from postgres_helper import postgres, postgres_server  # noqa: F401
