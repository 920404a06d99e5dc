"""``python -m graphcopy``: the command line."""

from __future__ import annotations

import sys

from .commands.running import main

if __name__ == "__main__":
    sys.exit(main())
