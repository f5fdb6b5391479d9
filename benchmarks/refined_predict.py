"""Prediction by refined models, which read columns together, next to forests and boosting on the same rows.

All contestants use all cores. Boosting has a second try on one thread, and the quicker of both counts, because its
threads wait for each other on a busy machine. The peers read numbers: a category's code is its position among the
column's values, and gradient boosting is told which columns are categories. Encoding is outside the times of the peers.
deciban reads the table, with categories as the same codes and a dictionary ("codes"), or as text ("text").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from threadpoolctl import threadpool_limits

import deciban as db
from benchmarks.data import SEED
from benchmarks.measure import times_in_turns
from benchmarks.race import OWN
from benchmarks.report import Section, Target, number, slow_notes, time_cell

TRAINED_ROWS = 10_000
LABEL = "label"
FOREST, BOOSTING = "RandomForestClassifier(300)", "HistGradientBoostingClassifier()"
ON_ONE_THREAD = f"{BOOSTING}, one thread"
OF_FOREST, OF_BOOSTING = "× forest", "× boosting"
TARGETS = [Target("≥", 1, OF_FOREST), Target("≥", 1, OF_BOOSTING)]
# Values of a column of categories, at least and at most.
FEWEST_VALUES, MOST_VALUES = 3, 12


class Made(NamedTuple):
    """Rows of numbers, codes of categories, and classes."""

    numbers: NDArray[np.float64]
    codes: NDArray[np.int64]
    classes: NDArray[np.int64]

    @property
    def encoded(self) -> NDArray[np.float64]:
        """The columns as peers read them: numbers, then the codes of categories."""
        return np.hstack([self.numbers, self.codes.astype(float)])

    def table(self, as_text: bool) -> pa.Table:
        """Return the columns and the label as deciban reads them."""
        columns = {f"x{j}": pa.array(column) for j, column in enumerate(self.numbers.T)}
        for j, column in enumerate(self.codes.T):
            words = pa.array([f"value {code}" for code in range(MOST_VALUES)])
            coded = pa.DictionaryArray.from_arrays(pa.array(column.astype(np.int32)), words)
            columns[f"s{j}"] = coded.cast(pa.string()) if as_text else coded
        return pa.table({**columns, LABEL: pa.array([f"class {c}" for c in self.classes.tolist()])})

    def part(self, rows: slice) -> Made:
        """Return some of the rows."""
        return Made(*(array[rows] for array in self))


def make_rows(rows: int, numbers: int, categories: int, classes: int) -> Made:
    """Return rows whose numbers have a covariance of every class, and whose categories depend on their neighbours."""
    parameters, rng = np.random.default_rng(SEED), np.random.default_rng((SEED, 1))
    y = rng.integers(0, classes, rows)
    mixing = np.eye(numbers) + parameters.normal(0, 0.25, (classes, numbers, numbers))
    means = parameters.normal(0, 0.4, (classes, numbers))
    noise = rng.standard_normal((rows, numbers))
    x = np.empty((rows, numbers))
    for c in range(classes):
        x[y == c] = noise[y == c] @ mixing[c] + means[c]
    codes = np.empty((rows, categories), dtype=np.int64)
    for j in range(categories):
        values = int(parameters.integers(FEWEST_VALUES, MOST_VALUES + 1))
        own = rng.geometric(parameters.uniform(0.3, 0.5, classes)[y]) - 1
        follows = rng.random(rows) < 0.5 if j else np.zeros(rows, dtype=bool)
        shift = parameters.integers(0, values, classes)[y]
        codes[:, j] = np.where(follows, codes[:, j - 1] + shift, own) % values
    return Made(x, codes, y)


# Numbers, categories and classes of the tables.
SHAPES = {"mixed": (6, 8, 2), "numbers": (20, 0, 10), "categories": (0, 50, 3)}


def train_and_test(name: str, rows: int) -> tuple[Made, Made]:
    """Return rows of a shape to train on, and others to predict."""
    made = make_rows(TRAINED_ROWS + rows, *SHAPES[name])
    return made.part(slice(TRAINED_ROWS)), made.part(slice(TRAINED_ROWS, None))


class Fitted(NamedTuple):
    """A refined model, and what it reads together."""

    model: db.NaiveBayes
    tables: dict[str, pa.Table]

    @staticmethod
    def of(train: Made, test: Made) -> Fitted:
        """Return a default model of some rows, and the table of others in every form."""
        forms = {"codes": False, "text": True} if train.codes.size else {"numbers": False}
        tables = {form: test.table(as_text).drop_columns(LABEL) for form, as_text in forms.items()}
        return Fitted(db.NaiveBayes().fit(train.table(as_text=True), LABEL), tables)

    def tasks(self) -> dict[str, Callable[[], object]]:
        """Return the predictions of every form."""
        return {f"{OWN}, {form}": partial(self.model.predict, table) for form, table in self.tables.items()}

    def terms(self) -> str:
        """Return the number of pairs, and which joint normal distributions there are."""
        refinement = self.model.model_.refinement
        if refinement is None:
            return "not refined"
        weights = {"one covariance": refinement.shared_weight, "a covariance per class": refinement.class_weight}
        normals = [f"a normal distribution with {name}" for name, weight in weights.items() if weight]
        return ", ".join([f"{len(refinement.pairs)} pairs", *normals])


def peers(train: Made, test: Made) -> dict[str, Callable[[], object]]:
    """Return the predictions of the peers."""
    is_category = np.arange(train.encoded.shape[1]) >= train.numbers.shape[1]
    forest = RandomForestClassifier(300, random_state=SEED, n_jobs=-1).fit(train.encoded, train.classes)
    boosting = HistGradientBoostingClassifier(categorical_features=is_category, random_state=SEED)
    boosting.fit(train.encoded, train.classes)
    encoded = test.encoded
    return {
        FOREST: partial(forest.predict, encoded),
        BOOSTING: partial(boosting.predict, encoded),
        ON_ONE_THREAD: partial(predict_on_one_thread, boosting, encoded),
    }


def predict_on_one_thread(model: HistGradientBoostingClassifier, x: NDArray[np.float64]) -> object:
    with threadpool_limits(1):
        return model.predict(x)


def refined_predict(rows: int, repeats: int, peers_only: bool = False) -> Section:
    """Return the section on predictions of three tables."""
    header = ("table", "contestant", "time ms", "µs per row", OF_FOREST, OF_BOOSTING, "target", "reached")
    section = Section("refined-predict", f"predict, {rows:,} rows by models of {TRAINED_ROWS:,} rows", header)
    for name, shape in SHAPES.items():
        train, test = train_and_test(name, rows)
        tasks = peers(train, test)
        if not peers_only:
            fitted = Fitted.of(train, test)
            tasks = {**fitted.tasks(), **tasks}
            section.notes.append(f"{name}: the refined model has {fitted.terms()}.")
        add_race(
            section, f"{name}: {shape[0]} numbers, {shape[1]} categories, {shape[2]} classes", tasks, rows, repeats
        )
        section.notes.append(f"{name}: {accuracies(tasks, test)}.")
    return section


def add_race(section: Section, title: str, tasks: dict[str, Callable[[], object]], rows: int, repeats: int) -> None:
    """Add a row for every contestant of a table."""
    times = times_in_turns(tasks, repeats)
    best = {name: min(taken) for name, taken in times.items()}
    for name, t in best.items():
        figures = {OF_FOREST: best[FOREST] / t, OF_BOOSTING: min(best[BOOSTING], best[ON_ONE_THREAD]) / t}
        cells = section.verdict(f"{title}, {name}", figures, TARGETS if name.startswith(OWN) else ())
        line = [title, name, time_cell(times[name]), number(1e6 * t / rows), *map(number, figures.values())]
        section.rows.append([*line, *cells])
    section.notes += slow_notes(times.values())


def accuracies(tasks: dict[str, Callable[[], object]], test: Made) -> str:
    """Return the accuracies of all contestants."""
    found = []
    for name, task in tasks.items():
        if name == ON_ONE_THREAD:
            continue
        labels = np.array([str(label).removeprefix("class ") for label in np.asarray(task()).tolist()])
        found.append(f"{name} is right for {100 * np.mean(labels == test.classes.astype(str)):.1f} % of the rows")
    return ", ".join(found)
