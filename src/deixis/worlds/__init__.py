"""Embedded worlds: data made from a seed, with nothing to download."""

TABLE: dict[tuple[str, str], str] = {
    ("reference", "figures"): "deixis.worlds.figures:figures",
    ("statement", "boxes"): "deixis.worlds.boxes:boxes",
    ("statement", "strips"): "deixis.worlds.boxes:strips",
    ("statement", "towers"): "deixis.worlds.boxes:towers",
    ("guessing", "rooms"): "deixis.worlds.rooms:rooms",
}
"""``{(kind, name): "module:attribute"}``, as `deixis.registry` reads it."""
