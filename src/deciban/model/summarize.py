"""Summarise a batch of rows: from a frame and labels to statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.arrays.types import Floats, Names
from deciban.model.group import Group
from deciban.statistics import Block, RowSample, Statistics
from deciban.statistics.row_sample import INFINITE

# Rows whose keys are made at a time.
SAMPLE_BLOCK = 1 << 16


class BlockSummarizer:
    """Summarises blocks of rows, and keeps the last result as a hint that makes the next block faster."""

    def __init__(self, groups: tuple[Group, ...], hint: Sequence[Block] | None = None) -> None:
        self.groups = groups
        self.hint = hint

    def blocks(self, x: Frame, labels: Labels) -> list[Block]:
        """Return a block of statistics per group."""
        hint: Sequence[Block | None] = self.hint or [None] * len(self.groups)
        self.hint = found = [group.summarize(x, labels, h) for group, h in zip(self.groups, hint)]
        return found


def summarize(
    x: Any,
    names: Names,
    labels: Labels,
    groups: tuple[Group, ...],
    threads: int | None,
    hint: Sequence[Block] | None = None,
) -> Statistics:
    """Return the statistics of a batch: blocks of rows, each summarised from zero, added in order.

    The cut into blocks depends on the shape of the data alone, so the result is the same for any number of threads.
    ``hint`` are the statistics of other rows of these columns; they change nothing but the time it takes.
    """
    summarizer = BlockSummarizer(groups, hint)
    dense = any(group.needs_dense for group in groups)
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
