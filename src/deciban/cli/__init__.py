"""The command line: every command is a thin layer over the library. Nothing heavy is imported before it is needed."""

import sys

try:
    from deciban.cli.main import main
except KeyboardInterrupt:  # interrupted during the imports, before cli/endings.py handles signals
    sys.exit(130)

__all__ = ["main"]
