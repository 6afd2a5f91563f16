"""Measures of a dataset: naming, agreement, people, language. One file each; pure functions first.

A measure takes a `Dataset` and `Options` and gives a `Section`: numbers by name, tables, figures.
"""

TABLE = {
    ("any", "language"): "deixis.measures.language:language",
    ("statement", "phenomena"): "deixis.measures.phenomena:language_phenomena",
    ("guessing", "phenomena"): "deixis.measures.phenomena:language_phenomena",
    ("choice", "phenomena"): "deixis.measures.phenomena:language_phenomena",
    ("statement", "agreement"): "deixis.measures.ratings:agreement",
    ("statement", "labels"): "deixis.measures.labels:labels",
    ("statement", "people"): "deixis.measures.people:people",
    ("people", "conditions"): "deixis.measures.conditions:conditions",
    ("people", "participants"): "deixis.measures.participants:participants",
    ("reference", "descriptions"): "deixis.measures.descriptions:descriptions",
    ("reference", "heads"): "deixis.measures.heads:head_words",
    ("reference", "naming"): "deixis.measures.naming:naming",
}
