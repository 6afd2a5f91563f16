"""What people write: kept as typed, compared and exported in one normal form."""

from __future__ import annotations

import unicodedata

from deixis.collect.trial import Refused

LONGEST = 200
"""Code points of a description or a name."""

UNKNOWN = "UNKNOWN"
"""The name of pieces whose annotator pressed "I don't know"."""


def normal(text: str) -> str:
    r"""NFC without blanks at the ends; nothing else is changed, whatever the script.

    >>> normal(" le\u0301zard ") == "l\u00e9zard"
    True
    """
    return unicodedata.normalize("NFC", text).strip()


def check_text(text: str, what: str) -> None:
    """Refuse what no one can have meant to write.

    Raises:
        Refused: no letter or digit, too long, or characters that control devices.
    """
    short = normal(text)
    if not any(unicodedata.category(c)[0] in "LN" for c in short):
        raise Refused(f"{what} needs at least one letter or digit.")
    if len(short) > LONGEST:
        raise Refused(f"{what} may have {LONGEST} characters; this has {len(short)}.")
    check_plain(text, what)


def check_plain(text: str, what: str) -> None:
    """Refuse characters that cannot be stored or shown: controls, halves of pairs, no characters.

    Raises:
        Refused: there is one.
    """
    for character in text:
        kind = unicodedata.category(character)
        if kind == "Cs" or (kind == "Cc" and character not in "\n\t\r"):
            raise Refused(f"{what} holds a character that cannot be kept: U+{ord(character):04X}.")
