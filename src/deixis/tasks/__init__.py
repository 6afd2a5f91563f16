"""Tasks: trials of one kind, their channels, and what a reader sees of them.

For each kind, ``task`` makes a task from a dataset and ``kind`` says what such tasks are like.
"""

TABLE = {
    ("reference", "task"): "deixis.tasks.reference:reference",
    ("reference", "kind"): "deixis.tasks.reference:REFERENCE",
    ("statement", "task"): "deixis.tasks.statement:statement",
    ("statement", "kind"): "deixis.tasks.statement:STATEMENT",
    ("guessing", "task"): "deixis.tasks.guessing:guessing",
    ("guessing", "kind"): "deixis.tasks.guessing:GUESSING",
    ("answering", "task"): "deixis.tasks.answering:answering",
    ("answering", "kind"): "deixis.tasks.answering:ANSWERING",
    ("choice", "task"): "deixis.tasks.choice:choice",
    ("choice", "kind"): "deixis.tasks.choice:CHOICE",
}
