"""Trees in brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.text.trees import Tree, read_tree

WORDS = st.text("abcz'-", min_size=1, max_size=4)
LEAVES = st.builds(Tree, st.sampled_from(["NN", "DT", "VBZ"]), WORDS)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda label, children: Tree(label, "", tuple(children)),
        st.sampled_from(["NP", "S"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


def written(tree: Tree) -> str:
    if tree.word:
        return f"({tree.label} {tree.word})"
    return f"({tree.label} {' '.join(map(written, tree.children))})"


@given(TREES)
def test_reads_what_is_written(tree: Tree) -> None:
    assert read_tree(written(tree)) == tree


def test_functions_traces_and_outer_brackets() -> None:
    tree = read_tree("( (S (NP-SBJ-1 (-LRB- -LRB-) (NN dog)) (VP (VBZ is) (NP (-NONE- *-1)))) )")
    assert tree.label == ""
    assert tree.children[0].children[0].label == "NP"
    assert tree.words == ["(", "dog", "is"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(S (NN dog)", "ends too early"),
        ("(S (NN dog)))", r"closed before '\)'"),
        ("dog", r"expected \( before 'dog'"),
        ("(S (NN a) b)", "beside phrases"),
        ("(S (-NONE- *))", "holds no word"),
    ],
)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_tree(text)
