"""Audits: contrasts between conditions, with intervals and verdicts, and what is told of them."""
