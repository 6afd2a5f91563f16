"""``python -m deixis``."""

import sys

from deixis.cli import main

if __name__ == "__main__":
    sys.exit(main())
