"""Accounts of researchers, and their logins."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from deixis.collect.clock import now
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import admins, logins
from deixis.errors import BadInput
from deixis.web.accounts import ROLES, hashed, matches, new_password, token_hash

LASTS = timedelta(hours=12)
"""How long a login holds."""

_NOBODY = hashed("nobody has this password")


class Account(NamedTuple):
    """Somebody who has signed in.

    Attributes:
        name: of the account.
        role: what it may do.
        login: the secret of this login, from its cookie.
    """

    name: str
    role: str
    login: str


def first_owner(store: Store) -> str:
    """Make the owner's account if there is none yet.

    Returns:
        Its password, to be shown once; empty if there were accounts already.
    """
    if store.read(lambda c: c.execute(select(func.count()).select_from(admins)).scalar_one()):
        return ""
    return add_account(store, "owner", "owner")


def add_account(store: Store, name: str, role: str) -> str:
    """Make an account, or give the one of that name a new password and role.

    Returns:
        The password; only its hash is kept.

    Raises:
        BadInput: there is no such role.
    """
    if role not in ROLES:
        raise BadInput(f"there is no role {role!r} (known: {', '.join(ROLES)})")
    if not name or len(name) > 60:
        raise BadInput("a name has 1 to 60 characters")
    password = new_password()
    kept = hashed(password)

    def job(c: Connection) -> None:
        values = {"password": kept, "role": role}
        found = c.execute(select(admins.c.id).where(admins.c.name == name)).scalar_one_or_none()
        if found is None:
            c.execute(insert(admins).values(values | {"name": name, "made_at": now()}))
        else:
            c.execute(update(admins).where(admins.c.id == found).values(values))
            c.execute(delete(logins).where(logins.c.admin_id == found))

    store.write(job)
    return password


def remove_account(store: Store, name: str) -> None:
    """Remove an account and its logins.

    Raises:
        BadInput: there is none, or it is the last owner.
    """

    def job(c: Connection) -> str:
        row = c.execute(select(admins).where(admins.c.name == name)).one_or_none()
        if row is None:
            return f"there is no account {name!r}"
        owners = select(func.count()).where(admins.c.role == "owner")
        if row.role == "owner" and c.execute(owners).scalar_one() == 1:
            return f"{name!r} is the only owner"
        c.execute(delete(logins).where(logins.c.admin_id == row.id))
        c.execute(delete(admins).where(admins.c.id == row.id))
        return ""

    wrong = store.write(job)
    if wrong:
        raise BadInput(wrong)


def list_accounts(c: Connection) -> list[Any]:
    """Every account, by name."""
    return list(c.execute(select(admins.c.name, admins.c.role).order_by(admins.c.name)))


def sign_in(store: Store, name: str, password: str, moment: datetime) -> str | None:
    """The secret of a new login, or None if name and password do not fit.

    It takes as long for a name that does not exist.
    """
    row = store.read(lambda c: c.execute(select(admins).where(admins.c.name == name)).one_or_none())
    if not matches(password, row.password if row else _NOBODY) or row is None:
        return None
    login = secrets.token_hex(32)

    def job(c: Connection) -> None:
        c.execute(delete(logins).where(logins.c.until < moment))
        values = {"id": token_hash(login), "admin_id": row.id, "until": moment + LASTS}
        c.execute(insert(logins).values(values))

    store.write(job)
    return login


def signed_in(c: Connection, login: str, moment: datetime) -> Account | None:
    """Whose login it is, if it still holds."""
    rows = (
        select(admins.c.name, admins.c.role)
        .join(logins, logins.c.admin_id == admins.c.id)
        .where(logins.c.id == token_hash(login), logins.c.until >= moment)
    )
    found = c.execute(rows).one_or_none()
    return Account(found.name, found.role, login) if found else None


def sign_out(store: Store, login: str) -> None:
    """End a login."""
    store.write(
        lambda c: c.execute(delete(logins).where(logins.c.id == token_hash(login))) and None
    )
