"""Image-text models of transformers, in this process, as players."""
