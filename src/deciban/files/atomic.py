"""Files that appear complete or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let ``write`` make a file beside ``path`` and put it in place once complete; an old one stays until then."""
    if path.is_fifo() or path.is_char_device():  # a pipe or a device is written to, not replaced
        write(path)
        return
    path = Path(os.path.realpath(path))  # through a link, to the file it stands for
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give a file name")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} to")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
