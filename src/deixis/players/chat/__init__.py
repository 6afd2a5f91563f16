"""Models behind an OpenAI-compatible server, as players of every kind of task."""
