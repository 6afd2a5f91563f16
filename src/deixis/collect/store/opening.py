"""Open a store by its URL."""

from __future__ import annotations

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from deixis.collect.store.engine import PostgresStore, SqliteStore, Store
from deixis.collect.store.migrate import upgrade
from deixis.errors import BadInput


def open_store(url: str) -> Store:
    """Open a store, and bring its tables up to date.

    Args:
        url: ``sqlite:///PATH`` or ``postgresql://…``.

    Raises:
        BadInput: the URL is of another kind, or nothing answers there.
    """
    kind = url.partition(":")[0].partition("+")[0]
    try:
        if kind == "sqlite":
            store: Store = SqliteStore(url)
        elif kind in ("postgresql", "postgres"):
            store = PostgresStore("postgresql+psycopg:" + url.partition(":")[2])
        else:
            raise BadInput(f"{url}: expected sqlite:///PATH or postgresql://…")
        upgrade(store)
    except (ArgumentError, NoSuchModuleError) as error:
        raise BadInput(f"{url}: no address of a store: {error}") from None
    except OSError as error:
        raise BadInput(f"cannot open the store: {error}") from None
    except DBAPIError as error:
        raise BadInput(f"cannot open the store: {str(error.orig).splitlines()[0]}") from None
    return store
