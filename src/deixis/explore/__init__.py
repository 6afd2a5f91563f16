"""Explore: trials, players' replies and audits to look at, and edits by hand, in a browser."""
