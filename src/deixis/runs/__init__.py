"""Playing a task under a grid of conditions and seeds, kept in a folder that can be resumed."""
