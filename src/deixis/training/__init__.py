"""One training loop for every model: it knows steps, and nothing of pictures or texts.

`recipe` holds the numbers of a training, `batches` the order of examples, `loop.fit` trains,
`checkpoint` and `weights` keep and read back, `randomness` draws initial weights.
"""
