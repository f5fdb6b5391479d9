"""Row sample: some of the rows that were trained on, which depend on nothing but which rows these were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.checks import check_array, check_names, check_weights, require
from deciban.arrays.frame import Frame
from deciban.arrays.kept_rows import KeptRows
from deciban.arrays.labels import Labels, recode
from deciban.arrays.names import union
from deciban.arrays.row_keys import LABEL_SEED, Keys, RowKeys, encode_cells, name_seed
from deciban.arrays.types import Codes, Floats, Longs, Names
from deciban.statistics.base import checked_factor

# Rows that a sample remembers unless told otherwise.
REMEMBERED_ROWS = 5000
# Bytes that a sample may take: the larger of these.
SAMPLE_BYTES, BYTES_PER_ROW = 4 << 20, 800
# A row of more bytes is never kept.
LARGEST_ROW = 256 << 10
# The limit above all keys.
INFINITE = 1 << 64
# A number of rows that is no bound: rows that are to be forgotten are not cut to a sample.
UNBOUNDED = 1 << 62
# A row is forgotten when no more weight than this is left.
NO_WEIGHT = 1e-9
# When a sample is cut, no row may have more than this share of the weight.
LARGEST_SHARE = 0.005


@dataclass(frozen=True, eq=False)
class RowSample:
    """Every distinct labelled row whose key is below ``limit``, with the weight of its copies, in the order of keys.

    The limit falls to the key of the first row that no longer fits ``remember`` rows or the bytes they may take, and
    never rises. So samples add up like statistics: in any order, batches or shards. A sample of limit 0 keeps nothing,
    and takes in what is added to it.
    """

    limit: int
    remember: int
    whole: bool  # no row was too large, and no weight was scaled
    rows: KeptRows | None = None  # None: there are none
    key: Keys = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    size: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # bytes of every row
    names: Names = field(default_factory=lambda: np.array([], dtype=object))  # classes
    codes: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    weight: Floats = field(default_factory=lambda: np.zeros(0))

    @staticmethod
    def empty(remember: int = REMEMBERED_ROWS) -> RowSample:
        """Return the sample of no rows; it keeps none if ``remember`` is 0."""
        return RowSample(INFINITE if remember else 0, remember, True)

    @staticmethod
    def none(remember: int = REMEMBERED_ROWS) -> RowSample:
        """Return a sample that keeps nothing, whatever is added to it."""
        return RowSample(0, remember, True)

    @staticmethod
    def of(x: Frame, names: Names, labels: Labels, remember: int = REMEMBERED_ROWS, limit: int = INFINITE) -> RowSample:
        """Return the sample of a batch of rows. ``limit`` is one that is known already, so that fewer rows are kept."""
        if labels.codes is None or not limit or not remember:
            return RowSample.none(remember)
        keys = labelled_keys(x, names, labels.codes)
        key = keys.finished()
        counts = labels.codes >= 0 if labels.weight is None else (labels.codes >= 0) & (labels.weight > 0)
        large = counts & (keys.size > LARGEST_ROW)
        limit = min(limit, first_limit(key[counts & ~large], remember))
        rows = np.flatnonzero(counts & ~large & below(key, limit))
        weight = np.ones(len(rows)) if labels.weight is None else labels.weight[rows].astype(float)
        sample = RowSample(
            limit,
            remember,
            not large.any(),
            x.keep(rows),
            key[rows],
            keys.size[rows],
            names,
            labels.codes[rows],
            weight,
        )
        return sample._ordered()._cut()

    def __len__(self) -> int:
        return len(self.key)

    @property
    def keeps_rows(self) -> bool:
        """Whether there can be rows in the sample."""
        return self.limit > 0

    @property
    def is_complete(self) -> bool:
        """Whether every row that was trained on is in the sample."""
        return self.limit == INFINITE and self.whole

    @property
    def labels(self) -> Labels:
        """The classes of the rows, and the weight of their copies."""
        return Labels(len(self.names), self.codes, self.weight)

    def __add__(self, other: RowSample) -> RowSample:
        limit, remember = min(self.limit, other.limit), min(self.remember, other.remember)
        whole = self.whole and other.whole
        if not limit:
            return RowSample(0, remember, whole)
        a, b = self.below(limit), other.below(limit)
        if not len(a) or not len(b):
            found = a if len(a) else b
            return replace(found, limit=limit, remember=remember, whole=whole)._cut()
        return replace(a._joined(b, b.weight), limit=limit, remember=remember, whole=whole)._ordered()._cut()

    def __sub__(self, other: RowSample) -> RowSample:
        """Return the sample without rows that were added before, or raise if one of them was not."""
        taken = other.below(self.limit)
        if not len(taken):
            return self
        if not len(self):
            raise never_added()
        rest = self._joined(taken, -taken.weight)._ordered()
        if self.whole and (rest.weight < -NO_WEIGHT).any():
            raise never_added()
        return rest._pick(np.flatnonzero(rest.weight > NO_WEIGHT))._without_empty_classes()

    def __mul__(self, factor: float) -> RowSample:
        """Return the sample with the weight of all rows multiplied; it is incomplete from then on."""
        factor = checked_factor(factor)
        scaled = replace(self, weight=self.weight * factor, whole=False)
        return scaled if factor else scaled._pick(np.zeros(0, dtype=np.int64))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowSample):
            return NotImplemented
        same = (self.limit, self.whole, len(self)) == (other.limit, other.whole, len(other))
        if not same or not np.array_equal(self.key, other.key) or not np.array_equal(self.weight, other.weight):
            return False
        mine, theirs = ([s.encoded(i) for i in range(len(s))] for s in (self, other))
        return mine == theirs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "all rows" if self.is_complete else "some rows" if self.limit else "no rows kept"
        return f"RowSample({len(self)} distinct rows, {kind})"

    def below(self, limit: int) -> RowSample:
        """Return the rows whose key is below a limit."""
        keep = below(self.key, limit)
        return self if keep.all() else self._pick(np.flatnonzero(keep))

    def encoded(self, row: int) -> bytes:
        """Return a row and its label as bytes, by which rows of one key are ordered."""
        label = encode_cells([("label", self.names.tolist()[self.codes[row]])])
        return label + (b"" if self.rows is None else self.rows.encoded(row))

    def _pick(self, rows: Longs) -> RowSample:
        return replace(
            self,
            rows=None if self.rows is None else self.rows.pick(rows),
            key=self.key[rows],
            size=self.size[rows],
            codes=self.codes[rows],
            weight=self.weight[rows],
        )

    def _without_empty_classes(self) -> RowSample:
        used = np.bincount(self.codes, minlength=len(self.names)) > 0
        if used.all():
            return self
        return replace(self, names=self.names[used], codes=recode(self.codes, np.cumsum(used) - 1))

    def _joined(self, other: RowSample, weight: Floats) -> RowSample:
        """Return the rows of both, one after the other, with the weights of the other replaced."""
        names, mine, theirs = union(self.names, other.names)
        assert self.rows is not None
        assert other.rows is not None
        return replace(
            self,
            rows=self.rows.joined(other.rows),
            key=np.concatenate([self.key, other.key]),
            size=np.concatenate([self.size, other.size]),
            names=names,
            codes=np.concatenate([recode(self.codes, mine), recode(other.codes, theirs)]),
            weight=np.concatenate([self.weight, weight]),
        )

    def _ordered(self) -> RowSample:
        """Return the rows in the order of their keys, copies of a row as one with the sum of their weights."""
        order = np.argsort(self.key, kind="stable")
        first = np.r_[True, self.key[order][1:] != self.key[order][:-1]][: len(order)]
        if not first.all():
            order, first = self._separated(order, first)
        groups = np.flatnonzero(first)
        weight = np.add.reduceat(self.weight[order], groups) if len(order) else self.weight
        return replace(self._pick(order[groups]), weight=weight)

    def _separated(self, order: Longs, first: NDArray[np.bool_]) -> tuple[Longs, NDArray[np.bool_]]:
        """Return the order and the first copies, where rows of one key may differ: these are ordered by their bytes."""
        assert self.rows is not None
        leader = order[np.flatnonzero(first)][np.cumsum(first) - 1]
        copies = np.flatnonzero(~first)
        copy, original = order[copies], leader[copies]
        if (self.rows.same(copy, original) & (self.codes[copy] == self.codes[original])).all():
            return order, first
        content = [self.encoded(i) for i in order.tolist()]
        ranked = sorted(range(len(order)), key=lambda i: (int(self.key[order[i]]), content[i]))
        order = order[ranked]
        pairs = [(int(self.key[order[i]]), content[r]) for i, r in enumerate(ranked)]
        return order, np.array([i == 0 or pairs[i] != pairs[i - 1] for i in range(len(pairs))])

    def remembering(self, remember: int) -> RowSample:
        """Return the sample that remembers no more than a number of rows."""
        return self if remember >= self.remember else replace(self, remember=remember)._cut()

    def _cut(self) -> RowSample:
        """Return the rows that fit, and lower the limit to the key of the first that does not."""
        most = max(SAMPLE_BYTES, BYTES_PER_ROW * self.remember)
        too_much = (np.arange(1, len(self) + 1) > self.remember) | (np.cumsum(self.size) > most)
        if not too_much.any():
            return self
        limit = int(self.key[int(too_much.argmax())])
        return replace(self.below(limit), limit=limit)

    def choice_weight(self, class_weight: Floats) -> Floats:
        """[rows] weight of every row in a choice; ``class_weight`` is the weight of every class among all rows.

        A complete sample counts every row with its copies. In one that was cut, frequent rows would count too much:
        copies are clipped so that no row has more than LARGEST_SHARE of the weight, and every class is rescaled to its
        share among all rows. The sum is then the effective number of rows.
        """
        if self.is_complete or not len(self):
            return self.weight
        clipped = np.minimum(self.weight, largest_weight(self.weight))
        found = np.bincount(self.codes, clipped, len(self.names))
        scale = np.divide(class_weight, found, out=np.zeros(len(found)), where=found > 0)
        weight = clipped * scale[self.codes]
        return weight * (weight.sum() / (weight**2).sum())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return flat arrays by name, without Python objects, for files; limit and names are described elsewhere."""
        rows = {} if self.rows is None else {f"rows.{name}": a for name, a in self.rows.arrays().items()}
        return {"key": self.key, "size": self.size, "codes": self.codes, "weight": self.weight, **rows}

    def with_arrays(self, arrays: Mapping[str, NDArray[Any]], kind: type[KeptRows] | None) -> RowSample:
        """Return the sample with the rows that :meth:`arrays` described, or raise if they do not fit together."""
        own: dict[str, Any] = {name: arrays[name] for name in ("key", "size", "codes", "weight")}
        parts = {name.removeprefix("rows."): a for name, a in arrays.items() if name.startswith("rows.")}
        rows = None if kind is None else kind.from_arrays(parts)
        sample = replace(self, rows=rows, **own)
        sample.check()
        return sample

    def check(self) -> None:
        """Raise a ValueError unless every row has a key, a size, a class and a weight, in the order of keys."""
        rows = 0 if self.rows is None else len(self.rows)
        check_names(self.names, "names")
        check_array(self.key, "key", np.uint64, (rows,))
        check_array(self.size, "size", np.int64, (rows,))
        check_array(self.codes, "codes", np.int32, (rows,))
        check_weights(self.weight, "weight", (rows,))
        require((self.key[1:] >= self.key[:-1]).all(), "the rows of its sample are not in the order of their keys")
        require(below(self.key, self.limit).all(), "its sample has rows beyond its limit")
        require((self.size >= 0).all() and (self.weight > 0).all(), "a row of its sample has no size or no weight")
        known = (self.codes >= 0) & (self.codes < len(self.names))
        require(known.all(), "the rows of its sample have classes that are not there")


def labelled_keys(x: Frame, names: Names, codes: Codes) -> RowKeys:
    """Return the keys of rows with their labels, before they are finished."""
    keys = x.row_keys()
    keys.add_codes(codes, names, name_seed(LABEL_SEED))
    return keys


def row_keys(x: Frame, names: Names, labels: Labels) -> Keys:
    """[rows] keys of rows with their labels: hashes of their content."""
    assert labels.codes is not None
    return labelled_keys(x, names, labels.codes).finished()


def below(key: Keys, limit: int) -> NDArray[np.bool_]:
    """Return whether keys are below a limit, which may be greater than any key."""
    return np.ones(len(key), dtype=bool) if limit >= INFINITE else key < np.uint64(limit)


def first_limit(key: Keys, remember: int) -> int:
    """Return a limit that the sample of rows with these keys cannot exceed: a bound found without ordering all."""
    smallest = 4 * remember
    while smallest < len(key):
        distinct = np.unique(np.partition(key, smallest)[:smallest])
        if len(distinct) > remember:
            return int(distinct[remember])
        smallest *= 4  # many copies: look further
    return INFINITE


def largest_weight(weight: Floats) -> float:
    """Return the largest bound of weights that gives no row more than LARGEST_SHARE of the clipped weight.

    Where no bound does, because there are few rows, every row counts once: the bound is the least weight.

    >>> largest_weight(np.r_[np.ones(300), 100.0])
    1.5075376884422111
    """
    order = np.sort(weight)
    before = np.r_[0.0, np.cumsum(order)[:-1]]
    larger = np.arange(len(order), 0, -1)
    # With a bound b between two weights, b = share · (what is below + b · number of the others) is where it stops.
    possible = order <= LARGEST_SHARE * (before + order * larger) * (1 + 1e-12)
    if possible.all():
        return float(order[-1])
    if not possible.any():
        return float(order[0])
    at = int(np.flatnonzero(possible)[-1]) + 1
    return float(LARGEST_SHARE * before[at] / (1 - LARGEST_SHARE * larger[at]))


def never_added() -> ValueError:
    """Return the error for rows that are to be forgotten but were never added."""
    return ValueError(
        "a row to forget is not among the rows that were added, or has more weight than they had; forget only rows "
        "that were trained on, with all their columns, labels and weights."
    )
