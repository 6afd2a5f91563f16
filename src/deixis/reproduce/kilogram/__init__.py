"""What the reproductions of KiloGram (Ji et al., EMNLP 2022) are made of."""
