"""Fit from a file that is read by batches, against a plain read of it.

``python -m benchmarks.big_file "deciban fit" FILE`` is one measurement of peak memory, in bytes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from pyarrow import csv, dataset, parquet

import deciban as db
from benchmarks.frames import LABEL, mixed
from benchmarks.measure import times_in_turns
from benchmarks.memory import MB, give_back, peak_bytes
from benchmarks.race import OWN, slow_notes, time_cell
from benchmarks.report import Section, Target, number

HEADER = ("contestant", "time ms", "× reads", "peak MB", "target", "reached")
NOTE = (
    "One read is the quicker of the two by pyarrow, from the page cache; "
    "peak memory is above what the imports take, in a process of its own."
)
TARGETS = [Target("≤", 1.3, "reads"), Target("≤", 500, "MB")]
# The row group that pyarrow writes by default; also how much of the file is in memory while it is made.
BLOCK_ROWS = 1 << 20
ROW_BYTES = {"csv": 174, "parquet": 84}

Reader = Callable[[Path], Any]


def fit(path: Path) -> db.NaiveBayes:
    return db.NaiveBayes(alpha=1.0, calibrate=False).fit(path, LABEL)


def fit_words(path: Path) -> db.NaiveBayes:
    return db.NaiveBayes({"text": db.Words()}).fit(path, LABEL)


def drain(batches: Iterable[pa.RecordBatch]) -> int:
    """Each batch is dropped when the next one comes, as in a fit."""
    return sum(batch.num_rows for batch in batches)


def open_csv(path: Path) -> int:
    return drain(csv.open_csv(path))


def iter_batches(path: Path) -> int:
    return drain(parquet.ParquetFile(path).iter_batches())


def to_batches(path: Path) -> int:
    return drain(dataset.dataset(path, format=path.suffix[1:]).to_batches())


READS: Mapping[str, Mapping[str, Reader]] = {
    "csv": {"pyarrow.csv.open_csv": open_csv, "pyarrow.dataset to_batches": to_batches},
    "parquet": {"pyarrow ParquetFile.iter_batches": iter_batches, "pyarrow.dataset to_batches": to_batches},
}
FIT = {f"{OWN} fit": fit}
FIT_WORDS = {f"{OWN} fit of Words()": fit_words}


def big_file(kind: str, size: float, repeats: int, peers_only: bool = False) -> Section:
    """``size`` in bytes, more or less."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"rows.{kind}")
        rows = int(size / ROW_BYTES[kind])
        WRITERS[kind](path, rows)
        description = f"{path.stat().st_size / MB:,.0f} MB, {rows:,} rows of numbers, strings and bools"
        section = Section(f"tables-{kind}", description, HEADER)
        add_rows(section, path, READS[kind] if peers_only else {**FIT, **READS[kind]}, repeats)
    section.notes.append(NOTE)
    return section


def add_rows(section: Section, path: Path, readers: Mapping[str, Reader], repeats: int) -> None:
    times = times_in_turns({name: partial(reader, path) for name, reader in readers.items()}, repeats)
    one_read = min(min(taken) for name, taken in times.items() if name not in FIT)
    for name, taken in times.items():
        figures = {"reads": min(taken) / one_read, "MB": fresh_peak(name, path) / MB}
        cells = section.verdict(name, figures, TARGETS if name in FIT else ())
        section.rows.append([name, time_cell(taken), *map(number, figures.values()), *cells])
    section.notes += slow_notes(times.values())


def blocks(rows: int) -> Iterator[pa.Table]:
    for block, begin in enumerate(range(0, rows, BLOCK_ROWS)):
        yield mixed(min(BLOCK_ROWS, rows - begin), block)


def write_csv(path: Path, rows: int) -> None:
    with csv.CSVWriter(path, mixed(1).schema) as writer:
        for block in blocks(rows):
            writer.write_table(block)


def write_parquet(path: Path, rows: int) -> None:
    with parquet.ParquetWriter(path, mixed(1).schema) as writer:
        for block in blocks(rows):
            writer.write_table(block)


WRITERS = {"csv": write_csv, "parquet": write_parquet}


def fresh_peak(name: str, path: Path) -> int:
    command = [sys.executable, "-m", "benchmarks.big_file", name, str(path)]
    return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def one_measurement(name: str, path: Path) -> int:
    reader = {**FIT, **FIT_WORDS, **READS.get(path.suffix[1:], {})}[name]
    # deciban loads a name when it is first used: an import, and nobody's peak.
    db.NaiveBayes()
    give_back()
    return peak_bytes(partial(reader, path))


if __name__ == "__main__":
    print(one_measurement(sys.argv[1], Path(sys.argv[2])))
