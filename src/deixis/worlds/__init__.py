"""Embedded worlds: datasets made on the spot from a seed, whose truth is known."""

TABLE: dict[tuple[str, str], str] = {}
