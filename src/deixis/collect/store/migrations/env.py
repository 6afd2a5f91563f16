"""Run by Alembic, inside the transaction that `deixis.collect.store.migrate` has begun."""

from alembic import context

from deixis.collect.store.tables import metadata

if hasattr(context, "config"):  # Alembic runs this file; whoever just imports it gets nothing
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
        transactional_ddl=False,
    )
    context.run_migrations()
