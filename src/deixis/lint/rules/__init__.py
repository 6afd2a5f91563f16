"""The rules of lint: each takes a dataset and options, and yields what it finds."""
