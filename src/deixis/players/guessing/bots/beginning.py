"""What Q-bot begins with where dialogs are few: words that know what pictures they were said about.

A thousand dialogs are too few for three recurrent networks to find out by gradients, from vectors
drawn at random, which words tell what of a picture; a ridge regression finds it in a moment.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import QBot
from deixis.players.guessing.linear import PENALTY, inverse_frequency, texts_of, weighted
from deixis.stats.ridge import ridge
from deixis.text.bags import Bags
from deixis.trials import Dialog

Floats = NDArray[np.float64]


def begin(bot: QBot, lexicon: Lexicon, dialogs: Sequence[Dialog], vectors: Floats) -> None:
    """Let Q-bot begin with what its training dialogs tell of words, and with the mean picture.

    Where all pictures are the same, words tell nothing, and stay as they were drawn.

    Args:
        bot: whose words' vectors, and whose prediction's bias, are set.
        lexicon: its words.
        dialogs: of training.
        vectors: of their pictures, shape (n, d).
    """
    found = pictured(lexicon.words, dialogs, vectors)[:, : bot.design.embedding]
    with torch.no_grad():
        bot.feature.bias.copy_(torch.from_numpy(vectors.mean(axis=0)))
        if not found.any():
            return
        size = np.sqrt((found[found.any(axis=1)] ** 2).mean())
        # Words are numbered from 1.
        bot.words.weight[1 : 1 + len(found), : found.shape[1]] = torch.from_numpy(found / size)


def pictured(words: Sequence[str], dialogs: Sequence[Dialog], vectors: Floats) -> Floats:
    """What each word adds to the picture predicted from a dialog, by its principal axes.

    Args:
        words: w of them.
        dialogs: n of them.
        vectors: of their pictures, shape (n, d).

    Returns:
        Shape (w, at most d), the widest axis first; 0 for words in fewer than two dialogs.
    """
    counts = Bags(words)([texts_of(d) for d in dialogs])
    idf = inverse_frequency(counts)
    learnt = ridge(weighted(counts, idf), vectors - vectors.mean(axis=0), PENALTY)
    left, widths, _ = np.linalg.svd(learnt * idf[:, None], full_matrices=False)
    return np.asarray(left * widths)
