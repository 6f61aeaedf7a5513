"""``python -m misieve`` is ``misieve``."""

import sys

from misieve.cli import main

if __name__ == "__main__":
    sys.exit(main())
