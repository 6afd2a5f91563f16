"""What the papers report: Table 6 (NLVR2) and Table 11 (NLVR) of Suhr et al., ACL 2019.

Figures with a question mark are known from memory and from what others quote of them; nothing
here could be checked against the paper itself. Majority rows follow from the released files.
"""

from __future__ import annotations

from collections.abc import Mapping

Row = tuple[str, str, str]
"""Train, dev and Test-P: accuracy/consistency in per cent, ± std over three runs."""

TABLE_6: Mapping[str, Row] = {
    "MAJORITY": ("50.8/2.1?", "50.9/3.9", "51.1/4.2"),
    "TEXT": ("50.8±0.0/2.1±0.0?", "50.9±0.0/3.9±0.0?", "51.1/4.2?"),
    "IMAGE": ("60.1±2.9/14.2±4.2?", "51.6±0.2/8.4±0.8?", "51.9/7.4?"),
    "CNN+RNN": ("94.3±3.3/84.5±10.2?", "53.4±0.4/12.4±0.8?", "52.4/11.0?"),
    "MAXENT": ("89.4/73.4?", "54.1/11.4?", "54.8/11.5?"),
    "N2NMN-CLONING": ("65.7±25.8/30.8±49.7?", "50.2±1.0/5.7±3.1?", "–"),
    "N2NMN-TUNE": ("96.5±1.6/94.9±0.4?", "50.0±0.7/9.8±0.5?", "–"),
    "N2NMN-RL": ("50.8±0.3/2.3±0.3?", "51.0±0.1/4.1±0.3?", "51.1/5.0?"),
    "FiLM": ("69.0±16.9/32.4±29.6?", "51.0±0.4/10.3±1.0?", "52.1/9.8?"),
    "MAC": ("87.4±0.8/64.0±1.7?", "50.8±0.6/11.0±0.2?", "51.4/11.4?"),
    "HUMAN": ("–", "96.2±2.1", "96.3±2.9"),
}

TABLE_11: Mapping[str, Row] = {
    "MAJORITY": ("–", "55.3/–", "56.2/–"),
    "TEXT": ("–", "56.6/–?", "57.2/–?"),
    "IMAGE": ("–", "55.4/–?", "56.1/–?"),
    "CNN+RNN": ("–", "56.6/–?", "58.0/–?"),
    "NMN": ("–", "63.1/–?", "66.1/–?"),
    "MAXENT": ("–", "68.0/–?", "67.7/–?"),
    "N2NMN": ("–", "65.3±0.4/–?", "69.1/–?"),
    "FiLM": ("–", "60.1±1.2/–?", "62.2/–?"),
    "MAC": ("–", "55.4±0.5/–?", "57.6/–?"),
    "HUMAN": ("–", "94.6/–", "95.4/–"),
}
