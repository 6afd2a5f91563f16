"""What the neural players share: transforms, checkpoints, tokens, batches that fit the memory."""
