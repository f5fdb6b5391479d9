"""CPU time of a default fit, which chooses, next to scikit-learn's random forest; and of choosing on texts.

A fit of a table may cost as much CPU as ``RandomForestClassifier(n_estimators=100)`` on the same table, or a second if
that is more. The real tables together may cost as much as the forest. Choosing on texts may cost as much as counting
their words, or two seconds if that is more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import OrdinalEncoder

import deciban as db
from benchmarks import corpora
from benchmarks.data import SEED
from benchmarks.real_data import NO_DATA, Table, read_documents, tables
from benchmarks.report import Section, Target, announce, number

LABEL = "label"
# Seconds of CPU that a fit of a table, and choosing on texts, may always cost.
TABLE_SECONDS, TEXT_SECONDS = 1.0, 2.0
# Names of two figures: CPU time divided by what it may be.
OF_FOREST, OF_COUNTING = "× forest or 1 s", "× counting or 2 s"
TOGETHER = "× forest"
# Weights of the classes of the wide table, and shares of its columns by kind: constant, mostly 0, binary; others are
# numbers around a mean per class. The shape is that of the arrhythmia data of the UCI repository.
WIDE_CLASSES = (245, 44, 15, 15, 13, 25, 3, 2, 9, 50, 4, 5, 22)
WIDE_ROWS, WIDE_COLUMNS, WIDE_KINDS = 452, 279, (0.06, 0.44, 0.1, 0.4)
INCOMPLETE = {10: 0.05, 11: 0.05, 12: 0.05, 13: 0.8, 14: 0.05}
MANY_ROWS, MANY_COLUMNS, MANY_CLASSES = 6000, 9, 300
TEXTS, TEXT_CLASSES, TEXT_WORDS, OWN_WORDS = 20_000, 1000, 20_000, 0.3


class Costs(NamedTuple):
    """CPU seconds of deciban and of what it is compared with."""

    own: float
    other: float


def choosing_budget(repeats: int, peers_only: bool = False) -> Section:
    """Return the section on the CPU time of default fits."""
    header = ("data", "deciban CPU s", "forest or counting CPU s", "ratio to what it may cost", "target", "reached")
    section = Section("choosing-budget", "default fits, CPU seconds of all threads", header)
    if peers_only:
        return section
    db.NaiveBayes().fit(many_classes(100, 3), LABEL)  # imports
    found = real_tables(repeats)
    if found:
        total = Costs(sum(c.own for c in found.values()), sum(c.other for c in found.values()))
        add_row(section, f"{len(found)} real tables together", total, TOGETHER, total.own / total.other)
        ratios = {name: table_ratio(costs) for name, costs in found.items()}
        worst = max(ratios, key=ratios.__getitem__)
        add_row(section, f"the dearest of them, {worst}", found[worst], OF_FOREST, ratios[worst])
    else:
        section.notes.append(NO_DATA)
    for name, frame in (("wide", wide()), ("many classes", many_classes())):
        rows, columns, classes = len(frame), frame.shape[1] - 1, frame[LABEL].nunique()
        costs = table_costs(frame, LABEL, frame.drop(columns=LABEL), repeats)
        title = f"{name}: {rows:,} × {columns}, {classes} classes"
        add_row(section, title, costs, OF_FOREST, table_ratio(costs))
    for name, (texts, y) in corpora_of_texts(section).items():
        costs = text_costs(texts, y, repeats)
        add_row(section, f"choosing on {name}", costs, OF_COUNTING, costs.own / max(costs.other, TEXT_SECONDS))
    return section


def add_row(section: Section, name: str, costs: Costs, figure: str, ratio: float) -> None:
    announce(name)
    cells = section.verdict(name, {figure: ratio}, [Target("≤", 1, figure)])
    section.rows.append([name, number(costs.own), number(costs.other), number(ratio), *cells])


def cpu_seconds(task: Callable[[], Any], repeats: int) -> float:
    """Return the least CPU time of a task, all threads together."""
    spent = []
    for _ in range(min(repeats, 2)):
        begin = time.process_time()
        task()
        spent.append(time.process_time() - begin)
    return min(spent)


def table_ratio(costs: Costs) -> float:
    """Return the CPU time of deciban, divided by what a fit of a table may cost."""
    return costs.own / max(costs.other, TABLE_SECONDS)


def table_costs(frame: pd.DataFrame, target: str, encoded: pd.DataFrame, repeats: int) -> Costs:
    """Return the costs of a default fit, and of a forest on the same table with categories as numbers."""
    x, y = encoded.to_numpy(dtype=float), frame[target].astype(str)
    own = cpu_seconds(lambda: db.NaiveBayes().fit(frame, target).chosen_, repeats)
    forest = RandomForestClassifier(n_estimators=100, random_state=SEED)
    return Costs(own, cpu_seconds(lambda: forest.fit(x, y), repeats))


def text_costs(texts: list[str], y: np.ndarray, repeats: int) -> Costs:
    """Return the costs of choosing, which is a default fit without counting, and of counting."""
    counting = cpu_seconds(lambda: db.NaiveBayes(db.Words()).fit(texts, y), repeats)
    return Costs(cpu_seconds(lambda: db.NaiveBayes().fit(texts, y).chosen_, repeats) - counting, counting)


def real_tables(repeats: int) -> dict[str, Costs]:
    """Return the costs of every real table, none if there is no data."""
    return {table.name: table_costs(table.frame, table.target, encode(table), repeats) for table in tables()}


def encode(table: Table) -> pd.DataFrame:
    """Return the columns of a table as numbers, which is what a forest reads; missing categories are −1."""
    x = table.frame[table.numeric + table.nominal].copy()
    if table.nominal:
        names = x[table.nominal]
        texts = names.astype(object).where(names.isna(), names.astype(str))
        x[table.nominal] = OrdinalEncoder(encoded_missing_value=-1).fit_transform(texts)
    return x


def wide() -> pd.DataFrame:
    """Return few rows of many numbers: constant columns, columns that are mostly 0, and missing values."""
    rng = np.random.default_rng(SEED)
    classes, rows = len(WIDE_CLASSES), WIDE_ROWS
    y = rng.choice(classes, rows, p=np.array(WIDE_CLASSES) / sum(WIDE_CLASSES))
    columns = {}
    for j, kind in enumerate(rng.choice(len(WIDE_KINDS), WIDE_COLUMNS, p=WIDE_KINDS).tolist()):
        special = y == rng.integers(classes)
        sparse = np.where(rng.random(rows) < 0.1, rng.normal(8 * special, 10), 0.0)
        binary = (rng.random(rows) < 0.05 + 0.2 * special).astype(float)
        usual = rng.normal(50 + rng.normal(0, 6, classes)[y], 20)
        column = (np.zeros(rows), sparse, binary, usual)[kind].round(1)
        columns[f"a{j}"] = np.where(rng.random(rows) < INCOMPLETE.get(j, 0.0), np.nan, column)
    return pd.DataFrame({**columns, LABEL: [f"class{k:02d}" for k in y]})


def many_classes(rows: int = MANY_ROWS, classes: int = MANY_CLASSES) -> pd.DataFrame:
    """Return numbers around a mean of each of many classes."""
    rng = np.random.default_rng(SEED)
    y = np.arange(rows) % classes
    x = rng.normal(rng.normal(0, 2, (classes, MANY_COLUMNS))[y]).round(2)
    return pd.DataFrame({**{f"a{j}": x[:, j] for j in range(MANY_COLUMNS)}, LABEL: [f"class{k:03d}" for k in y]})


def corpora_of_texts(section: Section) -> dict[str, tuple[list[str], np.ndarray]]:
    """Return short texts of many classes, and the training posts of 20newsgroups if their file exists."""
    found = {f"{TEXTS:,} short texts in {TEXT_CLASSES:,} classes": short_texts()}
    if corpora.FILES[0].exists():
        documents = list(read_documents(corpora.FILES[:1]))
        found["20newsgroups"] = [text for text, _ in documents], np.array([label for _, label in documents])
    else:
        section.notes.append("Left out: 20newsgroups, which is not in the folder DECIBAN_DATA.")
    return found


def short_texts() -> tuple[list[str], np.ndarray]:
    """Return texts of 5 to 14 words by Zipf's law, some of them from twenty words of the text's class."""
    rng = np.random.default_rng(SEED)
    y = np.arange(TEXTS) % TEXT_CLASSES
    frequencies = np.arange(1, TEXT_WORDS + 1) ** -corpora.EXPONENT
    cumulated = frequencies.cumsum() / frequencies.sum()
    lengths = rng.integers(5, 15, TEXTS)
    common = np.searchsorted(cumulated, rng.random(lengths.sum()))
    own = (19 * np.repeat(y, lengths) + rng.integers(0, 20, lengths.sum())) % TEXT_WORDS
    words = np.where(rng.random(lengths.sum()) < OWN_WORDS, own, common)
    texts = [" ".join(f"w{i:x}" for i in part) for part in np.split(words, lengths.cumsum()[:-1])]
    return texts, np.array([f"class{k:04d}" for k in y])
