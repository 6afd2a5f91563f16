"""Sets of pictures to write about: queries, providers, similar pictures, pruning, its ledger."""
