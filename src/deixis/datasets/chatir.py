"""ChatIR: dialogs about the 2,064 pictures of VisDial's val, as plain text (Levy et al., 2023).

Splits: ``human`` (people asked and answered) and ``chatgpt`` (a model asked, BLIP-2 answered). The
human questions were answered by two more models, ``blip2`` and ``cca``; their answers go with the
human dialogs, under these names. The file of BLIP-2's answers has the last question of each dialog
first, so answers are matched by the text of their question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deixis.dataset import Conversation, Dataset, Irregularity, fingerprint
from deixis.datasets.features import store_of
from deixis.datasets.files import Folder, locate
from deixis.errors import BadInput
from deixis.trials import Dialog, Turn

LAYOUT = {
    "human": ("VisDial_v1.0_queries_val.json", "dialogues/VisDial_v1.0_queries_val.json"),
    "blip2": ("Human_BLIP2.json", "dialogues/Human_BLIP2.json"),
    "chatgpt": ("ChatGPT_BLIP2.json", "dialogues/ChatGPT_BLIP2.json"),
    "cca": ("cca_aq_g_k1_answers.json", "gens.json"),
}


def chatir(root: Path, *, features: Path | None = None) -> Dataset:
    """Load the dialogs from their folder.

    Args:
        root: the folder, or one above it.
        features: a file with a vector of each picture, see `deixis.datasets.features`.

    Raises:
        BadInput: a file is missing or broken, or lacks the vector of a picture.
    """
    folder = locate(root, "chatir", LAYOUT, ["human", "chatgpt"])
    odd: dict[str, list[str]] = {}
    human = _human(folder, odd) if folder.find("human") else []
    asked = _dialogs(folder, "chatgpt", "-chatgpt") if folder.find("chatgpt") else []
    for one in (*human, *asked):
        if any(not t.answer for t in one.dialog.turns):
            odd.setdefault("an empty answer", []).append(one.id)
    records = {c.id: c for c in (*human, *asked)}
    splits = {"human": tuple(c.id for c in human), "chatgpt": tuple(c.id for c in asked)}
    pictures = list(dict.fromkeys(c.picture for c in records.values()))
    store = store_of(pictures, features, "chatir")
    return Dataset(
        name="chatir",
        kind="guessing",
        splits={name: ids for name, ids in splits.items() if ids},
        records=records,
        store=store,
        irregularities=tuple(
            Irregularity(what, tuple(ids), folder.path.name) for what, ids in odd.items()
        ),
        fingerprint=fingerprint([folder.fingerprint.encode(), store.about.encode()]),
        counts=_counts(human, len(pictures)),
    )


def plain_dialogs(root: Path) -> tuple[Folder, list[Conversation]] | None:
    """The human dialogs, and the folder they were read from; None where there are none."""
    try:
        folder = locate(root, "chatir", LAYOUT, ["human"])
    except BadInput:
        return None
    return folder, _dialogs(folder, "human")


def _human(folder: Folder, odd: dict[str, list[str]]) -> list[Conversation]:
    """The human dialogs with what models answered to the same questions."""
    dialogs = _dialogs(folder, "human")
    others: dict[str, dict[str, tuple[str, ...]]] = {c.id: {} for c in dialogs}
    if folder.find("blip2"):
        by_id = {c.id: c for c in dialogs}
        for other in _dialogs(folder, "blip2"):
            one = by_id.get(other.id)
            if one is None:
                raise BadInput(f"{folder.need('blip2')}: no human dialog about {other.id}")
            others[one.id]["blip2"] = _matched(one, other, folder.need("blip2"))
            if other.dialog.turns[0].question != one.dialog.turns[0].question:
                odd.setdefault("questions stand in another order", []).append(one.id)
    if folder.find("cca"):
        for name, answers in _cca(folder, dialogs).items():
            others[name]["cca"] = answers
    return [Conversation(c.id, c.picture, c.dialog, others[c.id]) for c in dialogs]


def _matched(one: Conversation, other: Conversation, path: Path) -> tuple[str, ...]:
    """The other's answers in the order of the first's questions."""
    answers: dict[str, list[str]] = {}
    for turn in other.dialog.turns:
        answers.setdefault(turn.question, []).append(turn.answer)
    made = []
    for turn in one.dialog.turns:
        found = answers.get(turn.question)
        if not found:
            raise BadInput(f"{path}: nothing answers {turn.question!r} of dialog {one.id}")
        made.append(found.pop(0))
    return tuple(made)


def _cca(folder: Folder, dialogs: Iterable[Conversation]) -> dict[str, tuple[str, ...]]:
    """One generated answer for each round of each dialog; rounds are counted from 0."""
    path = folder.need("cca")
    found: dict[tuple[str, int], str] = {}
    for number, entry in enumerate(folder.json("cca")):
        try:
            found[str(entry["image_id"]), int(entry["round_id"])] = entry["generations"][0]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise BadInput(f"{path}: entry {number}: not in its form: {error!r}") from None
    made = {}
    for one in dialogs:
        keys = [(one.id, i) for i in range(len(one.dialog.turns))]
        if any(k not in found for k in keys):
            raise BadInput(f"{path}: no answer to some round of dialog {one.id}")
        made[one.id] = tuple(found[k] for k in keys)
    return made


def _dialogs(folder: Folder, name: str, suffix: str = "") -> list[Conversation]:
    path = folder.need(name)
    made = []
    for number, entry in enumerate(folder.json(name)):
        where = f"{path}: dialog {number}"
        try:
            picture = str(int(entry["img"].rpartition("/")[2].partition(".")[0]))
            caption, *rounds = entry["dialog"]
            turns = tuple(_turn(text, where) for text in rounds)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{where}: not in ChatIR's form: {error!r}") from None
        made.append(Conversation(f"{picture}{suffix}", picture, Dialog(caption, turns)))
    return made


def _turn(text: str, where: str) -> Turn:
    """A question may hold several question marks; what stands behind the last is the answer."""
    question, mark, answer = text.rpartition("?")
    if not mark:
        raise BadInput(f"{where}: {text!r} holds no question mark")
    return Turn(f"{question.strip()}?", answer.strip())


def _counts(human: Sequence[Conversation], pictures: int) -> dict[str, int]:
    turns = [(t, i, c.others) for c in human for i, t in enumerate(c.dialog.turns)]
    counts = {
        "pictures": pictures,
        "human: rounds": len(turns),
        "human: answers exactly yes or no": sum(t.answer in ("yes", "no") for t, _, _ in turns),
        "human: answers beginning with yes or no": sum(
            starts_yes_no(t.answer) for t, _, _ in turns
        ),
    }
    for name in ("blip2", "cca"):
        same = sum(_same(others, name, i, t) for t, i, others in turns)
        counts[f"human: the same answer by {name}"] = same
    return {name: n for name, n in counts.items() if n}


def starts_yes_no(answer: str) -> bool:
    """Whether its first word is yes or no.

    >>> starts_yes_no("yes, it is"), starts_yes_no("nope")
    (True, False)
    """
    first = answer.lower().replace(",", " ").replace(".", " ").split()[:1]
    return first in (["yes"], ["no"])


def _same(others: Mapping[str, Any], name: str, i: int, turn: Turn) -> bool:
    return name in others and others[name][i] == turn.answer
