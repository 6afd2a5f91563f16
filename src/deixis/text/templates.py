"""How a whole description and the names of its parts become one text.

`published` is the caption of KiloGram (Ji et al., EMNLP 2022): articles stand in front of every
phrase, but only when there are parts, so the whole's own words differ between conditions.
`plain` leaves the whole as it is, so that taking the parts away alters nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from deixis.errors import extra, unknown


def plain(whole: str, parts: Sequence[str]) -> str:
    """The words as written.

    >>> plain("dog", ())
    'dog'
    >>> plain("dog", ("head",)), plain("dog", ("head", "tail", "left leg"))
    ('dog with head', 'dog with head, tail, and left leg')
    >>> plain("", ("head", "tail"))
    'head and tail'
    """
    return _joined(whole, " and ".join(parts) if len(parts) == 2 else _listed(parts))


def published(whole: str, parts: Sequence[str]) -> str:
    """KiloGram's caption; needs the extra ``articles``.

    >>> published("dog", ()), published("dog", ("ears", "tail"))
    ('dog', 'a dog with ears, and a tail')
    """
    if not parts:
        return whole
    return _joined(_article(whole) if whole else "", _listed([_article(p) for p in parts]))


TEMPLATES: dict[str, Callable[[str, Sequence[str]], str]] = {"plain": plain, "published": published}


def render(template: str, whole: str, parts: Sequence[str]) -> str:
    """Render by the template's name.

    Args:
        template: a name of `TEMPLATES`.
        whole: what the whole looks like; empty where it is taken away.
        parts: their names.

    Raises:
        BadInput: there is no such template.
    """
    if template not in TEMPLATES:
        raise unknown(f"there is no template {template!r}", template, TEMPLATES)
    return TEMPLATES[template](whole, parts)


def _joined(whole: str, listed: str) -> str:
    return f"{whole} with {listed}" if whole and listed else whole or listed


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + f", and {parts[-1]}"


@cache
def _inflect() -> Any:
    return extra("inflect", "articles").engine()


@cache
def _article(phrase: str) -> str:
    """The phrase with "a" or "an" unless its last word is a plural, by the inflect library."""
    engine = _inflect()
    if phrase == "UNKNOWN":
        # The only name in capitals; the inflect of 2022 wrote "an" where today's writes "a".
        return "an UNKNOWN"
    last = phrase.split()[-1] if phrase.split() else ""
    if not last or engine.singular_noun(last):
        return phrase
    return str(engine.a(phrase))
