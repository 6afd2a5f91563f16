"""Loaders of published datasets, one file each; a loader takes a folder and gives a Dataset."""

TABLE = {
    ("reference", "kilogram"): "deixis.datasets.kilogram:kilogram",
    ("guessing", "vispro"): "deixis.datasets.vispro:vispro",
}
