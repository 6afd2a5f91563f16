"""The study's interventions, and those that tell what they mean.

The study's code counts rounds from 0: a start at 5 alters rounds 6 to 10 as they are counted here.
"""

from __future__ import annotations

from dataclasses import dataclass

from deixis.reproduce.cooperation.published import GAPS, TABLE_1, TABLE_2, table_2

ROUNDS = 10
"""Of every dialog."""


@dataclass(frozen=True)
class Line:
    """One line of a table.

    Attributes:
        name: for people.
        do: the condition; empty for none.
        published: after rounds 1 to 10; empty where nothing was.
        gap: published, after round 10.
    """

    name: str
    do: str
    published: tuple[float, ...] = ()
    gap: float | None = None


def since(start: int) -> int:
    """The first round altered, counted from 1, by a start counted from 0.

    >>> since(0), since(5)
    (1, 6)
    """
    return start + 1


def _main(name: str, do: str) -> Line:
    return Line(name, do, tuple(TABLE_1[name]), GAPS.get(name))


TABLE_1_LINES = (
    _main("nothing", ""),
    _main("images", "image=noise:raw"),
    _main("captions", "caption=words:1"),
    _main("answers", "answer=words:1"),
    _main("questions", "question=words:1"),
)

TABLE_2_LINES = (
    Line("nothing negated", ""),
    *(Line(f"from {s}", f"answer=negate@{since(s)}", table_2(s)) for s in TABLE_2),
    Line("from 0, first word", "answer=negate:first@1"),
    Line("from 0, whole answer", "answer=negate:whole@1"),
)

FIGURE_1A_LINES = (
    Line("0", ""),
    *(Line(f"{p:g}", f"caption=words:{p:g}") for p in (0.2, 0.4, 0.6, 0.8)),
)

FIGURE_1B_LINES = (
    Line("nothing", ""),
    *(
        Line(f"{name} from {start}", f"{do}@{since(start)}")
        for name, do in (
            ("images", "image=noise:raw"),
            ("questions", "question=words:0.8"),
            ("answers", "answer=words:0.8"),
        )
        for start in (5, 4)
    ),
)
"""A start of 5 in the code's counting, and of 5 counted from 1."""

READERS_LINES = (
    Line("question: A-bot reads it", "question/answerer=words:1"),
    Line("question: Q-bot remembers it", "question/questioner=words:1,question/guesser=words:1"),
    Line("question: both", "question=words:1"),
    Line("answer: Q-bot reads it", "answer/questioner=words:1,answer/guesser=words:1"),
    Line("answer: A-bot remembers it", "answer/answerer=words:1"),
    Line("answer: both", "answer=words:1"),
    Line("caption: Q-bot reads it", "caption/questioner=words:1,caption/guesser=words:1"),
    Line("caption: A-bot reads it", "caption/answerer=words:1"),
)
"""Who gets the altered text: random words in every round."""

NATURAL_LINES = (
    Line("images: noise of a picture's length", "image=noise:matched"),
    Line("images: another's", "image=shuffle"),
    Line("images: the mean", "image=mean"),
    Line("captions: another's", "caption=shuffle"),
    Line("answers: another dialog's", "answer=shuffle"),
    Line("questions: another dialog's", "question=shuffle"),
)
"""The same inputs replaced by what occurs: random words and raw noise occur nowhere."""

PEOPLE_LINES = (
    Line("nothing", ""),
    Line("captions", "caption=words:1"),
    Line("answers", "answer=words:1"),
    Line("questions", "question=words:1"),
    Line("captions: another's", "caption=shuffle"),
    Line("answers: another dialog's", "answer=shuffle"),
    Line("questions: another dialog's", "question=shuffle"),
    Line("yes and no exchanged", "answer=negate@1"),
)
"""Q-bot reads what people said."""


MARKS = "marks=train"
"""Stands for a condition where the same weights play with marks around texts, and without."""

MARKS_LINES = {
    who: (
        Line(f"{who}, marks in training and in play", ""),
        Line(f"{who}, marks in training only", MARKS),
    )
    for who in ("bots talk", "Q-bot reads people's dialogs")
}
"""What the mismatch of the study's own code does, to those who talk and to a reader."""


def conditions(lines: tuple[Line, ...]) -> list[str]:
    """What has to be played, besides nothing.

    >>> conditions(FIGURE_1A_LINES)[0]
    'caption=words:0.2'
    """
    return list(dict.fromkeys(line.do for line in lines if line.do))


TALKING_LINES = (
    *TABLE_1_LINES,
    *TABLE_2_LINES,
    *FIGURE_1A_LINES,
    *FIGURE_1B_LINES,
    *READERS_LINES,
    *NATURAL_LINES,
)
"""All that is played by the bots that talk."""
