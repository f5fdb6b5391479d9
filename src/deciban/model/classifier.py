"""Classifier: columns, statistics and settings, and from them the model; what estimators, files and clusters share."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Floats, Labels, Names
from deciban.arrays.matrix import Matrix, Sparse, block_rows, densify, rows_of, rowwise
from deciban.arrays.parallel import map_blocks, row_blocks, thread_count
from deciban.errors import ColumnWarning
from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import CALIBRATIONS, Calibration, Isotonic
from deciban.model.missing import Holes
from deciban.model.model import Columns, Model, Part, take
from deciban.model.schema import LABEL, LABEL_KINDS, TEXT, Column, Schema
from deciban.priors.priors import Estimation, class_log_prior, log_class_weight
from deciban.statistics import Block, Statistics


@dataclass(frozen=True, eq=False)
class Group:
    """Columns that share an event model and a block of statistics."""

    columns: Columns
    likelihood: Likelihood

    def read(self, x: Matrix | Frame) -> Any:
        """This group's columns, already taken, as the event model wants them."""
        if isinstance(x, Sparse):
            if self.likelihood.reads_sparse:
                return x
            x = densify(x)
        if isinstance(x, Frame) and self.likelihood.prepares and not self.likelihood.reads_names:
            x = x.numbers()  # to prepare columns is to compute with arrays
        return self.likelihood.prepare(self.likelihood.numbers(x))

    def positions(self, features: int) -> NDArray[np.int64]:
        """Which columns these are, of so many."""
        return np.arange(features)[slice(None) if self.columns is None else self.columns]

    @property
    def dense(self) -> bool:
        return not self.likelihood.reads_sparse

    def summarize(self, block: Matrix | Frame, labels: Labels, like: Block | None = None) -> Block:
        """The statistics of a block of rows, perhaps quicker with those of another."""
        x = self.read(take(block, self.columns))
        if like is None:
            return self.likelihood.summarize(x, labels)
        return self.likelihood.summarize_like(x, labels, like)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Group):
            return NotImplemented
        same_columns = type(self.columns) is type(other.columns) and np.array_equal(self.columns, other.columns)  # type: ignore[arg-type]
        return same_columns and self.likelihood.same_as(other.likelihood)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Settings:
    """Opinions: everything that may change after training without reading the data again."""

    how: Estimation = field(default_factory=Estimation)
    class_prior: Any = None
    threads: int | None = None
    strict: str | None = None  # refuse NaN on behalf of this estimator
    calibrate: str | None = None
    class_weight: Any = None  # how much a class matters: None, "balanced" or {label: weight}
    deployed: Any = None  # the class prior where the model is used, if it is another than that of the training rows

    def __post_init__(self) -> None:
        thread_count(self.threads)  # a bad number is an error before any row is read
        if self.calibrate is not None and not (isinstance(self.calibrate, str) and self.calibrate in CALIBRATIONS):
            raise ValueError(f"calibrate is {self.calibrate!r}; it can be None, {', '.join(map(repr, CALIBRATIONS))}.")


@dataclass(frozen=True)
class Chosen:
    """What was chosen on rows, where settings leave it open, and how many rows that were."""

    rows: int
    alpha: float | None = None
    likelihoods: tuple[Likelihood, ...] | None = None  # of every group, None: as they are
    # Columns that have an event model of their own, or none: they say nothing that others have not said.
    apart: tuple[tuple[int, Likelihood | None], ...] = ()
    holes: tuple[int, ...] = ()  # columns where it says something that a value is missing
    calibration: Calibration | None = None

    def or_else(self, other: Chosen) -> Chosen:
        """Of two choices that on more rows, and from the other what it left open."""
        first, second = (self, other) if self.rows >= other.rows else (other, self)
        return replace(
            first,
            alpha=second.alpha if first.alpha is None else first.alpha,
            calibration=second.calibration if first.calibration is None else first.calibration,
        )

    def __str__(self) -> str:
        """In words, for people."""
        parts = [] if self.alpha is None else [f"alpha {self.alpha:.3g}"]
        ignored = sum(likelihood is None for _, likelihood in self.apart)
        parts += [f"{_columns(ignored)} ignored"] if ignored else []
        parts += [f"holes of {_columns(len(self.holes))} count"] if self.holes else []
        parts += [] if self.calibration is None else [str(self.calibration)]
        return f"{', '.join(parts) or 'event models'} (chosen on {self.rows:,} rows)"


def _columns(number: int) -> str:
    return f"{number} column{'s' * (number != 1)}"


# What a classifier computes from its parts.
DERIVED = ("model", "seen", "scored", "log_prior", "shift", "holes")


@dataclass(frozen=True, eq=False)
class Classifier:
    """What was learned and how to read it; a value, so a failed update leaves the old one as it was.

    The model is estimated once, when first asked for.
    """

    groups: tuple[Group, ...]
    statistics: Statistics
    settings: Settings
    classes: Names | None = None  # declared beforehand; None: the classes seen
    schema: Schema | None = None  # the columns by name; None: an array's, by position
    chosen: Chosen | None = None

    @cached_property
    def reads(self) -> Schema | None:
        """The columns of the tables it reads; None where columns have no names. Texts without a table have names."""
        likelihood = self.groups[0].likelihood
        if self.schema is not None or not likelihood.reads_text or self.features != 1:
            return self.schema
        kind = LABEL_KINDS.get(self.statistics.classes.dtype.kind, "text")
        return Schema((Column(TEXT, "text", likelihood, "texts by themselves"),), LABEL, kind)

    @cached_property
    def model(self) -> Model:
        settings = self.settings
        parts = tuple(
            Part(group.columns, group.likelihood.estimate(block, self.how), group.read, group.dense)
            for group, block in self.scored
        )
        return Model(
            self.seen.classes,
            self.log_prior,
            parts,
            settings.threads,
            settings.strict,
            self.calibration,
            self.holes,
            self.shift,
            self.features,
        )

    @cached_property
    def scored(self) -> list[tuple[Group, Block]]:
        """The columns that count, under the event models that were chosen, and their statistics."""
        apart = {} if self.chosen is None else dict(self.chosen.apart)
        found: list[tuple[Group, Block]] = []
        for group, likelihood, block in zip(self.groups, self.likelihoods, self.seen.blocks):
            columns = group.positions(self.features) if apart else np.arange(0)
            own = [apart.get(j, likelihood) for j in columns.tolist()] or [likelihood]
            found += by_event_model(group, columns, block, own)
        return found

    @property
    def calibration(self) -> Calibration | None:
        """What was fitted, if settings want it; curves are for the classes they were fitted for, and no others."""
        if self.chosen is None or self.settings.calibrate is None:
            return None
        found = self.chosen.calibration
        if isinstance(found, Isotonic) and found.classes != tuple(self.seen.classes.tolist()):
            return found.temperature
        return found

    @cached_property
    def holes(self) -> Holes | None:
        if self.chosen is None or not self.chosen.holes:
            return None
        return Holes.of(self.seen, self.places, self.chosen.holes)

    @property
    def places(self) -> list[Columns]:
        """The columns of every group."""
        return [group.columns for group in self.groups]

    @cached_property
    def seen(self) -> Statistics:
        """The statistics of all classes, those declared beforehand included."""
        return self.statistics if self.classes is None else self.statistics.on(self.classes)

    @property
    def how(self) -> Estimation:
        """How parameters are estimated, with the pseudo-count that was chosen."""
        how = self.settings.how
        if not how.open:
            return how
        alpha = None if self.chosen is None else self.chosen.alpha
        return replace(how, alpha=1.0 if alpha is None else alpha)

    @property
    def likelihoods(self) -> tuple[Likelihood, ...]:
        """The event model of every group, as it was chosen."""
        chosen = None if self.chosen is None else self.chosen.likelihoods
        return tuple(group.likelihood for group in self.groups) if chosen is None else chosen

    @cached_property
    def log_prior(self) -> Floats:
        return class_log_prior(self.settings.class_prior, self.seen.classes, self.seen.weight, self.how)

    @cached_property
    def shift(self) -> Floats | None:
        """What the classes' weights and their frequency in use add to the logarithm of their posteriors."""
        settings, classes = self.settings, self.seen.classes
        if settings.class_weight is None and settings.deployed is None:
            return None
        used = self.log_prior
        if settings.deployed is not None:
            used = np.broadcast_to(
                class_log_prior(settings.deployed, classes, self.seen.weight, self.how), used.shape
            ).copy()
        # A class that was impossible in training stays so.
        shift = used - np.where(np.isfinite(self.log_prior), self.log_prior, 0.0)
        shift = np.where(np.isfinite(self.log_prior), shift, 0.0)
        if settings.class_weight is not None:
            shift = shift + log_class_weight(settings.class_weight, classes, used)
        return shift

    def add(self, statistics: Statistics) -> Classifier:
        return replace(self, statistics=self.statistics + statistics)

    def subtract(self, statistics: Statistics) -> Classifier:
        return replace(self, statistics=self.statistics - statistics)

    def merged(self, other: Classifier) -> Classifier:
        """With what another classifier of the same columns has learned."""
        if self.groups != other.groups or self.features != other.features or _names(self) != _names(other):
            raise ValueError(
                f"models of different columns do not merge: {self.describe()} against {other.describe()}"
                f"{_difference(self, other)}; pass the same columns= to both (--like on the command line) and keep the "
                "columns in one order."
            )
        both = [c.chosen for c in (self, other) if c.chosen is not None]
        chosen = both[0].or_else(both[1]) if len(both) == 2 else next(iter(both), None)
        return replace(self.add(other.statistics), chosen=chosen)

    @property
    def features(self) -> int:
        return sum(block.features for block in self.statistics.blocks)

    def describe(self) -> str:
        """The columns in a few words."""
        names = [name for name, _ in _names(self)]
        first = ", ".join(names[:3]) + (", …" if len(names) > 3 else "") if names else "unnamed"
        kinds = dict.fromkeys(str(group.likelihood) for group in self.groups)
        return f"{self.features} columns ({first}) under {', '.join(kinds)}"

    def under(self, event_models: dict[int, Likelihood]) -> Classifier:
        """The same statistics under other event models of columns, which must be of the same facts."""
        parts: list[tuple[Group, Block]] = []
        for group, block in zip(self.groups, self.statistics.blocks):
            columns = group.positions(self.features)
            own = [event_models.get(j, group.likelihood) for j in columns.tolist()]
            for kind in unique(own):
                if not kind.reads_like(group.likelihood):
                    raise ValueError(
                        f"{kind} needs other facts than {group.likelihood} has kept; what can change after training is "
                        f"{', '.join(group.likelihood.opinions)}. Fit again for anything else."
                    )
            if len(unique(own)) > 1 and group.likelihood.joins_columns:
                raise ValueError(f"columns joined under {group.likelihood} share one event model; give them all one.")
            parts += by_event_model(group, columns, block, own)
        schema = self.schema
        if schema is not None:
            found = dict(zip(schema.names, (event_models.get(j) for j in range(self.features))))
            used = tuple(replace(c, likelihood=found.get(c.name) or c.likelihood) for c in schema.columns)
            schema = replace(schema, columns=used)
        chosen = None if self.chosen is None else replace(self.chosen, likelihoods=None, apart=())
        statistics = replace(self.statistics, blocks=tuple(block for _, block in parts))
        groups = tuple(group for group, _ in parts)
        return replace(self, groups=groups, statistics=statistics, schema=schema, chosen=chosen)

    def with_settings(self, settings: Settings) -> Classifier:
        return replace(self, settings=settings)

    def __getstate__(self) -> dict[str, Any]:
        """Statistics travel, the model is estimated again where it is needed."""
        return {name: value for name, value in self.__dict__.items() if name not in DERIVED}


def summarize(
    x: Matrix | Frame,
    names: Names,
    labels: Labels,
    groups: tuple[Group, ...],
    threads: int | None,
    like: Sequence[Block] | None = None,
) -> Statistics:
    """The statistics of a batch: blocks of rows, each summarised from zero, added in order.

    The cut into blocks depends on the shape of the data alone, so the result is the same for any number of threads.
    ``like``, the statistics of other rows of these columns, changes nothing but the time it takes.
    """

    def one(begin: int, end: int) -> tuple[Floats, list[Block]]:
        nonlocal like
        block, who = rows_of(x, begin, end), labels.block(begin, end)
        blocks = [group.summarize(block, who, like[i] if like else None) for i, group in enumerate(groups)]
        like = blocks
        return who.class_weight(), blocks

    dense = not all(group.likelihood.reads_sparse for group in groups)
    x = rowwise(x, dense)
    state = len(names) * x.shape[1]
    size = x.summary_rows(state) if isinstance(x, Frame) else block_rows(x, state, dense)
    parts = map_blocks(one, row_blocks(x.shape[0], size), threads)
    weight, blocks = next(parts)
    for more, others in parts:
        weight = weight + more
        blocks = [a.absorb(b) for a, b in zip(blocks, others)]
    return Statistics(names, weight, tuple(blocks)).without_empty()


def by_event_model(
    group: Group, columns: NDArray[np.int64], block: Block, own: Sequence[Likelihood | None]
) -> list[tuple[Group, Block]]:
    """The columns of a group and their statistics, apart where they have event models of their own."""
    kinds = unique(own)
    if len(kinds) == 1 and None not in own:
        return [(Group(group.columns, kinds[0]), block)]
    places = [np.array([i for i, other in enumerate(own) if kind.same_as(other)]) for kind in kinds]
    return [(Group(columns[some], kind), block.only(some)) for kind, some in zip(kinds, places)]


def unique(likelihoods: Sequence[Likelihood | None]) -> list[Likelihood]:
    """Each once, in the order they come; None for those that say nothing."""
    found: list[Likelihood] = []
    for likelihood in likelihoods:
        if likelihood is not None and not any(likelihood.same_as(other) for other in found):
            found.append(likelihood)
    return found


def _names(classifier: Classifier) -> list[tuple[str, str]]:
    return [] if classifier.schema is None else [(c.name, c.kind) for c in classifier.schema.used]


def _difference(a: Classifier, b: Classifier) -> str:
    """The first column that two schemas read differently."""
    if a.schema is None or b.schema is None:
        return ""
    theirs = {c.name: c for c in b.schema.used}
    for column in a.schema.used:
        other = theirs.get(column.name)
        if other is not None and (other.kind, str(other.likelihood)) != (column.kind, str(column.likelihood)):
            mine = f"{column.likelihood} of {column.kind}"
            return f" ({column.name!r} is {mine} in one and {other.likelihood} of {other.kind} in the other)"
    return ""


def empty(groups: tuple[Group, ...], features: int) -> Statistics:
    """No rows yet."""
    return Statistics.zero(*(g.likelihood.keeps.zero(g.positions(features).size) for g in groups))


def warn_of_class_prior(classifier: Classifier, stacklevel: int) -> None:
    """Before a class prior decides alone that nobody asked for."""
    small = [group.likelihood for group in classifier.groups if group.likelihood.outweighed]
    if small and classifier.settings.class_prior is None:
        warnings.warn(
            f"The scores of {small[0]} are small next to the class prior, which decides nearly alone; "
            "give class_prior='uniform' (--class-prior uniform), as for ComplementNB, which has none.",
            ColumnWarning,
            stacklevel=stacklevel + 1,
        )
