"""Simulated participants: through the server's interface, or through a real browser."""
