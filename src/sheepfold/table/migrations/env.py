"""What Alembic runs: the migrations, on the connection that it was given."""

from __future__ import annotations

from alembic import context

from sheepfold.table.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
