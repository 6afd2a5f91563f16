"""Two players talk about a picture that one of them sees, and a third guesses which it is.

Interventions act inside the loop: each reader gets every round through `see`, so what is altered in
round r changes all that is said later. Transcripts keep what was said, not what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from deixis.errors import BadInput
from deixis.players.guessing.ranked import Prepared, ranked
from deixis.players.protocols import Answerer, Guesser, Questioner
from deixis.replies import Replies
from deixis.trials import Dialog, GuessTrial, GuessView, Turn

Seeing: TypeAlias = Callable[[GuessTrial, str], GuessView]
"""A trial as one reader gets it: ``functools.partial(see, task)``."""

_BETWEEN = "\t"
"""Stands between question and answer in a transcript."""


def converse(
    trials: Sequence[GuessTrial],
    questioner: Questioner,
    answerer: Answerer,
    guesser: Guesser,
    see: Seeing,
    rounds: int = 10,
    *,
    pool: Prepared | None = None,
) -> Replies:
    """Let two players talk, and rank the pool after the caption and after each round.

    Args:
        trials: pictures and captions; their human rounds are not shown to anybody.
        questioner: asks, and does not see the picture.
        answerer: sees it, and answers.
        guesser: reads.
        see: gives each reader what it gets of a trial, whose dialog is what was said so far.
        rounds: how many.
        pool: the trials' pools, where they were made ready for this guesser before.

    Returns:
        Replies whose raw text after each round is its turn, see `turn_of`.

    Raises:
        BadInput: somebody says nothing, or not as much as was asked for.
    """
    pool = pool or Prepared(guesser, trials)
    said = [replace(t, dialog=t.dialog.upto(0)) for t in trials]
    views = [see(t, "guesser") for t in said]
    parts = [pool.rank(trials, guesser.read([v.dialog for v in views]))]
    raw: list[list[str | None]] = [[None] * len(said)]
    for number in range(1, rounds + 1):
        questions = questioner.ask([see(t, "questioner") for t in said])
        said = _said(said, questions, number, "question")
        answers = answerer.answer([unanswered(see(t, "answerer")) for t in said])
        said = _said(said, answers, number, "answer")
        dialogs = [see(t, "guesser").dialog for t in said]
        parts.append(pool.rank(trials, guesser.read(dialogs)))
        raw.append([written(t.dialog.turns[-1]) for t in said])
    return ranked(views, parts, raw)


def unanswered(view: GuessView) -> GuessView:
    """The view with its last answer empty: no intervention answers for the answerer."""
    *before, last = view.dialog.turns
    return replace(view, dialog=Dialog(view.dialog.caption, (*before, Turn(last.question, ""))))


def written(turn: Turn) -> str:
    """A turn as it stands in the raw text of replies."""
    return f"{turn.question}{_BETWEEN}{turn.answer}"


def turn_of(raw: str) -> Turn:
    """Read what `written` wrote.

    >>> turn_of(written(Turn("is it big?", "no")))
    Turn(question='is it big?', answer='no')
    """
    question, _, answer = raw.partition(_BETWEEN)
    return Turn(question, answer)


def _said(
    trials: Sequence[GuessTrial], texts: Sequence[str], number: int, what: str
) -> list[GuessTrial]:
    """The trials with one more text in their dialogs."""
    if len(texts) != len(trials):
        raise BadInput(f"expected a {what} in each of {len(trials)} dialogs, got {len(texts)}")
    made = []
    for trial, text in zip(trials, texts, strict=True):
        if not text.strip():
            raise BadInput(f"round {number} of dialog {trial.id}: the {what} is empty")
        caption, turns = trial.dialog.caption, trial.dialog.turns
        if what == "question":
            turns = (*turns, Turn(text, ""))
        else:
            turns = (*turns[:-1], Turn(turns[-1].question, text))
        made.append(replace(trial, dialog=Dialog(caption, turns)))
    return made
