"""Scenes of boxes, sentences about them, and what the sentences mean."""
