"""What leaves the store: rows in three formats, KiloGram's JSON, runs to compare with models."""
