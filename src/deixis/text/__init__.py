"""Texts: templates, tokens, features."""
