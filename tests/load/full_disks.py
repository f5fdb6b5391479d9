"""Programs that write to a full disk: one clear error, the old file stays, and no part of the new one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from killed_programs import PROGRAM

OLD = b"old\n"
KINDS = ("csv", "tsv", "jsonl", "json", "parquet")


def write_commands(model: Path, rows: Path, folder: Path) -> dict[Path, list[str]]:
    """Return commands that write a large file, by the file."""
    made = {
        folder / "fitted.deciban": ["fit", rows, "-t", "y", "-o"],
        folder / "updated.deciban": ["update", model, rows, "-o"],
        **{folder / f"p.{kind}": ["predict", model, rows, "--proba", "-o"] for kind in KINDS},
    }
    return {path: [*PROGRAM, *map(str, words), str(path)] for path, words in made.items()}


@contextmanager
def file_size_limit(size: int | None) -> Iterator[None]:
    """Let this process and its children write no file beyond a size, the portable picture of a full disk."""
    import resource  # absent on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def check_full(path: Path, command: list[str], size: int | None = None) -> str:
    """Run a command that cannot write its file; return its error."""
    for old in (None, OLD):
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_bytes(old)
        with file_size_limit(size):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode > 0, f"{path.name} was not written, and the exit code is {done.returncode}"
        assert "Traceback" not in done.stderr
        errors = [line for line in done.stderr.splitlines() if line.startswith("Error")]
        assert len(errors) == 1, done.stderr
        assert (path.read_bytes() if path.exists() else None) == old, f"{path.name} was changed"
        left = [p.name for p in path.parent.iterdir() if p.name.endswith(".part")]
        assert not left, f"{left} was left"
    path.unlink()
    return errors[0]


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path | None]:
    """Yield a disk in memory that holds little, None where this process may not mount one."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)
