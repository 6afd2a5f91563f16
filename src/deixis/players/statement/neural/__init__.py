"""What the neural players of statements share: eyes, words, batches, training, modules."""
