"""Players of reference games."""
