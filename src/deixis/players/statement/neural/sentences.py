"""Sentences as numbers: the words of a training set, padded rows of them, vectors of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from deixis.errors import BadInput
from deixis.text.spelling import tokens as spelt
from deixis.text.vocabulary import Vocabulary, words

PAD, UNKNOWN = 0, 1
"""Numbers of no word, and of a word that training did not hold."""


@dataclass(frozen=True)
class Words:
    """The words that a model knows; their numbers begin at 2.

    Attributes:
        known: in order.
        spelt: whether words are first corrected to those of statements about boxes.
    """

    known: tuple[str, ...]
    spelt: bool = False

    @classmethod
    def of(
        cls, sentences: Iterable[str], named: Iterable[str] = (), *, spelt: bool = False
    ) -> Words:
        """Know the words of these sentences, and those that layouts name.

        >>> Words.of(["A dog.", "a cat"]).known
        ('a', 'cat', 'dog')
        """
        blank = cls((), spelt)
        split = [" ".join(blank.split(s)) for s in sorted(set(sentences))]
        return cls(Vocabulary.of([*split, *sorted(set(named))]).types, spelt)

    def __len__(self) -> int:
        return len(self.known) + 2

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {w: i for i, w in enumerate(self.known, start=2)}

    def split(self, sentence: str) -> list[str]:
        """The words of a sentence as they are looked up."""
        return list(spelt(sentence)) if self.spelt else words(sentence.lower())

    def rows(self, sentences: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Numbers of words, shape (n, longest), padded behind; and lengths, shape (n,), from 1.

        >>> Words(("a", "dog")).rows(["A dog", "bird"])[0].tolist()
        [[2, 3], [1, 0]]
        """
        found = [
            [self.numbers.get(w, UNKNOWN) for w in self.split(s)] or [UNKNOWN] for s in sentences
        ]
        lengths = torch.tensor([len(f) for f in found])
        table = torch.zeros(len(found), int(lengths.max()), dtype=torch.long)
        for row, one in zip(table, found, strict=True):
            row[: len(one)] = torch.tensor(one)
        return table, lengths


def embedding(words: Words, size: int, file: Path | None) -> nn.Embedding:
    """Vectors of words: learnt, or those of a file, which then stay as they are.

    Args:
        words: the words.
        size: of learnt vectors.
        file: in GloVe's text form; words that it lacks get the mean of those it has.

    Raises:
        BadInput: the file is broken, or has none of the words.
    """
    if file is None:
        return nn.Embedding(len(words), size, padding_idx=PAD)
    found = read_vectors(file, words.known)
    if not found:
        raise BadInput(f"{file}: holds none of the {len(words.known)} words of the sentences")
    mean = torch.stack(list(found.values())).mean(0)
    table = torch.stack([torch.zeros_like(mean), mean, *(found.get(w, mean) for w in words.known)])
    made = nn.Embedding(len(words), table.shape[1], padding_idx=PAD, _weight=table)
    return made.requires_grad_(False)


def read_vectors(file: Path, wanted: Iterable[str]) -> dict[str, Tensor]:
    """Vectors of words from a file in GloVe's text form: a word and its numbers on each line.

    Read line by line; only what is wanted is kept. The head line of word2vec's form, with two
    numbers, is passed over.

    Raises:
        BadInput: there is no such file, or a wanted word's line is broken.
    """
    left, found, size = set(wanted), dict[str, Tensor](), 0
    if not file.is_file():
        raise BadInput(f"{file}: there is no such file of word vectors")
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            word, _, rest = line.rstrip().partition(" ")
            if number == 1 and word.isdecimal() and rest.strip().isdecimal():
                continue
            if word not in left:
                continue
            try:
                vector = torch.tensor([float(v) for v in rest.split()])
            except ValueError:
                raise BadInput(f"{file}:{number}: not numbers behind {word!r}") from None
            size = size or len(vector)
            if not size or len(vector) != size:
                raise BadInput(
                    f"{file}:{number}: {len(vector)} numbers behind {word!r}, expected {size or 1}"
                )
            left.discard(word)
            found[word] = vector
    return found


class Reader(nn.Module):
    """Vectors of words and a recurrent network over them.

    Attributes:
        size: of what comes out for each word.
    """

    def __init__(
        self,
        vectors: nn.Embedding,
        hidden: int,
        *,
        kind: str = "lstm",
        layers: int = 1,
        both_ways: bool = False,
    ) -> None:
        super().__init__()
        self.vectors = vectors
        network = {"lstm": nn.LSTM, "gru": nn.GRU}[kind]
        self.network = network(
            vectors.embedding_dim, hidden, layers, batch_first=True, bidirectional=both_ways
        )
        self.size = hidden * (2 if both_ways else 1)

    def forward(self, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Read sentences, shape (n, longest), see `states`."""
        return self.states(self.vectors(tokens), lengths)

    def states(self, vectors: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Read words.

        Args:
            vectors: of the words, shape (n, longest, vectors).
            lengths: of the sentences, shape (n,).

        Returns:
            The states at each word, shape (n, longest, size), and the last ones, shape (n, size).
        """
        packed = pack_padded_sequence(
            vectors, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.network(packed)
        if isinstance(last, tuple):
            last = last[0]
        unpacked, _ = pad_packed_sequence(states, batch_first=True, total_length=vectors.shape[1])
        ways = 2 if self.network.bidirectional else 1
        return unpacked, torch.cat(list(last[-ways:]), dim=1)
