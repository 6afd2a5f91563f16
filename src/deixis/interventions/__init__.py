"""Taking inputs away: interventions, the operators they name, donors, and `see`.

An operator's key is the kind of value it changes: ``text`` (a string), ``names`` (a tuple of
strings), ``paint``, ``shape`` and ``image`` (a Picture).
"""

TABLE = {
    ("text", "drop"): "deixis.interventions.texts:drop",
    ("text", "blank"): "deixis.interventions.texts:blank",
    ("text", "words"): "deixis.interventions.texts:words",
    ("text", "negate"): "deixis.interventions.negation:negate",
    ("names", "drop"): "deixis.interventions.names:drop",
    ("names", "blank"): "deixis.interventions.names:blank",
    ("names", "words"): "deixis.interventions.names:words",
    ("names", "rotate"): "deixis.interventions.names:rotate",
    ("names", "keep"): "deixis.interventions.names:keep",
    ("paint", "drop"): "deixis.interventions.pictures:unpaint",
    ("paint", "blank"): "deixis.interventions.pictures:one_color",
    ("paint", "noise"): "deixis.interventions.pictures:random_paint",
    ("paint", "rotate"): "deixis.interventions.pictures:rotate_paint",
    ("paint", "keep"): "deixis.interventions.pictures:keep_paint",
    ("paint", "shuffle"): "deixis.interventions.pictures:donor_paint",
    ("paint", "swap"): "deixis.interventions.pictures:partner_paint",
    ("shape", "drop"): "deixis.interventions.pictures:assemble",
    ("shape", "blank"): "deixis.interventions.pictures:empty",
    ("shape", "noise"): "deixis.interventions.pictures:noise",
    ("shape", "shuffle"): "deixis.interventions.pictures:donor_shape",
    ("shape", "swap"): "deixis.interventions.pictures:partner_shape",
    ("image", "drop"): "deixis.interventions.pictures:empty",
    ("image", "blank"): "deixis.interventions.pictures:empty",
    ("image", "noise"): "deixis.interventions.pictures:noise",
    ("image", "mean"): "deixis.interventions.pictures:mean",
    ("any", "from"): "deixis.interventions.exchange:from_other",
    ("any", "shuffle"): "deixis.interventions.exchange:donor",
    ("any", "swap"): "deixis.interventions.exchange:partner",
    ("any", "same"): "deixis.interventions.exchange:same",
}
