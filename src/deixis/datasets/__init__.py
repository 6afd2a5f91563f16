"""Loaders of published datasets, one file each; a loader takes a folder and gives a Dataset."""

TABLE = {
    ("reference", "kilogram"): "deixis.datasets.kilogram:kilogram",
    ("guessing", "chatir"): "deixis.datasets.chatir:chatir",
    ("guessing", "visdial"): "deixis.datasets.visdial:visdial",
    ("guessing", "vispro"): "deixis.datasets.vispro:vispro",
}
