"""What a sentence about pictures should not do, looked for by words: hints, never refusals.

The four rules are those of NLVR2's writers (Suhr et al., ACL 2019).
"""

from __future__ import annotations

import re

RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    "opinion": (
        "Write what anybody would agree on, not whether you like it.",
        ("beautiful", "cute", "ugly", "pretty", "nice", "adorable", "delicious", "lovely"),
    ),
    "photograph": (
        "Write about what is shown, not about the photograph itself.",
        ("photo", "photograph", "blurry", "close-up", "camera", "taken", "black-and-white"),
    ),
    "text": (
        "Do not write about words or numbers that can be read in a picture.",
        ("says", "text", "caption", "watermark", "logo", "written", "letters"),
    ),
}
"""For each rule what a writer is told, and the words that give it away."""

FEW = 4
"""A sentence with fewer words can only name a thing."""


def hints(sentence: str) -> list[str]:
    """Names of the rules that a sentence seems to break.

    >>> hints("One image shows two cute dogs in a close-up.")
    ['opinion', 'photograph']
    >>> hints("Dogs."), hints("Three dogs lie side by side.")
    (['identification'], [])
    """
    words = re.findall(r"[\w'-]+", sentence.lower())
    found = [rule for rule, (_, given) in RULES.items() if not set(given).isdisjoint(words)]
    return [*found, "identification"] if len(words) < FEW else found
