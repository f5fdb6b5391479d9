"""Fit from a file that is read in batches, next to a plain read of it.

``python -m benchmarks.big_file "deciban fit" FILE`` measures peak memory once, in bytes.
"""

from __future__ import annotations

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
from benchmarks.measure import fresh_process, times_in_turns
from benchmarks.memory import MB, free_memory, peak_bytes
from benchmarks.race import OWN
from benchmarks.report import Section, Target, number, slow_notes, time_cell

HEADER = ("contestant", "time ms", "× reads", "peak MB", "target", "reached")
NOTE = (
    "One read is the quicker of the two by pyarrow, from the page cache; "
    "peak memory is above what the imports take, in a process of its own."
)
TARGETS = [Target("≤", 1.3, "reads"), Target("≤", 500, "MB")]
# Rows of a row group, pyarrow's default. Files are also written in blocks of this size.
BLOCK_ROWS = 1 << 20
ROW_BYTES = {"csv": 174, "parquet": 84}

Reader = Callable[[Path], Any]


def fit(path: Path) -> db.NaiveBayes:
    return db.NaiveBayes(alpha=1.0, calibrate=False).fit(path, LABEL)


def fit_words(path: Path) -> db.NaiveBayes:
    return db.NaiveBayes({"text": db.Words()}).fit(path, LABEL)


def fit_default(path: Path) -> db.NaiveBayes:
    return db.NaiveBayes().fit(path, LABEL)


def drain(batches: Iterable[pa.RecordBatch]) -> int:
    """Return the number of rows. A batch is freed when the next one is read, as in a fit."""
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
FIT_WORDS = {f"{OWN} fit of Words()": fit_words, f"{OWN} fit without options": fit_default}


def big_file(kind: str, size: float, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on a file of about ``size`` bytes."""
    with TemporaryDirectory() as folder:
        path = Path(folder, f"rows.{kind}")
        rows = int(size / ROW_BYTES[kind])
        write_file(path, rows, kind)
        description = f"{path.stat().st_size / MB:,.0f} MB, {rows:,} rows of numbers, strings and bools"
        section = Section(f"tables-{kind}", description, HEADER)
        add_rows(section, path, READS[kind] if peers_only else {**FIT, **READS[kind]}, repeats)
    section.notes.append(NOTE)
    return section


csv_file, parquet_file = partial(big_file, "csv"), partial(big_file, "parquet")


def add_rows(section: Section, path: Path, readers: Mapping[str, Reader], repeats: int) -> None:
    """Add a row per reader: its time, also as a multiple of the quickest plain read, and its peak memory."""
    times = times_in_turns({name: partial(reader, path) for name, reader in readers.items()}, repeats)
    one_read = min(min(seconds) for name, seconds in times.items() if name not in FIT)
    for name, seconds in times.items():
        figures = {"reads": min(seconds) / one_read, "MB": fresh_peak(name, path) / MB}
        cells = section.verdict(name, figures, TARGETS if name in FIT else ())
        section.rows.append([name, time_cell(seconds), *map(number, figures.values()), *cells])
    section.notes += slow_notes(times.values())


def blocks(rows: int) -> Iterator[pa.Table]:
    """Yield tables with this number of rows in all, at most BLOCK_ROWS at a time."""
    for block, begin in enumerate(range(0, rows, BLOCK_ROWS)):
        yield mixed(min(BLOCK_ROWS, rows - begin), block)


WRITERS = {"csv": csv.CSVWriter, "parquet": parquet.ParquetWriter}


def write_file(path: Path, rows: int, kind: str) -> None:
    """Write random rows block by block."""
    with WRITERS[kind](path, mixed(1).schema) as writer:
        for block in blocks(rows):
            writer.write_table(block)


def fresh_peak(name: str, path: Path) -> int:
    """Return the peak memory of a reader in a new process, in bytes."""
    return int(fresh_process("-m", "benchmarks.big_file", name, str(path)))


def measure_reader(name: str, path: Path) -> int:
    """Return the peak memory of a reader in this process, in bytes."""
    reader = {**FIT, **FIT_WORDS, **READS.get(path.suffix[1:], {})}[name]
    # deciban imports a name when it is first used; imports do not count as memory of the fit.
    db.NaiveBayes()
    free_memory()
    return peak_bytes(partial(reader, path))


if __name__ == "__main__":
    print(measure_reader(sys.argv[1], Path(sys.argv[2])))
