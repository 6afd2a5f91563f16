"""The papers' tables and figures, made anew.

A part's builder takes what was `asked` for and gives what was `Reproduced`, see
`deixis.reproduce.report`; ``deixis reproduce NAME`` prints it, and writes it with ``--out``.
"""

TABLE: dict[tuple[str, str], str] = {
    ("any", "cooperation"): "deixis.reproduce.cooperation.run:cooperation",
    ("any", "kilogram-fig9"): "deixis.reproduce.kilogram_fig9:kilogram_fig9",
    ("any", "nlvr"): "deixis.reproduce.nlvr:nlvr",
}
