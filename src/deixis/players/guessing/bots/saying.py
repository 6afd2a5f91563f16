"""What is said from a state: greedily, by a beam, drawn, or greedily without saying it twice."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from deixis.errors import BadInput
from deixis.players.guessing.bots.lexicon import PAD, Lexicon
from deixis.players.guessing.bots.networks import Bot, State


@dataclass(frozen=True)
class Manner:
    """How words are chosen.

    Attributes:
        name: ``greedy``, ``beam``, ``sampled``, or ``fresh``: greedy, but a question that was asked
            before in the dialog gives way to the best of a beam that was not.
        width: of the beam; ``fresh`` widens it by the number of questions asked before.
    """

    name: str = "greedy"
    width: int = 5

    @classmethod
    def parse(cls, text: str) -> Manner:
        """Read ``greedy``, ``beam[:WIDTH]``, ``sampled`` or ``fresh``.

        Raises:
            BadInput: it is none of these.

        >>> Manner.parse("beam:3")
        Manner(name='beam', width=3)
        """
        name, _, width = text.partition(":")
        if text in ("greedy", "sampled", "beam", "fresh"):
            return cls(name)
        if name == "beam" and width.isdecimal() and int(width) > 0:
            return cls(name, int(width))
        raise BadInput(
            f"--saying: expected greedy, beam, beam:WIDTH, sampled or fresh, got {text!r}"
        )


def say(
    bot: Bot,
    start: State,
    lexicon: Lexicon,
    longest: int,
    manner: Manner = Manner(),
    generators: Sequence[np.random.Generator] = (),
    taken: Sequence[Collection[str]] = (),
) -> list[str]:
    """Say a text from each state; it has a word at least, and no START.

    Args:
        bot: who.
        start: n states, from `Bot.ready`.
        lexicon: its words.
        longest: words at most.
        manner: how words are chosen.
        generators: one for each text, where words are drawn.
        taken: texts that are not to be said again, for each state; ``fresh`` alone heeds them.
    """
    if manner.name == "beam":
        return [found[0] for found in best_texts(bot, start, lexicon, longest, manner.width)]
    if manner.name == "fresh":
        return _fresh(bot, start, lexicon, longest, manner, taken)
    n = start.hidden.shape[1]
    latest = torch.full((n,), lexicon.start, device=start.hidden.device)
    made = torch.zeros((n, longest), dtype=torch.int64)
    done = torch.zeros(n, dtype=torch.bool)
    for i in range(longest):
        scores, start = bot.say(start, latest)
        scores = _allowed(scores, lexicon, first=i == 0)
        latest = _drawn(scores, generators) if manner.name == "sampled" else scores.argmax(dim=1)
        word = latest.cpu()
        made[:, i] = torch.where(done, lexicon.end, word)
        done |= word == lexicon.end
        if done.all():
            made[:, i + 1 :] = lexicon.end
            break
    return [lexicon.decode(row) for row in made.tolist()]


def _allowed(scores: Tensor, lexicon: Lexicon, *, first: bool) -> Tensor:
    scores = scores.clone()
    scores[..., [PAD, lexicon.start, *([lexicon.end] if first else [])]] = -torch.inf
    return scores


def _drawn(scores: Tensor, generators: Sequence[np.random.Generator]) -> Tensor:
    """One word of each row, by its probability."""
    below = scores.double().softmax(dim=1).cumsum(dim=1)
    points = torch.tensor([g.random() for g in generators], dtype=torch.float64)
    found = torch.searchsorted(below, points.to(below.device)[:, None], right=True)[:, 0]
    # Rounding may leave the sum below 1: what is drawn stays among the words that can be.
    last = torch.isfinite(scores).int().cumsum(dim=1).argmax(dim=1)
    return torch.minimum(found, last)


def _fresh(
    bot: Bot,
    start: State,
    lexicon: Lexicon,
    longest: int,
    manner: Manner,
    taken: Sequence[Collection[str]],
) -> list[str]:
    """What is said greedily where it is new, else the best of a beam that is; the first if none."""
    said = say(bot, start, lexicon, longest)
    again = [i for i, texts in enumerate(taken) if said[i] in texts]
    if not again:
        return said
    rows = torch.tensor(again, device=start.hidden.device)
    width = manner.width + max(len(taken[i]) for i in again)
    for i, found in zip(
        again, best_texts(bot, start.take(rows), lexicon, longest, width), strict=True
    ):
        said[i] = next((text for text in found if text not in taken[i]), found[0])
    return said


def best_texts(
    bot: Bot, start: State, lexicon: Lexicon, longest: int, width: int
) -> list[list[str]]:
    """The texts that a beam search ends with, by mean log-probability of words and END.

    Args:
        bot: who.
        start: n states, from `Bot.ready`.
        lexicon: its words.
        longest: words at most.
        width: of the beam.
    """
    n, device = start.hidden.shape[1], start.hidden.device
    state = start.take(torch.arange(n, device=device).repeat_interleave(width))
    sums = torch.full((n, width), -torch.inf, device=device)
    sums[:, 0] = 0
    words = torch.full((n, width, 1), lexicon.start, device=device)
    over = torch.zeros((n, width), dtype=torch.bool, device=device)
    lengths = torch.zeros((n, width), device=device)
    for i in range(longest + 1):
        scores, state = bot.say(state, words[..., -1].reshape(-1))
        scores = _allowed(scores, lexicon, first=i == 0).reshape(n, width, -1)
        if i == longest:  # END, if nothing else
            scores[..., : lexicon.end] = -torch.inf
        scores[over] = -torch.inf
        scores[..., lexicon.end][over] = 0
        longer = (lengths + (~over))[..., None]
        total = sums[..., None] + scores
        best = (total / longer).reshape(n, -1).topk(width, dim=1).indices
        parent, word = best // lexicon.size, best % lexicon.size
        sums = total.reshape(n, -1).gather(1, best)
        lengths = longer[..., 0].gather(1, parent)
        over = over.gather(1, parent) | (word == lexicon.end)
        history = words.gather(1, parent[..., None].expand(-1, -1, words.shape[2]))
        words = torch.cat([history, word[..., None]], dim=2)
        offsets = torch.arange(n, device=device)[:, None] * width
        state = state.take((parent + offsets).reshape(-1))
        if over.all():
            break
    found = words[..., 1:].tolist()
    return [[lexicon.decode(row) for row in beams] for beams in found]
