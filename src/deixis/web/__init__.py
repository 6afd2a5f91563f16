"""Shared parts of pages for people: the server's frame, drawings, accounts; needs `collect`."""
