"""Measures of a dataset: naming, agreement, people, language. One file each; pure functions first.

A measure takes a `Dataset` and `Options` and gives a `Section`: numbers by name, tables, figures.
"""

TABLE = {
    ("reference", "naming"): "deixis.measures.naming:naming",
}
