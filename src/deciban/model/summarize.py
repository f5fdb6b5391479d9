"""Summarise a batch of rows: from a frame and labels to statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.arrays.types import Floats, Names
from deciban.model.group import Group
from deciban.refinement.joint_counts import JointCounts, JointPlan
from deciban.statistics import Block, RowSample, Statistics
from deciban.statistics.row_sample import INFINITE

# Rows whose keys are made at a time.
SAMPLE_BLOCK = 1 << 16


class Summarizer(Protocol):
    """A maker of one block of statistics: a group of columns, or a counter of several columns together."""

    @property
    def needs_dense(self) -> bool:
        """Whether sparse rows must be made dense."""
        ...

    def zero(self, features: int) -> Block:
        """Return the statistics of no rows of a table of ``features`` columns."""
        ...

    def summarize(self, x: Frame, labels: Labels, hint: Any = None) -> Block:
        """Return the statistics of a block of rows, perhaps faster with those of other rows as a hint."""
        ...


class BlockSummarizer:
    """Summarises blocks of rows, and keeps the last result as a hint that makes the next block faster."""

    def __init__(self, summarizers: Sequence[Summarizer], hint: Sequence[Block] | None = None) -> None:
        self.summarizers = summarizers
        self.hint = hint

    def blocks(self, x: Frame, labels: Labels) -> list[Block]:
        """Return a block of statistics per summarizer."""
        hint: Sequence[Block | None] = self.hint or [None] * len(self.summarizers)
        self.hint = found = [each.summarize(x, labels, h) for each, h in zip(self.summarizers, hint)]
        return found


def summarize(
    x: Any,
    names: Names,
    labels: Labels,
    summarizers: Sequence[Summarizer],
    threads: int | None,
    hint: Sequence[Block] | None = None,
) -> Statistics:
    """Return the statistics of a batch: blocks of rows, each summarised from zero, added in order.

    The cut into blocks depends on the shape of the data alone, so the result is the same for any number of threads.
    ``hint`` are the statistics of other rows of these columns; they change nothing but the time it takes.
    """
    summarizer = BlockSummarizer(summarizers, hint)
    dense = any(each.needs_dense for each in summarizers)
    x = as_frame(x).sliceable(dense)

    def summarize_block(begin: int, end: int) -> tuple[Floats, list[Block]]:
        part = labels.block(begin, end)
        return part.class_weight(), summarizer.blocks(x.block(begin, end), part)

    size = x.summary_rows(len(names) * x.shape[1], dense)
    parts = map_blocks(summarize_block, row_blocks(x.shape[0], size), threads)
    weight, blocks = next(parts)
    for other_weight, others in parts:
        weight = weight + other_weight
        blocks = [a.absorb(b) for a, b in zip(blocks, others)]
    return Statistics(names, weight, tuple(blocks)).without_empty()


def empty_statistics(summarizers: Sequence[Summarizer], features: int) -> Statistics:
    """Return the statistics of no rows of a table of ``features`` columns."""
    return Statistics.zero(*(each.zero(features) for each in summarizers))


def count_rows(
    x: Frame, names: Names, labels: Labels, groups: tuple[Group, ...], plan: JointPlan, threads: int | None
) -> tuple[Statistics, JointCounts | None]:
    """Return the statistics of groups of columns, and the joint counts of a plan, in one pass over the rows."""
    return split_counts(summarize(x, names, labels, (*groups, *plan.counters), threads), len(groups), plan)


def split_counts(counted: Statistics, groups: int, plan: JointPlan) -> tuple[Statistics, JointCounts | None]:
    """Split statistics into those of the groups, which come first, and the joint counts of a plan."""
    joint = JointCounts(plan, replace(counted, blocks=counted.blocks[groups:])) if plan else None
    return replace(counted, blocks=counted.blocks[:groups]), joint


def sample_rows(
    x: Frame, names: Names, labels: Labels, remember: int, threads: int | None, limit: int = INFINITE
) -> RowSample:
    """Return the sample of a batch, made of blocks of rows; ``limit`` is one that is known already."""
    sample = RowSample.empty(remember) if labels.soft is None and limit else RowSample.none(remember)
    if not sample.keeps_rows:
        return sample
    x = x.sliceable(dense=True)
    lowest = [limit]  # what earlier blocks have found saves work in later ones, and changes nothing

    def sample_block(begin: int, end: int) -> RowSample:
        return RowSample.of(x.block(begin, end), names, labels.block(begin, end), remember, lowest[0])

    for part in map_blocks(sample_block, row_blocks(x.shape[0], SAMPLE_BLOCK), threads):
        sample = sample + part
        lowest[0] = min(lowest[0], sample.limit)
    return sample
