"""Passwords, roles, signed cookies and form tokens; pure functions over a server's secret."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Literal, get_args

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

Role = Literal["owner", "reviewer", "viewer"]

ROLES: tuple[Role, ...] = get_args(Role)
"""The roles, the mightiest first; each may do what those behind it may."""

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_hasher = PasswordHasher()


def may(role: str, needed: Role) -> bool:
    """Whether a role is enough.

    >>> may("owner", "viewer"), may("viewer", "reviewer")
    (True, False)
    """
    return role in ROLES and ROLES.index(role) <= ROLES.index(needed)


def new_password() -> str:
    """A random password of 100 bits, in groups that can be read out."""
    groups = ["".join(secrets.choice(_ALPHABET) for _ in range(5)) for _ in range(4)]
    return "-".join(groups)


def hashed(password: str) -> str:
    """What is kept of a password (Argon2id)."""
    return _hasher.hash(password)


def matches(password: str, kept: str) -> bool:
    """Whether a password is the one that `kept` was made of."""
    try:
        return _hasher.verify(kept, password)
    except (VerifyMismatchError, InvalidHashError):
        return False


def sign(secret: str, purpose: str, value: str) -> str:
    """The value with a signature that holds for one purpose only.

    >>> unsigned("k", "cookie", sign("k", "cookie", "abc"))
    'abc'
    >>> unsigned("k", "other", sign("k", "cookie", "abc")) is None
    True
    """
    return f"{value}.{_mac(secret, purpose, value)}"


def unsigned(secret: str, purpose: str, text: str) -> str | None:
    """The signed value, or None if the signature does not fit."""
    value, _, mac = text.rpartition(".")
    right = hmac.compare_digest(mac.encode(), _mac(secret, purpose, value).encode())
    return value if right else None


def form_token(secret: str, login: str) -> str:
    """What forms of one login must bring along, so that no other site can act for it."""
    return _mac(secret, "form", login)


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that tells nothing."""
    return hmac.compare_digest(one.encode(), other.encode())


def token_hash(token: str) -> str:
    """What is kept of a token: it can be looked up, and not be used by who reads the store."""
    return hashlib.sha256(token.encode()).hexdigest()


def _mac(secret: str, purpose: str, value: str) -> str:
    text = f"{purpose}\x1f{value}".encode()
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
