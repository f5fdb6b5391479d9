"""Sufficient statistics, which training keeps: they add, subtract and scale."""

from deciban.statistics.base import Block
from deciban.statistics.histogram import Histogram
from deciban.statistics.moments import Moments
from deciban.statistics.row_sample import RowSample
from deciban.statistics.statistics import STATISTICS, Statistics
from deciban.statistics.sums import Sums
from deciban.statistics.tables import Tables
from deciban.statistics.words import WordCounts

__all__ = ["STATISTICS", "Block", "Histogram", "Moments", "RowSample", "Statistics", "Sums", "Tables", "WordCounts"]
