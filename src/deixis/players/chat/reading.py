"""What a server's reply says: a choice, scores of the options, or why there is none."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OK, UNREADABLE, REFUSED, LENGTH = "ok", "unreadable", "refused", "length"
SAID = "answer is|answer|option is|option|choice is|choice|correct is"


@dataclass(frozen=True, slots=True)
class Said:
    """One reply.

    Attributes:
        text: as the model wrote it.
        status: of `deixis.replies.STATUSES`.
        choice: position of the chosen option in shown order; None where there is none.
        scores: log-probability of each option in shown order; None where the server gave none.
    """

    text: str
    status: str
    choice: int | None = None
    scores: tuple[float, ...] | None = None


def kept(
    response: Mapping[str, Any], labels: Sequence[str], texts: Sequence[str]
) -> dict[str, Any]:
    """What is kept of a server's response: all that `read` needs, and what it cost.

    Args:
        response: a chat completion.
        labels: of the options, in shown order.
        texts: the options, where they are texts.

    Raises:
        KeyError, IndexError, TypeError: it is no chat completion.
    """
    answer = response["choices"][0]
    message = answer["message"]
    text = message.get("content") or ""
    found = choice(text, labels, texts)
    tokens = (answer.get("logprobs") or {}).get("content") or []
    at = _token_at(tokens, found[1]) if found else None
    usage = response.get("usage") or {}
    return {
        "text": text,
        "finish": answer.get("finish_reason"),
        "refusal": message.get("refusal"),
        "top": [[t["token"], t["logprob"]] for t in at.get("top_logprobs") or [at]] if at else None,
        "tokens": [usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)],
        "model": response.get("model"),
        "fingerprint": response.get("system_fingerprint"),
    }


def read(reply: Mapping[str, Any], labels: Sequence[str], texts: Sequence[str]) -> Said:
    """What a kept reply says.

    A reply that was cut off by the length limit counts only where log-probabilities tell what was
    chosen: a thought that was cut off may name options that it would have rejected.
    """
    text = reply["text"]
    if reply["finish"] == "content_filter" or reply["refusal"]:
        return Said(text or reply["refusal"] or "", REFUSED)
    found = choice(text, labels, texts)
    scores = _scores(reply["top"], labels) if found and reply["top"] else None
    if reply["finish"] == "length" and scores is None:
        return Said(text, LENGTH)
    if found is None:
        return Said(text, UNREADABLE)
    return Said(text, OK, found[0], scores)


def choice(text: str, labels: Sequence[str], texts: Sequence[str] = ()) -> tuple[int, int] | None:
    """Which option a text names, and at which character it names it; None if that is not clear.

    In this order: the label alone or in front; the label behind "answer" or the like, the last
    one; an option's own text; one label in brackets or bold.

    >>> choice("B", "AB"), choice("(a) because", "AB"), choice("I think A or B", "AB")
    ((1, 0), (0, 1), None)
    >>> choice("A dog. The answer is B.", "AB"), choice("the cat", "AB", ["a dog", "The cat"])
    ((1, 21), (1, 0))
    """
    start = text.rfind("</think>") + len("</think>") if "</think>" in text else 0
    said = text[start:]
    one = "|".join(map(re.escape, labels))
    front = re.match(rf"[\s*(\[\"'`]*({one})(?:[).:\]*\"'`,]+(?:\s|$)|\s*$)", said, re.IGNORECASE)
    if front:
        return _place(front[1], labels), start + front.start(1)
    behind = rf"\b(?:{SAID})\b[\s:*(\[\"'`]*({one})\b(?!')"
    named = list(re.finditer(behind, said, re.IGNORECASE))
    if named:
        return _place(named[-1][1], labels), start + named[-1].start(1)
    same = [i for i, t in enumerate(texts) if _bare(said) in (_bare(t), _bare(f"{labels[i]} {t}"))]
    if len(same) == 1 and _bare(said):
        return same[0], start + len(said) - len(said.lstrip())
    marked = list(re.finditer(rf"[(\[*]({one})[)\]*]", said))
    if len({m[1] for m in marked}) == 1:
        return _place(marked[-1][1], labels), start + marked[-1].start(1)
    return None


def _bare(text: str) -> str:
    return text.strip().strip(".\"'`*").strip().lower()


def _place(label: str, labels: Sequence[str]) -> int:
    return [n.upper() for n in labels].index(label.upper())


def _token_at(tokens: Sequence[Mapping[str, Any]], character: int) -> Mapping[str, Any] | None:
    """The token in which a character of the text stands."""
    end = 0
    for token in tokens:
        end += len(token["token"])
        if character < end:
            return token
    return None


def _scores(top: Sequence[Sequence[Any]], labels: Sequence[str]) -> tuple[float, ...] | None:
    """Log-probabilities of the labels among the listed tokens.

    Tokens that differ in blanks, brackets or case are one label. A label that is not listed gets
    what is known of it at most: the lowest listed, or the logarithm of all that is not listed.
    None where no label is listed.
    """
    shares = dict.fromkeys([n.upper() for n in labels], 0.0)
    for token, logprob in top:
        name = str(token).strip(" \n\t([*\"'`.):]▁Ġ").upper()
        if name in shares:
            shares[name] += math.exp(logprob)
    if not any(shares.values()):
        return None
    rest = max(1 - sum(math.exp(p) for _, p in top), 1e-9)
    floor = min(math.log(rest), min(p for _, p in top))
    return tuple(math.log(s) if s > 0 else floor for s in shares.values())
