"""Rooms with furniture: sixteen attributes, words for them, and how they are painted."""
