"""Accounts: random passwords of which only hashes are kept; logins that end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Connection, select
from tests.collect.small import START

from deixis.collect.store.accounts import (
    add_account,
    first_owner,
    list_accounts,
    remove_account,
    sign_in,
    sign_out,
    signed_in,
)
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import admins, logins
from deixis.errors import BadInput


def test_the_first_owner_is_made_once(sqlite: Store) -> None:
    password = first_owner(sqlite)
    assert len(password) == 23
    assert first_owner(sqlite) == ""
    kept = sqlite.read(lambda c: c.execute(select(admins.c.password)).scalar_one())
    assert kept.startswith("$argon2id$")
    assert password not in kept


def test_signing_in_and_out(store: Store) -> None:
    password = add_account(store, "ada", "reviewer")
    assert sign_in(store, "ada", "wrong", START) is None
    assert sign_in(store, "nobody", password, START) is None
    login = sign_in(store, "ada", password, START)
    assert login is not None
    here = store.read(signed_in, login, START)
    assert here is not None
    assert (here.name, here.role) == ("ada", "reviewer")
    assert store.read(signed_in, login, START + timedelta(hours=13)) is None
    assert store.read(signed_in, "x" * 64, START) is None

    def kept(c: Connection) -> list[str]:
        return list(c.execute(select(logins.c.id)).scalars())

    assert login not in store.read(kept)  # only its hash is
    sign_out(store, login)
    assert store.read(signed_in, login, START) is None


def test_a_new_password_ends_old_logins(sqlite: Store) -> None:
    login = sign_in(sqlite, "ada", add_account(sqlite, "ada", "viewer"), START)
    assert login is not None
    add_account(sqlite, "ada", "owner")
    assert sqlite.read(signed_in, login, START) is None
    assert [tuple(r) for r in sqlite.read(list_accounts)] == [("ada", "owner")]


def test_the_last_owner_stays(sqlite: Store) -> None:
    first_owner(sqlite)
    add_account(sqlite, "eve", "viewer")
    remove_account(sqlite, "eve")
    with pytest.raises(BadInput, match="only owner"):
        remove_account(sqlite, "owner")
    with pytest.raises(BadInput, match="no account"):
        remove_account(sqlite, "eve")
    with pytest.raises(BadInput, match="no role"):
        add_account(sqlite, "eve", "king")
    with pytest.raises(BadInput, match="1 to 60"):
        add_account(sqlite, "", "viewer")
