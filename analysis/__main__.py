"""`python -m analysis` is `analyze-dataset`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
