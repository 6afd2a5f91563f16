"""Build, play and audit tasks in which words point at pictures."""

__version__ = "0.1.0"
