"""Words, their vectors from files, and what reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from deixis.errors import BadInput
from deixis.players.statement.neural.sentences import (
    PAD,
    UNKNOWN,
    Reader,
    Words,
    embedding,
    read_vectors,
)

WORDS = Words.of(["A black dog.", "a cat"])


def test_rows_are_padded_and_unknown_words_have_one_number() -> None:
    rows, lengths = WORDS.rows(["a bird", "Dog", "?!"])
    a, dog = (WORDS.numbers[w] for w in ("a", "dog"))
    assert rows.tolist() == [[a, UNKNOWN], [dog, PAD], [UNKNOWN, PAD]]
    assert lengths.tolist() == [2, 1, 1]


def test_misspelt_words_of_boxes_are_corrected() -> None:
    words = Words.of(["There is a yellow circle."], ["uppermost"], spelt=True)
    assert "uppermost" in words.known
    assert words.rows(["yelow cirlce"])[0].tolist() == words.rows(["yellow circle"])[0].tolist()


def test_vectors_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "glove.txt"
    file.write_text("3 2\ndog 1 2\nhorse x y\na 3 4\ndog 9 9\n")
    found = read_vectors(file, WORDS.known)
    assert {w: v.tolist() for w, v in found.items()} == {"dog": [1, 2], "a": [3, 4]}
    table = embedding(WORDS, 50, file)
    assert table.weight.shape == (len(WORDS), 2)
    assert not table.weight.requires_grad
    assert table.weight[WORDS.numbers["dog"]].tolist() == [1, 2]
    assert table.weight[WORDS.numbers["cat"]].tolist() == [2, 3], "the mean of those there are"
    assert table.weight[PAD].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("dog one two\n", "glove.txt:1: not numbers behind 'dog'"),
        ("dog 1 2\na 1\n", "glove.txt:2: 1 numbers behind 'a', expected 2"),
        ("bird 1 2\n", "glove.txt: holds none of the 4 words"),
    ],
)
def test_broken_files_of_vectors(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "glove.txt").write_text(text)
    with pytest.raises(BadInput, match=sentence.replace(".", r"\.")):
        embedding(WORDS, 5, tmp_path / "glove.txt")


def test_no_file_of_vectors(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no such file of word vectors"):
        embedding(WORDS, 5, tmp_path / "no.txt")


@pytest.mark.parametrize("kind", ["lstm", "gru"])
@pytest.mark.parametrize("both_ways", [False, True])
def test_what_is_read_does_not_depend_on_padding(kind: str, both_ways: bool) -> None:
    torch.manual_seed(0)
    reader = Reader(embedding(WORDS, 5, None), 4, kind=kind, both_ways=both_ways)
    rows, lengths = WORDS.rows(["a black dog a cat", "a dog"])
    states, last = reader(rows, lengths)
    alone, own = reader(*WORDS.rows(["a dog"]))
    assert states.shape == (2, 5, reader.size)
    torch.testing.assert_close(states[1, :2], alone[0])
    torch.testing.assert_close(last[1], own[0])
    assert (states[1, 2:] == 0).all()
