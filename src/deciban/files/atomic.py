"""Files that appear complete or not at all, with the permissions of the file that they replace."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

DISK_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
# Permissions of a file that will replace another, while it is written: only its owner may read it.
PRIVATE = 0o600


def write_whole(path: Path, write: Callable[[Path], Any]) -> None:
    """Let ``write`` make a file beside ``path`` and put it in place once complete; the old file stays until then.

    A link stays a link: the file that it points to is replaced. A new file has the permissions that the umask gives. A
    file that replaces another has its mode, and its owner and group as far as the system allows it.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe or a device is written to, not replaced
        write(path)
        return
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give a file name")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} to write {path.name} to")
    replaced = path.stat() if path.exists() else None
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        if replaced is not None:
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        write(temporary)
        if replaced is not None:
            take_permissions(temporary, replaced)
        sync(temporary)
        os.replace(temporary, path)
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise OSError(error.errno, f"{error.strerror}; nothing was written", str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def take_permissions(path: Path, replaced: os.stat_result) -> None:
    """Give a file the mode of another, and its owner and group where the system has them and allows it."""
    if os.name == "posix":
        for owner, group in ((-1, replaced.st_gid), (replaced.st_uid, -1)):
            with suppress(PermissionError):
                os.chown(path, owner, group)
    os.chmod(path, stat.S_IMODE(replaced.st_mode))


def sync(path: Path) -> None:
    """Wait until a file is on the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the entries of a folder are on the disk, if the system can open a folder."""
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
