"""Public formats by name: what their columns mean. A TOML file may say ``format = "NAME"``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMATS: Mapping[str, Mapping[str, Any]] = {
    # The TSV files of VLMEvalKit: MMBench, MMStar, SEEDBench, ScienceQA, AI2D and many more.
    "vlmevalkit": {
        "kind": "multiple-choice",
        "answer-is": "letter",
        "picture-references": True,
        "columns": {
            "id": "index",
            "pictures": "image",
            "text": ["hint", "question"],
            "options": ["A", "B", "C", "D"],
            "answer": "answer",
        },
    },
    # Winoground (Thrush et al., CVPR 2022) as its Hugging Face dataset has it.
    "winoground": {
        "kind": "winoground",
        "columns": {
            "id": "id",
            "pictures": ["image_0", "image_1"],
            "captions": ["caption_0", "caption_1"],
        },
    },
    # NaturalBench (Li et al., NeurIPS 2024), unfolded to one row for each question and picture.
    "naturalbench": {
        "kind": "multiple-choice",
        "answer-is": "text",
        "columns": {
            "id": "id",
            "pictures": "image",
            "text": "question",
            "options": "options",
            "answer": "answer",
            "group": "group",
            "cluster": "group",
        },
    },
}
"""For each format, the keys of a TOML file that it stands for."""
