"""Any benchmark as a table: a small TOML file says what its columns are.

Parquet, Arrow, JSON lines, CSV and TSV files, folders of pictures, and folders of Hugging Face
datasets become questions with options: multiple choice, true or false, retrieval, Winoground.
"""
