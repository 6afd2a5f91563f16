"""Equal inputs with different answers: at most one of them can be right."""

from __future__ import annotations

from collections.abc import Iterator

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.items import Item, contents, items


def conflicts(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """Records that ask the same of the same pictures and give other answers.

    In games of reference and guessing the picture is the answer: there, equal texts for different
    pictures are told as a note, since a context or pool that holds both cannot be solved.
    """
    found = items(dataset)
    picked = dataset.kind in ("reference", "guessing")
    names = [] if picked else list(dict.fromkeys(n for i in found for n in i.pictures))
    same = contents(dataset, names)
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in found:
        shown = () if picked else tuple(same[n] for n in item.pictures)
        groups.setdefault((_plain(item.text), *shown), []).append(item)
    split = [g for g in groups.values() if len({i.answer for i in g}) > 1]
    if not split:
        return
    ids = [i.id for g in split for i in g]
    one, many = ("text", "texts") if picked else ("equal question", "equal questions")
    such = split[0]
    yield Finding(
        "conflicts",
        "note" if picked else "error",
        f"{plural(len(split), one, many)} with different answers ({some([i.id for i in such])})",
        "never show two of them in one context" if picked else "ask people again, or remove them",
        ids,
        {
            "groups": len(split),
            "records": len(ids),
            "text": such[0].texts[0][1],
            "answers": sorted({i.answer for i in such})[:6],
        },
        [] if not picked else sorted({i.pictures[0] for i in such})[:6],
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
