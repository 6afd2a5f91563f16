"""From a constituency tree to a layout, by rules on phrases and not on a vocabulary.

Noun phrases are found, what is said of them filters or relates, determiners and numbers count,
conjunctions and negations are logic: what Hu et al. (ICCV 2017) make of parses for the layouts
that their network clones.
"""

from __future__ import annotations

from collections.abc import Sequence

from deixis.errors import BadInput
from deixis.text.layout import Layout
from deixis.text.spelling import NUMERALS
from deixis.text.trees import Tree

_MANNERS = {"exactly": "exactly", "only": "exactly", "just": "exactly"}
_MANNERS |= {"at least": "at least", "at most": "at most", "more than": "more than"}
_MANNERS |= {"fewer than": "fewer than", "less than": "fewer than", "no more than": "at most"}
_PICTURES = ("image", "images", "picture", "pictures", "photo", "photos", "box", "boxes")
_EVERY = ("each", "every", "all", "both")
_PLAIN = ("DT", "PDT", "CD", "PRP$", "RB", "QP", "ADVP", ".", ",", ":", "EX")
"""Labels of what names no property of a thing."""

_HOLDERS: tuple[str, ...] = (
    "contain",
    "contains",
    "show",
    "shows",
    "has",
    "have",
    "include",
    "includes",
)
_HOLDERS += ("includes", "feature", "features", "containing", "with")
_CLAUSES = ("S", "SBAR", "SINV", "ROOT", "TOP", "")
_NOUNS = ("NN", "NNS", "NNP", "NNPS", "PRP")


class Unreadable(Exception):
    """The tree has none of the forms that are known."""


def layout_of(tree: Tree) -> Layout | None:
    """The layout of a sentence's tree; None where no rule fits.

    >>> from deixis.text.trees import read_tree
    >>> np = "(NP (QP (RB exactly) (CD two)) (JJ yellow) (NNS dogs))"
    >>> str(layout_of(read_tree(f"(S (NP (EX There)) (VP (VBP are) {np}))")))
    'count[exactly two](find[yellow dogs])'
    """
    try:
        return _clause(tree)
    except (Unreadable, BadInput):
        return None


def _clause(tree: Tree) -> Layout:
    inside = [c for c in tree.children if c.label not in (".", ",", ":")]
    if len(inside) == 1 and inside[0].children:
        return _clause(inside[0])
    joined = _joined(inside, _CLAUSES[:3])
    if joined is not None:
        one, other, word = joined
        module = "either" if word == "or" else "both"
        return Layout(module, "", (_side(one), _side(other)))
    parts = _flat(inside)
    verb = next((i for i, p in enumerate(parts) if p.label.startswith(("VB", "MD"))), None)
    if verb is None:
        return _counted(_phrase(tree), ())
    subject, rest = parts[:verb], parts[verb:]
    negative = any(p.word.lower() in ("not", "n't", "never") for p in rest)
    existential = any("there" in p.words for p in subject)
    made = _exists(rest) if existential else _told(subject, rest)
    return Layout("not", "", (made,)) if negative else made


def _side(parts: Sequence[Tree]) -> Layout:
    return _clause(Tree("S", "", tuple(parts)))


def _flat(parts: Sequence[Tree]) -> list[Tree]:
    """Verb phrases opened, so that verbs, objects and the rest stand side by side."""
    made: list[Tree] = []
    for part in parts:
        made += _flat(part.children) if part.label == "VP" else [part]
    return made


def _joined(
    parts: Sequence[Tree], labels: Sequence[str]
) -> tuple[list[Tree], list[Tree], str] | None:
    """What stands on both sides of a conjunction; None where there is none."""
    for place, part in enumerate(parts):
        if part.label == "CC" and 0 < place < len(parts) - 1:
            after = [p.label for p in parts[place + 1 :]]
            if any(label in labels for label in after):
                return list(parts[:place]), list(parts[place + 1 :]), part.word.lower()
    return None


def _exists(rest: Sequence[Tree]) -> Layout:
    """There is a dog on a sofa; there is a dog and a cat."""
    place = next((i for i, p in enumerate(rest) if p.label in ("NP", *_NOUNS)), None)
    if place is None:
        raise Unreadable
    return _counted(rest[place], rest[place + 1 :])


def _counted(phrase: Tree, more: Sequence[Tree]) -> Layout:
    """So many of what a noun phrase names."""
    joined = _joined(phrase.children, ("NP", *_NOUNS))
    if joined is not None:
        one, other, word = joined
        module = "either" if word == "or" else "both"
        pair = (_counted(_noun_phrase(p), more if p is other else ()) for p in (one, other))
        return Layout(module, "", tuple(pair))
    compared = _compared(phrase)
    if compared is not None:
        return compared
    return _quantified(_quantity(phrase), _things(phrase, more))


def _noun_phrase(parts: Sequence[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 and parts[0].children else Tree("NP", "", tuple(parts))


def _compared(phrase: Tree) -> Layout | None:
    """More dogs than cats."""
    words = phrase.words
    if "than" not in words or words[0] not in ("more", "fewer", "less"):
        return None
    than = words.index("than")
    rest = [w for w in words[than + 1 :] if w not in ("the", "a", "an", "there", "are")]
    if than < 2 or not rest or rest[0] in NUMERALS:
        return None
    module = "more" if words[0] == "more" else "fewer"
    inputs = (Layout("find", " ".join(words[1:than])), Layout("find", " ".join(rest)))
    return Layout(module, "", inputs)


def _told(subject: Sequence[Tree], rest: Sequence[Tree]) -> Layout:
    """Something is said of the subject."""
    place = next((i for i, p in enumerate(subject) if p.label in ("NP", *_NOUNS)), None)
    if place is None:
        raise Unreadable
    phrase = _noun_phrase([subject[place]])
    more = [p for p in subject[place + 1 :] if p.label not in (".", ",")]
    head = _head(phrase)
    verb = next(p.word.lower() for p in rest if p.label.startswith(("VB", "MD")))
    found = next((p for p in rest if p.label in ("NP", *_NOUNS)), None)
    if head in _PICTURES and verb in _HOLDERS and found is not None:
        return _pictured(phrase, found, rest)
    said = _said(rest)
    if set(phrase.words) & set(_EVERY):
        return Layout("all", "", (_things(phrase, more), said))
    return _quantified(_quantity(phrase), Layout("and", "", (_things(phrase, more), said)))


def _pictured(phrase: Tree, found: Tree, rest: Sequence[Tree]) -> Layout:
    """The left image contains two dogs; exactly one image contains a dog."""
    behind = list(rest)[list(rest).index(found) + 1 :]
    side = next((s for s in ("left", "right") if s in phrase.words), "")
    things = _things(found, behind)
    count = _quantity(found)
    if side:
        return _quantified(count, Layout("filter", f"{side} image", (things,)))
    inner = Layout("exist_in", "", (things,))
    if count == "no":
        inner = Layout("not_in", "", (inner,))
    elif count:
        inner = Layout("count_in", count, (things,))
    return Layout("boxes", _boxes(phrase), (inner,))


def _boxes(phrase: Tree) -> str:
    if set(phrase.words) & set(_EVERY):
        return "each"
    return _quantity(phrase) or "a"


def _said(rest: Sequence[Tree]) -> Layout:
    """What a predicate says: a color, a place, what is done to what."""
    verb = next((p.word.lower() for p in rest if p.label.startswith("VB")), "")
    made: Layout | None = None
    for part in rest:
        if part.label in ("NP", *_NOUNS):
            new = Layout("transform", verb, (_things(_noun_phrase([part]), ()),))
        elif part.label == "PP":
            new = _placed(part)
        elif part.label in ("ADJP", "JJ", "VBG", "VBN", "ADVP"):
            new = Layout("find", " ".join(part.words))
        else:
            continue
        made = new if made is None else Layout("and", "", (made, new))
    return made or Layout("find", verb)


def _things(phrase: Tree, more: Sequence[Tree]) -> Layout:
    """What a noun phrase names, with all that is said of it."""
    core: list[str] = []
    said: list[Tree] = []
    _gather(phrase, core, said)
    if not core:
        raise Unreadable
    made = Layout("find", " ".join(core))
    for part in [*said, *(p for p in more if p.label in ("PP", "ADJP", *_CLAUSES[:2]))]:
        made = _narrowed(made, part)
    return made


def _gather(phrase: Tree, core: list[str], said: list[Tree]) -> None:
    """Words that name it, and phrases that say more of it."""
    if not phrase.children:
        core.append(phrase.word.lower())
        return
    for child in phrase.children:
        if child.label in ("PP", "VP", *_CLAUSES[:2]):
            said.append(child)
        elif child.children and child.label != "QP":
            _gather(child, core, said)
        elif child.word and child.label not in _PLAIN and child.word.lower() not in _MANNER_WORDS:
            core.append(child.word.lower())


_MANNER_WORDS = {w for m in _MANNERS for w in m.split()} | {"no"}


def _narrowed(things: Layout, part: Tree) -> Layout:
    """Those of the things that a phrase speaks of."""
    words = [w for w in part.words if w not in ("the", "a", "an")]
    if part.label == "PP" and words[-1] in _PICTURES and {"left", "right"} & set(words):
        side = "left" if "left" in words else "right"
        return Layout("filter", f"{side} image", (things,))
    try:
        other = _placed(part) if part.label == "PP" else _said(_flat([part]))
    except Unreadable:
        return Layout("filter", " ".join(words), (things,))
    return Layout("and", "", (things, other))


def _placed(part: Tree) -> Layout:
    """Whatever is on a sofa, at the top, with a tail."""
    found = next((c for c in part.children if c.label in ("NP", *_NOUNS)), None)
    before = [w for c in part.children if c is not found for w in c.words]
    if found is None:
        raise Unreadable
    return Layout("transform", " ".join(before), (_things(_noun_phrase([found]), ()),))


def _phrase(tree: Tree) -> Tree:
    return tree if tree.label == "NP" else Tree("NP", "", tree.children)


def _head(phrase: Tree) -> str:
    """The last noun before anything that says more of it."""
    core: list[str] = []
    _gather(phrase, core, [])
    return core[-1] if core else ""


def _quantity(phrase: Tree) -> str:
    """At least two; exactly one; no; empty for articles."""
    words = phrase.words[:6]
    for length in (3, 2, 1, 0):
        for start in range(len(words) - length):
            manner, number = " ".join(words[start : start + length]), words[start + length]
            if length and manner not in _MANNERS:
                continue
            if number == "no" and not length and start == 0:
                return "no"
            if number in NUMERALS and NUMERALS[number] != "no":
                return f"{_MANNERS.get(manner, 'exactly')} {NUMERALS[number]}"
    return ""


def _quantified(quantity: str, things: Layout) -> Layout:
    if quantity == "no":
        return Layout("not", "", (Layout("exist", "", (things,)),))
    if quantity in ("", "at least one"):
        return Layout("exist", "", (things,))
    return Layout("count", quantity, (things,))
