"""Words as KiloGram's measures count them: Treebank tokens, stems, and a fixed list of stop words.

Needs the extra ``language`` for NLTK's tokeniser and Porter's stemmer, neither of which downloads
anything.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from deixis.errors import extra

STOP_WORDS = frozenset(
    """i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself
    yourselves he him his himself she she's her hers herself it it's its itself they them their
    theirs themselves what which who whom this that that'll these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at
    by for with about against between into through during before after above below to from up down
    in out on off over under again further then once here there when where why how all any both
    each few more most other some such no nor not only own same so than too very s t can will just
    don don't should should've now d ll m o re ve y ain aren aren't couldn couldn't didn didn't
    doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't mustn mustn't
    needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn
    wouldn't""".split()
)
"""The 179 English stop words of NLTK as they were when the measures were published."""

_PLAIN = re.compile(r"[A-Za-z0-9 ]*")
"""In such texts nothing but a contraction such as "cannot" is cut within a word."""


@lru_cache(maxsize=100_000)
def treebank(text: str) -> tuple[str, ...]:
    """Tokens of the Penn Treebank's kind, as written.

    The text is taken as one sentence: only its last full stop stands apart.

    >>> treebank("a cat's b/w tail, isn't it.")
    ('a', 'cat', "'s", 'b/w', 'tail', ',', 'is', "n't", 'it', '.')
    """
    if _PLAIN.fullmatch(text) and not any(c.search(text) for c in _tokenizer().CONTRACTIONS2):
        return tuple(text.split())
    return tuple(_tokenizer().tokenize(text))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Porter's stem, with NLTK's extensions.

    >>> stem("ponies"), stem("kneeling")
    ('poni', 'kneel')
    """
    return str(_stemmer().stem(word))


@lru_cache(maxsize=100_000)
def stems(text: str, *, stop: bool = True) -> tuple[str, ...]:
    """Stems of the words of a text, in order, repeats kept.

    Lower case; tokens that hold a letter and no capital, or nothing but letters and digits; no stop
    words (tested before stemming); Porter's stem (Ji et al., EMNLP 2022).

    Args:
        text: as an annotator wrote it.
        stop: whether to leave out stop words.

    >>> stems("The man's running dogs (b/w), 2!")
    ('man', "'s", 'run', 'dog', 'b/w', '2')
    """
    tokens = treebank(text.lower())
    kept = [t for t in tokens if (t.islower() or t.isalnum()) and not (stop and t in STOP_WORDS)]
    return tuple(map(stem, kept))


@cache
def _tokenizer() -> Any:
    return extra("nltk.tokenize.destructive", "language").NLTKWordTokenizer()


@cache
def _stemmer() -> Any:
    return extra("nltk.stem.porter", "language").PorterStemmer()
