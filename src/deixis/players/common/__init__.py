"""Players for every kind of task, and adapters."""
