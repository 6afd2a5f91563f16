"""Loaders of published datasets, one file each; a loader takes a folder and gives a Dataset."""

TABLE = {
    ("reference", "kilogram"): "deixis.datasets.kilogram:kilogram",
    ("statement", "nlvr"): "deixis.datasets.nlvr:nlvr",
    ("statement", "nlvr2"): "deixis.datasets.nlvr2:nlvr2",
    ("guessing", "chatir"): "deixis.datasets.chatir:chatir",
    ("guessing", "visdial"): "deixis.datasets.visdial:visdial",
    ("answering", "visdial-answers"): "deixis.datasets.visdial_answers:visdial_answers",
    ("guessing", "vispro"): "deixis.datasets.vispro:vispro",
}
