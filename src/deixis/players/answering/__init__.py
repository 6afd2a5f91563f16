"""Players that choose among answers to a question about a picture."""
