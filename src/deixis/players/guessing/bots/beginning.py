"""What Q-bot begins with where dialogs are few.

A thousand dialogs are too few for three recurrent networks to find out by gradients, from weights
drawn at random, which words tell what of a picture; a ridge regression finds it in a moment. So
words begin with what pictures they were said about, networks with adding up what they read, and
the prediction with a ridge regression on these sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse
from torch import nn

from deixis.players.guessing.bots.lessons import Lessons, memories
from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import QBot
from deixis.players.guessing.linear import PENALTY, inverse_frequency, texts_of, weighted
from deixis.stats.ridge import ridge
from deixis.text.bags import Bags
from deixis.trials import Dialog

Floats = NDArray[np.float64]

SCALE = 0.1
"""Of words where facts are added up: sums stay where tanh is nearly straight."""

OPEN, KEEPING = 2.0, 4.0
"""Biases of gates for what comes in and out, and for what is kept: they let through 88 and 98 %."""

READOUT = 3.0
"""Penalty of the regression on sums."""


def begin(bot: QBot, lexicon: Lexicon, dialogs: Sequence[Dialog], lessons: Lessons) -> None:
    """Let Q-bot begin as a reader of bags of words, learnt from its training dialogs.

    Where all pictures are the same, words tell nothing: the mean picture alone is set.

    Args:
        bot: whose reading is set, and its prediction.
        lexicon: its words.
        dialogs: of training.
        lessons: the same dialogs, with the vectors of their pictures.
    """
    vectors = lessons.vectors.cpu().numpy().astype(np.float64)
    # To be read after the caption as well as later, words learn from captions, too.
    texts = [*([d.caption] for d in dialogs), *map(texts_of, dialogs)]
    found = pictured(lexicon.words, texts, np.tile(vectors, (2, 1)))[:, : bot.design.embedding]
    with torch.no_grad():
        bot.feature.bias.copy_(torch.from_numpy(vectors.mean(axis=0)))
        if not found.any():
            return
        size = np.sqrt((found[found.any(axis=1)] ** 2).mean())
        # Words are numbered from 1.
        bot.words.weight[1 : 1 + len(found), : found.shape[1]] = torch.from_numpy(found / size)
        _add_up(bot.facts, SCALE)
        _add_up(bot.history, 1.0)
        _read_out(bot, lessons, vectors)


def pictured(words: Sequence[str], texts: Sequence[Sequence[str]], vectors: Floats) -> Floats:
    """What each word adds to the picture predicted from texts, by its principal axes.

    Args:
        words: w of them.
        texts: n lists of them.
        vectors: of their pictures, shape (n, d).

    Returns:
        Shape (w, at most d), the widest axis first; 0 for words in fewer than two lists.
    """
    counts = Bags(words)(texts)
    idf = inverse_frequency(counts)
    learnt = ridge(weighted(counts, idf), vectors - vectors.mean(axis=0), PENALTY)
    left, widths, _ = np.linalg.svd(learnt * idf[:, None], full_matrices=False)
    return np.asarray(left * widths)


def _add_up(network: nn.LSTM, scale: float) -> None:
    """Let a network begin with the sum of what it reads, unit by unit."""
    size = network.hidden_size
    for layer in range(network.num_layers):
        inward, across, *biases = network.all_weights[layer]
        for weight in (inward, across, *biases):
            weight.zero_()
        # Gates stand as input, forget, cell, output.
        inward[2 * size : 3 * size] = scale * torch.eye(size, inward.shape[1])
        biases[0].fill_(OPEN)[size : 2 * size] = KEEPING
        biases[0][2 * size : 3 * size] = 0


def _read_out(bot: QBot, lessons: Lessons, vectors: Floats) -> None:
    """Let predictions begin with the regression from the memory's states to pictures."""
    states = memories(bot, lessons).cpu().numpy().astype(np.float64)
    targets = np.repeat(vectors, states.shape[1], axis=0)
    states = states.reshape(len(targets), -1)
    middle, mean = states.mean(axis=0), vectors.mean(axis=0)
    learnt = ridge(sparse.csr_array(states - middle), targets - mean, READOUT)
    bot.feature.weight.copy_(torch.from_numpy(learnt.T))
    bot.feature.bias.copy_(torch.from_numpy(mean - middle @ learnt))
