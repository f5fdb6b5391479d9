"""The origin of a report: versions, the model file and its digest, the data, and the command."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import deciban
from deciban.files.model_file import write_model
from deciban.model.classifier import Classifier

# Packages whose versions matter to the numbers and pictures.
PACKAGES = ("numpy", "scipy", "pyarrow", "matplotlib", "jinja2")


@dataclass(frozen=True)
class Origin:
    """The origin of a report: command, files, digests and versions."""

    command: str = ""  # as the user would type it
    model: str = ""  # the model's file
    digest: str = ""  # SHA-256 of the model's file
    data: str = ""  # the data's files

    def rows(self) -> list[list[str]]:
        """Return names and values for a table."""
        versions = [f"deciban {deciban.__version__}", f"Python {platform.python_version()}"]
        versions += [f"{name} {found}" for name in PACKAGES if (found := installed_version(name))]
        entries = {
            "command": self.command,
            "model": self.model,
            "SHA-256 of the model": self.digest,
            "data": self.data,
            "versions": ", ".join(versions),
        }
        return [[name, value] for name, value in entries.items() if value]


def installed_version(package: str) -> str | None:
    """Return the version of a package, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


class DigestFile:
    """A file that keeps nothing but the SHA-256 of the bytes written to it."""

    def __init__(self) -> None:
        self.sha = hashlib.sha256()

    def write(self, data: Any) -> None:
        """Take bytes."""
        self.sha.update(data)


def model_digest(classifier: Classifier) -> str:
    """Return the SHA-256 of the file that saving the model would write, without remembered rows."""
    file = DigestFile()
    write_model(classifier, file)
    return file.sha.hexdigest()


def file_digest(path: Any) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
