"""Statements on their way: written, validated, then kept or dropped, by published rules."""
