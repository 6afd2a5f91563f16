"""The nouns of parts: other words for them, plurals, and what they merge into.

The nouns are shared by families and often by categories, so what is learned of the heads, tails
and legs of some families holds for families never seen.
"""

from __future__ import annotations

from collections.abc import Mapping

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    noun: (noun, *others.split(", "))
    for noun, others in {
        "annex": "shed",
        "arm": "hand",
        "base": "stand",
        "beak": "bill",
        "body": "middle",
        "bow": "ring",
        "bowl": "cup",
        "branch": "needles",
        "bush": "shrub",
        "cab": "driver's cab",
        "cabin": "deckhouse",
        "cap": "dome",
        "cargo": "box",
        "chest": "breast",
        "chimney": "funnel, smokestack",
        "comb": "crest",
        "deck": "roadway",
        "door": "entrance",
        "fan": "parasol",
        "feather": "fletching",
        "flag": "banner, pennant",
        "flame": "fire",
        "flower": "blossom",
        "foot": "shoe",
        "gun": "cannon",
        "handle": "grip",
        "hat": "cap",
        "hull": "boat",
        "leaf": "frond",
        "leg": "foot",
        "lid": "cover",
        "light": "beam",
        "load": "roll",
        "nut": "coconut",
        "pack": "backpack",
        "pillar": "column",
        "robe": "cloak",
        "rock": "cliff",
        "roof": "rooftop",
        "scoop": "ball",
        "shaft": "rod",
        "skirt": "dress",
        "snout": "nose, muzzle",
        "stem": "stalk",
        "stick": "cane, pole",
        "tooth": "bit",
        "wall": "side",
        "wax": "candle",
    }.items()
}
"""What some annotators say instead; their own noun comes first. Other nouns have one word."""

PLURALS: Mapping[str, str] = {
    "branch": "branches",
    "bush": "bushes",
    "foot": "feet",
    "leaf": "leaves",
    "needles": "needles",
    "tooth": "teeth",
}
"""Plurals that do not end in a plain s."""

MERGES: Mapping[str, tuple[str, ...]] = {
    child: tuple(parents.split(", "))
    for child, parents in {
        "annex": "wall",
        "arm": "body, robe, stem",
        "beak": "head",
        "belly": "shell",
        "bush": "wall",
        "cab": "cargo",
        "cabin": "hull",
        "chest": "body",
        "chimney": "cabin, roof, body",
        "comb": "head",
        "door": "pillar, wall",
        "ear": "head",
        "fan": "arm",
        "feather": "shaft",
        "fin": "body",
        "flag": "sail, roof",
        "flame": "wax",
        "flower": "stem",
        "foot": "leg, stem, bowl",
        "front": "body",
        "grass": "stem",
        "gun": "turret",
        "hair": "head",
        "handle": "body",
        "hat": "head",
        "head": "body",
        "hump": "body",
        "knob": "lid",
        "leaf": "stem, trunk",
        "leg": "body, shell",
        "lid": "body",
        "light": "roof",
        "load": "cargo",
        "neck": "body, head",
        "nose": "body",
        "nut": "trunk, leaf",
        "pack": "body",
        "ramp": "deck",
        "smoke": "chimney",
        "snout": "head",
        "spout": "body",
        "stick": "arm",
        "straw": "bowl",
        "tail": "body, shell",
        "tooth": "shaft",
        "top": "branch",
        "tower": "deck",
        "trunk": "head",
        "turret": "body",
        "wafer": "scoop",
        "wheel": "cab, body",
        "wing": "body",
    }.items()
}
"""What a part belongs to for who names few parts; the first of these that the figure has."""


def plural(word: str) -> str:
    """More than one of it.

    >>> plural("wing"), plural("leaf")
    ('wings', 'leaves')
    """
    first, _, last = word.rpartition(" ")
    return f"{first} {PLURALS.get(last, last + 's')}".strip()
