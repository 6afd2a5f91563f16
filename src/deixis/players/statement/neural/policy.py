"""From a sentence to a layout and the words of each module: a sequence-to-sequence network.

The decoder names modules in postfix order, among those after which a layout can still be finished;
where it attends in the sentence gives what the module reads (Hu et al., ICCV 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn

from deixis.players.statement.neural.sentences import Reader, Words
from deixis.text.layout import MODULES, TRUTH, Layout, allowed, push

NAMES = tuple(MODULES)
END = len(NAMES)
"""The number of what ends a plan."""

LONGEST = 16
"""Modules in a plan, at most, if nothing else is said."""

Plan = tuple[str, ...]


@dataclass(frozen=True)
class Planned:
    """Plans of n sentences.

    Attributes:
        plans: names of modules in postfix order.
        likely: logarithm of each plan's probability, shape (n,).
        texts: what each module reads, one plan after the other, shape (all modules, vectors).
        entropy: mean over steps of the choice among modules, shape (n,).
        attention: of each module over the words, one plan after the other, shape (all modules,
            longest).
    """

    plans: tuple[Plan, ...]
    likely: Tensor
    texts: Tensor
    entropy: Tensor
    attention: Tensor


def pointed(layouts: Sequence[Layout], tokens: Tensor, words: Words) -> Tensor:
    """Where the words stand that layouts give to their modules.

    Args:
        layouts: of n sentences.
        tokens: of the sentences, shape (n, longest).
        words: that the numbers stand for.

    Returns:
        An even share for each of a module's words, divided among the places where it stands, one
        layout after the other, shape (all modules, longest); zeros where a module reads no word of
        the sentence.
    """
    rows = [[_stem(words.known[t - 2]) if t > 1 else "" for t in row] for row in tokens.tolist()]
    wanted = []
    for spoken, layout in zip(rows, layouts, strict=True):
        for one in layout.postfix():
            own = set(map(_stem, one.words.split())) - {""}
            wanted.append([1 / spoken.count(s) if s in own else 0.0 for s in spoken])
    there = torch.tensor(wanted, device=tokens.device)
    return there / there.sum(1, keepdim=True).clamp(min=1)


def _stem(word: str) -> str:
    """A word without its plural, which layouts lack."""
    return word.removesuffix("s")


def misread(planned: Planned, shown: Tensor) -> Tensor:
    """How far attention is from where it is shown to be, a cross-entropy.

    Args:
        planned: by the plans of the layouts that were shown.
        shown: from `pointed`, shape (all modules, longest).

    Returns:
        Mean over modules that read words of the sentence; 0 where there are none.
    """
    costs = -(shown * planned.attention.clamp(min=1e-6).log()).sum(1)
    return costs.sum() / (shown.sum(1) > 0).sum().clamp(min=1)


def told(planned: Planned, shown: Tensor, vectors: Tensor) -> Tensor:
    """What modules read where they are shown the words, and what they attend to elsewhere.

    Args:
        planned: by the plans of the layouts that were shown.
        shown: from `pointed`, shape (all modules, longest).
        vectors: of the words of n sentences, shape (n, longest, vectors).

    Returns:
        Shape (all modules, vectors).
    """
    counts = torch.tensor([len(p) for p in planned.plans], device=vectors.device)
    rows = torch.arange(len(vectors), device=vectors.device).repeat_interleave(counts)
    read = torch.einsum("ml,mlv->mv", shown, vectors[rows])
    return torch.where(shown.sum(1, keepdim=True) > 0, read, planned.texts)


@cache
def open_ways(stack: Plan, left: int) -> Tensor:
    """Which modules, and the end, may come next, shape (END + 1,), boolean.

    >>> [NAMES[i] for i in open_ways(("things",), 1).nonzero()[:, 0].tolist()]
    ['exist', 'count']
    """
    mask = torch.zeros(END + 1, dtype=torch.bool)
    mask[[NAMES.index(n) for n in allowed(stack, left)]] = True
    mask[END] = stack == (TRUTH,)
    return mask


class Policy(nn.Module):
    """Reads words both ways, then names modules and attends to words, step by step."""

    def __init__(self, read: Reader, hidden: int, longest: int = LONGEST) -> None:
        super().__init__()
        self.read = read
        self.longest = longest
        self.last = nn.Embedding(END + 2, hidden)
        self.start = nn.Linear(read.size, 2 * hidden)
        self.step = nn.LSTMCell(hidden + read.size, hidden)
        self.attend = nn.Linear(hidden, read.size)
        self.choose = nn.Linear(hidden + read.size, END + 1)

    def forward(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        told: Sequence[Plan] | None = None,
        draw: bool = False,
    ) -> Planned:
        """Plans of sentences.

        Args:
            tokens: shape (n, longest).
            lengths: shape (n,).
            told: the plans to follow; else the likeliest module is taken at each step.
            draw: draw modules instead.
        """
        vectors = self.read.vectors(tokens)
        # Vectors of words are learnt by the modules that read them; layouts would only disturb it.
        words, final = self.read.states(vectors.detach(), lengths)
        device, n = words.device, len(words)
        there = torch.arange(words.shape[1], device=device) < lengths.to(device)[:, None]
        h, c = (part.contiguous() for part in self.start(final).chunk(2, dim=1))
        seen, last = final, torch.full((n,), END + 1, device=device)
        paths = [_Path(self.longest, None if told is None else told[i]) for i in range(n)]
        likely, entropy = words.new_zeros(n), words.new_zeros(n)
        steps: list[Tensor] = []
        looks: list[Tensor] = []
        while any(p.open for p in paths):
            h, c = self.step(torch.cat([self.last(last), seen], dim=1), (h, c))
            odds = torch.einsum("nlw,nw->nl", words, self.attend(h)).masked_fill(~there, -1e9)
            weights = odds.softmax(1)
            seen = torch.einsum("nl,nlw->nw", weights, words)
            ways = torch.stack([p.ways for p in paths]).to(device)
            logits = self.choose(torch.cat([h, seen], dim=1)).masked_fill(~ways, -1e9)
            chances = logits.log_softmax(1)
            if told is not None:
                picked = torch.tensor([p.told for p in paths], device=device)
            elif draw:
                picked = torch.multinomial(chances.exp(), 1)[:, 0]
            else:
                picked = chances.argmax(1)
            going = torch.tensor([p.open for p in paths], device=device).float()
            likely = likely + going * chances.gather(1, picked[:, None])[:, 0]
            entropy = entropy - going * (chances.exp() * chances).sum(1)
            steps.append(torch.einsum("nl,nlv->nv", weights, vectors))
            looks.append(weights)
            for path, number in zip(paths, picked.tolist(), strict=True):
                path.take(number)
            last = picked
        texts, attention = (
            torch.cat([table[i, : len(p.made)] for i, p in enumerate(paths)])
            for table in (torch.stack(steps, dim=1), torch.stack(looks, dim=1))
        )
        lengths_made = torch.tensor([len(p.made) + 1.0 for p in paths], device=device)
        plans = tuple(tuple(p.made) for p in paths)
        return Planned(plans, likely, texts, entropy / lengths_made, attention)


class _Path:
    """One plan as it grows."""

    def __init__(self, longest: int, plan: Plan | None) -> None:
        self.plan = plan
        self.made: list[str] = []
        self.stack: Plan = ()
        self.open = True
        # A plan that is told has as much room as one that is sought: else its end would be forced,
        # and when to end never learnt.
        self.limit = max(longest, 0 if plan is None else len(plan))

    @property
    def ways(self) -> Tensor:
        """What may come next; the end alone once it is reached."""
        if not self.open:
            return open_ways((TRUTH,), 0)
        return open_ways(self.stack, self.limit - len(self.made))

    @property
    def told(self) -> int:
        """What comes next in the plan to follow."""
        assert self.plan is not None  # asked only of such a path
        done = len(self.made) == len(self.plan)
        return END if done else NAMES.index(self.plan[len(self.made)])

    def take(self, number: int) -> None:
        """Go on by a module, or end."""
        if not self.open or number == END:
            self.open = False
            return
        after = push(self.stack, NAMES[number])
        assert after is not None  # only such modules are open
        self.stack = after
        self.made.append(NAMES[number])
