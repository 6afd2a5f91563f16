"""Layouts from trees: one tree of each form."""

from __future__ import annotations

import pytest

from deixis.text.treelayout import layout_of
from deixis.text.trees import read_tree

THERE = "(NP (EX There)) (VP (VBZ is)"
DOG, CAT = "(NP (DT a) (JJ brown) (NN dog))", "(NP (DT a) (NN cat))"
SOFA = "(PP (IN on) (NP (DT a) (NN sofa)))"
FORMS = {
    f"(S {THERE} {DOG}))": "exist(find[brown dog])",
    f"(ROOT (S {THERE} (NP {DOG} {SOFA})) (. .)))": (
        "exist(and(find[brown dog], transform[on](find[sofa])))"
    ),
    f"(S {THERE} {DOG} {SOFA}))": "exist(and(find[brown dog], transform[on](find[sofa])))",
    f"(S {THERE} (NP {DOG} (CC and) {CAT})))": "both(exist(find[brown dog]), exist(find[cat]))",
    f"(S {THERE} (NP {DOG} (CC or) {CAT})))": "either(exist(find[brown dog]), exist(find[cat]))",
    f"(S {THERE} (RB not) {CAT}))": "not(exist(find[cat]))",
    f"(S {THERE} (NP (DT no) (NN cat))))": "not(exist(find[cat]))",
    f"(S {THERE} (NP (QP (IN at) (JJS least) (CD two)) (NNS cats))))": (
        "count[at least two](find[cats])"
    ),
    f"(S {THERE} (NP (JJR more) (NNS dogs) (PP (IN than) (NP (NNS cats))))))": (
        "more(find[dogs], find[cats])"
    ),
    f"(S {DOG} (VP (VBZ sits) {SOFA}))": ("exist(and(find[brown dog], transform[on](find[sofa])))"),
    f"(S {DOG} (VP (VBZ holds) {CAT}))": (
        "exist(and(find[brown dog], transform[holds](find[cat])))"
    ),
    "(S (NP (DT All) (NNS dogs)) (VP (VBP are) (ADJP (JJ brown))))": (
        "all(find[dogs], find[brown])"
    ),
    f"(S (NP (DT The) (JJ left) (NN image)) (VP (VBZ contains) {DOG}))": (
        "exist(filter[left image](find[brown dog]))"
    ),
    "(S (NP (QP (RB exactly) (CD one)) (NN image)) (VP (VBZ shows) (NP (CD two) (NNS cats))))": (
        "boxes[exactly one](count_in[exactly two](find[cats]))"
    ),
    f"(S (NP (DT Each) (NN image)) (VP (VBZ has) {CAT}))": "boxes[each](exist_in(find[cat]))",
    f"(S (S {THERE} {DOG})) (CC and) (S {THERE} {CAT})))": (
        "both(exist(find[brown dog]), exist(find[cat]))"
    ),
    f"(S {THERE} {CAT} (PP (IN in) (NP (DT the) (JJ right) (NN image)))))": (
        "exist(filter[right image](find[cat]))"
    ),
    "(NP (CD two) (NNS cats))": "count[exactly two](find[cats])",
}


@pytest.mark.parametrize("tree", FORMS)
def test_forms(tree: str) -> None:
    assert str(layout_of(read_tree(tree))) == FORMS[tree]


@pytest.mark.parametrize("tree", ["(S (VP (VB Go)))", f"(S {THERE} (ADVP (RB here))))"])
def test_no_form(tree: str) -> None:
    assert layout_of(read_tree(tree)) is None
