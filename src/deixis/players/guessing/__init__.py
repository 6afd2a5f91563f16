"""Players of guessing games."""
