"""Lint: what a benchmark's author looks for before release. One rule a file, in `rules`."""

TABLE = {
    ("any", "encoding"): "deixis.lint.rules.encoding:encoding",
    ("any", "near-texts"): "deixis.lint.rules.near_texts:near_texts",
    ("any", "near-pictures"): "deixis.lint.rules.near_pictures:near_pictures",
    ("any", "pictures"): "deixis.lint.rules.pictures:pictures",
    ("any", "splits"): "deixis.lint.rules.splits:splits",
    ("any", "files"): "deixis.lint.rules.files:files",
    ("any", "conflicts"): "deixis.lint.rules.conflicts:conflicts",
    ("any", "annotators"): "deixis.lint.rules.annotators:annotators",
    ("reference", "near-silhouettes"): "deixis.lint.rules.near_silhouettes:near_silhouettes",
    ("reference", "part-count"): "deixis.lint.rules.part_count:part_count",
    ("statement", "balance"): "deixis.lint.rules.balance:balance",
    ("statement", "blind"): "deixis.lint.rules.blind:blind_statements",
    ("choice", "blind"): "deixis.lint.rules.blind:blind_choices",
    ("choice", "position"): "deixis.lint.rules.position:position",
}
