"""How much a picture's classes tell of what people answer in VisPro's dialogs, to a linear model.

DEIXIS_DATA=DIR python benchmarks/answers.py

Questions that people answered in more than one way, by those who began their answer with yes or no:
which of the two it was. Five folds of dialogs, those of seed 0 of the study; logistic regressions
of strength 1 (on dialogs held out of training, 0.3 to 3 are as good) from

* words of the question, and pairs of them
* the same, and the classes of objects in the picture
* the same, and each word of the question with each class
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from scipy import sparse

from deixis.players.common.crossfit import deal, folds_of
from deixis.reproduce.cooperation.answers import Asked, bare
from deixis.reproduce.cooperation.presets import PRESETS
from deixis.stats.clustered import t_intervals
from deixis.stats.logistic import Logistic
from deixis.text.bags import Bags
from deixis.text.tfidf import Tfidf
from deixis.trials import opaque

FOLDS = 5
SIGNS = {"yes": True, "no": False}


def products(left, right):
    """Every column of one with every column of the other, row by row."""
    rows = [sparse.kron(left[[i]], right[[i]], format="csr") for i in range(left.shape[0])]
    return sparse.csr_array(sparse.vstack(rows))


def main():
    task = PRESETS["vispro"].tasks(Path(os.environ["DEIXIS_DATA"]), None)[1]
    mixed = {bare(t.dialog.turns[-1].question) for t in Asked.of(task).rounds}
    fold_of = folds_of(task, deal(task, FOLDS, 0))
    said = [(t, turn) for t in task.trials for turn in t.dialog.turns]
    said = [(t, x, bare(x.answer).partition(" ")[0]) for t, x in said]
    said = [(t, x, first) for t, x, first in said if first in SIGNS]
    fold = np.array([fold_of[opaque(t.id)] for t, _, _ in said])
    asked = np.array([bare(x.question) in mixed for _, x, _ in said])
    yes = np.array([SIGNS[first] for _, _, first in said])
    questions = [bare(x.question) for _, x, _ in said]
    classes = task.store.vectors([t.image for t, _, _ in said]).astype(float)
    classes /= np.maximum(np.linalg.norm(classes, axis=1, keepdims=True), 1)
    classes = sparse.csr_array(classes)
    right = np.zeros((3, len(said)))
    for k in range(FOLDS):
        train, test = np.flatnonzero(fold != k), np.flatnonzero((fold == k) & asked)
        known = [questions[i] for i in train]
        words = Bags.of(known)([[q] for q in questions])
        alone = Tfidf.fit(known)(questions)
        seen = sparse.csr_array(sparse.hstack([alone, classes]))
        joint = sparse.csr_array(sparse.hstack([seen, products(words, classes)]))
        for line, features in enumerate((alone, seen, joint)):
            model = Logistic.fit(features[train], yes[train], strength=1.0)
            right[line, test] = (model.odds(features[test]) > 0) == yes[test]
    clusters = np.array([t.id for t, _, _ in said])[asked]
    found = t_intervals(right.T[asked], clusters, np.eye(3))
    print(f"{asked.sum()} questions, {max(yes[asked].mean(), 1 - yes[asked].mean()):.1%} one way")
    names = ("question", "question, classes", "question, classes, products")
    for name, *row in zip(names, found.estimates, found.low, found.high, strict=True):
        print(f"{name:30} {row[0]:6.1%}   {row[1]:.1%} to {row[2]:.1%}")
    gains = t_intervals(right.T[asked], clusters, np.array([[-1.0, 1, 0], [-1, 0, 1]]))
    for name, *row in zip(names[1:], gains.estimates, gains.low, gains.high, strict=True):
        print(f"{name + ': gain':30} {row[0]:6.1%}   {row[1]:.1%} to {row[2]:.1%}")


if __name__ == "__main__":
    main()
