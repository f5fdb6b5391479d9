"""Predictions of slow contestants, computed once and kept in files of the folder ``build/accuracy``.

A file is valid as long as its key is: the table with a digest of its data, the contestant with its settings, the number
of folds, and the versions of the packages that took part. A file with another key is computed again and replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.real_data import FOLDS, Table, declared_columns
from benchmarks.scores import Predictions, cross_validate

FOLDER = Path(__file__).parents[1] / "build" / "accuracy"


@dataclass(frozen=True)
class KeptResults:
    """Predictions by table and contestant, read from files. With ``fresh`` all of them are computed again."""

    fresh: bool = False

    def predictions(
        self, table: Table, name: str, contestant: Any, packages: Sequence[str] = ("scikit-learn",)
    ) -> Predictions:
        """Return the predictions of a contestant that reads the declared columns of a table."""
        path = FOLDER / table.name / (re.sub(r"\W+", "-", name) + ".npz")
        key = result_key(table, name, contestant, packages)
        found = None if self.fresh else read_predictions(path, key)
        if found is None:
            found = cross_validate(contestant, declared_columns(table), table.frame[table.target])
            write_predictions(path, key, found)
        return found


def result_key(table: Table, name: str, contestant: Any, packages: Sequence[str]) -> str:
    """Return, as JSON, what predictions depend on."""
    key = {
        "table": table.name,
        "data": data_digest(table),
        "contestant": name,
        "settings": repr(contestant),
        "folds": FOLDS,
        "versions": {package: version(package) for package in packages},
    }
    return json.dumps(key)


def data_digest(table: Table) -> str:
    """Return a digest of the values of a table and of the types of its columns."""
    types = json.dumps([table.target, table.numeric, table.nominal])
    return hashlib.blake2b((types + table.frame.to_csv(index=False)).encode(), digest_size=16).hexdigest()


def read_predictions(path: Path, key: str) -> Predictions | None:
    """Return the predictions in a file, None if there is no file or it has another key."""
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as arrays:
        if str(arrays["key"]) != key:
            return None
        return Predictions(arrays["codes"], arrays["probabilities"], float(arrays["cpu_seconds"]))


def write_predictions(path: Path, key: str, predictions: Predictions) -> None:
    """Write predictions and their key. A program that is stopped meanwhile leaves no damaged file behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, key=np.array(key), **predictions._asdict())
    os.replace(unfinished, path)
