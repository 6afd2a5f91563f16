"""From references to pixels: tangram geometry, SVG, painting, edits, stores."""
