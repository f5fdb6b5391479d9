"""Real tables and texts, read from the folder ``DECIBAN_DATA`` or from ``shared/data`` beside the project.

The folder has an ``index.json``. Tables are CSV files, texts are gzipped JSON Lines with "text" and "label".
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

DATA = Path(os.environ.get("DECIBAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
NO_DATA = f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it."
FOLDS = 10
# Documents of a large set that are trained on and tested on.
TRAIN, TEST = 8000, 5000


@dataclass(frozen=True)
class Table:
    """A data set: the frame as read, the class column, and the other columns that hold numbers or categories."""

    name: str
    frame: pd.DataFrame
    target: str
    numeric: list[str]
    nominal: list[str]


class Split(NamedTuple):
    """Texts and labels of a data set to train on, and others to test on."""

    name: str
    x: list[str]
    y: np.ndarray
    x_test: list[str]
    y_test: np.ndarray


def index_entries(kind: str) -> list[dict[str, Any]]:
    """Return the entries of the folder's index of one kind, "tabular" or "text"."""
    path = DATA / "index.json"
    listed = json.loads(path.read_text()) if path.exists() else []
    return [entry for entry in listed if entry["kind"] == kind]


def tables(names: Sequence[str] | None = None) -> Iterator[Table]:
    """Yield the tables with these names, by default all, that have a class with a row in each of ten folds.

    Tables that are not yielded are named on stderr.
    """
    index = {entry["name"]: entry for entry in index_entries("tabular") if entry["split"] != "test"}
    for name in index if names is None else names:
        if name not in index or not (DATA / index[name]["file"]).exists():
            print(f"{name}: skipped, it is not in {DATA}", file=sys.stderr)
        elif max(index[name]["classes"].values()) < FOLDS:
            print(f"{name}: skipped, no class has a row for each fold", file=sys.stderr)
        else:
            yield read_table(index[name])


def read_table(entry: dict[str, Any]) -> Table:
    """Return the table of an entry of the index."""
    frame = pd.read_csv(DATA / entry["file"], na_values=["?"])
    target = entry["class_column"]
    kinds = {column["name"]: column["type"] for column in entry["columns"] if column["name"] != target}
    numeric, nominal = ([name for name, kind in kinds.items() if kind == wanted] for wanted in ("numeric", "nominal"))
    return Table(entry["name"], frame, target, numeric, nominal)


def declared_columns(table: Table) -> pd.DataFrame:
    """Return the columns that the index declares as numbers or categories. Categories are strings or missing."""
    columns = table.frame[table.numeric + table.nominal].copy()
    names = columns[table.nominal]
    columns[table.nominal] = names.astype(object).where(names.isna(), names.astype(str))
    return columns


def splits() -> Iterator[Split]:
    """Yield every set of texts, split as its publishers did, or else with a stratified fifth to test on."""
    files: dict[str, dict[str, str]] = {}
    for entry in index_entries("text"):
        files.setdefault(entry["name"], {})[entry["split"]] = entry["file"]
    for name, parts in sorted(files.items()):
        rng = np.random.default_rng(0)
        if "train" in parts:
            yield Split(name, *read_sample(parts["train"], TRAIN, rng), *read_sample(parts["test"], TEST, rng))
        else:
            x, y = read_sample(next(iter(parts.values())), sys.maxsize, rng)
            x, x_test, y, y_test = train_test_split(x, y, test_size=0.2, random_state=0, stratify=y)
            yield Split(name, x, y, x_test, y_test)


def read_sample(file: str, most: int, rng: np.random.Generator) -> tuple[list[str], np.ndarray]:
    """Return texts and labels of a file, or a random sample of ``most`` if it has more than twice that number."""
    documents = list(read_documents([DATA / file]))
    if len(documents) > 2 * most:
        documents = [documents[i] for i in rng.permutation(len(documents))[:most]]
    return [text for text, _ in documents], np.array([label for _, label in documents])


def read_documents(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield text and label of every document of gzipped JSON Lines files."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for document in map(json.loads, lines):
                yield document["text"], document["label"]
