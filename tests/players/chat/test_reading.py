"""What replies say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.players.chat.fake import completion

from deixis.players.chat.reading import choice, kept, read

LABELS = ("A", "B", "C")
TEXTS = ("a dog", "a cat", "an ant")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", 0),
        (" b.", 1),
        ("(C) an ant", 2),
        ("**B**", 1),
        ("B) because", 1),
        ("The answer is C.", 2),
        ("Answer: (a)", 0),
        ("A dog and a cat fight. The correct option is B", 1),
        ("the answer is A. No, the answer is C", 2),
        ("A cat.", 1),
        ("B a cat", 1),
        ("An ant", 2),
        ("surely it is (B)", 1),
        ("<think>A? B? the answer is A</think> C", 2),
        ("A dog is there", None),
        ("either (A) or (B)", None),
        ("I don't know", None),
        ("", None),
        ("D", None),
    ],
)
def test_choices(text: str, expected: int | None) -> None:
    found = choice(text, LABELS, TEXTS)
    assert (found and found[0]) == expected


@given(st.sampled_from(range(30)), st.sampled_from(["{}", "({})", "{}.", "Answer: {}", " **{}** "]))
def test_numbers_as_labels(number: int, form: str) -> None:
    names = [str(i) for i in range(1, 31)]
    found = choice(form.format(number + 1), names)
    assert found is not None
    assert found[0] == number


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    found = choice(text, LABELS, TEXTS)
    assert found is None or (0 <= found[0] < 3 and 0 <= found[1] <= len(text))


def test_log_probabilities_of_labels() -> None:
    shares = {"A": 0.5, " a": 0.1, "(B": 0.3, "dog": 0.05}
    scores = read(kept(completion(shares, logprobs=True), LABELS, TEXTS), LABELS, TEXTS).scores
    assert scores is not None
    assert [round(math.exp(s), 6) for s in scores] == [0.6, 0.3, 0.05]


def test_the_token_where_the_label_stands() -> None:
    response = completion("The answer is B", logprobs=True)
    listed = [{"token": " B", "logprob": math.log(0.8)}, {"token": " C", "logprob": math.log(0.19)}]
    response["choices"][0]["logprobs"]["content"] = [
        {"token": "The answer is", "logprob": 0, "top_logprobs": []},
        {"token": " B", "logprob": -0.1, "top_logprobs": listed},
    ]
    scores = read(kept(response, LABELS, TEXTS), LABELS, TEXTS).scores
    assert scores is not None
    assert scores == pytest.approx([math.log(0.01), math.log(0.8), math.log(0.19)])


def test_without_the_label_among_the_listed() -> None:
    said = read(kept(completion({"a cat": 0.9, "x": 0.1}, True), LABELS, TEXTS), LABELS, TEXTS)
    assert (said.choice, said.scores, said.status) == (1, None, "ok")
