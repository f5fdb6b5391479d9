"""Parts: statistics and samples of all kinds travel as bytes unchanged, and add up in any order."""

import numpy as np
import pytest
from event_models import event_models, labels, rows_for, settings_for
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.engines.part import part_from_bytes, part_to_bytes
from deciban.readers.source import open_table
from deciban.statistics import RowSample
from deciban.tables.cluster_table import ClusterTable
from deciban.tables.jobs import count_table
from deciban.tables.labelling import ColumnLabels
from deciban.tables.learn import LearnedTable

ROWS = 40


def learned(likelihood, rows, sample=None):
    """Return what an event model learns from some of its sample rows."""
    x, y = rows_for(likelihood)[rows], labels()[rows]
    nb = db.NaiveBayes(likelihood, alpha=1.0, **settings_for(likelihood)).fit(x, y)
    return LearnedTable(nb.statistics_, RowSample.none() if sample is None else sample, len(rows), 0)


def assert_equal(a, b):
    assert a.statistics == b.statistics
    assert a.sample == b.sample
    assert (a.sample.remember, a.rows, a.unlabelled) == (b.sample.remember, b.rows, b.unlabelled)


@pytest.mark.parametrize("likelihood", event_models())
@given(rows=st.lists(st.integers(0, 299), min_size=1, max_size=ROWS))
@settings(max_examples=5)
def test_statistics_of_every_event_model_travel_unchanged(likelihood, rows):
    part = learned(likelihood, rows)
    again = part_from_bytes(part_to_bytes(part))
    assert_equal(again, part)
    assert all(
        a.dtype == b.dtype for a, b in zip(part.statistics.to_arrays().values(), again.statistics.to_arrays().values())
    )


def test_a_part_of_no_rows_is_the_zero_of_sums():
    likelihood = db.Categorical()
    part = learned(likelihood, np.arange(5))
    zero = LearnedTable(part.statistics - part.statistics, RowSample.empty(), 0, 0)
    zero = part_from_bytes(part_to_bytes(zero))
    assert (part.statistics + zero.statistics) == part.statistics
    assert zero.statistics.weight.sum() == 0


ROW = st.fixed_dictionaries(
    {
        "number": st.one_of(st.none(), st.floats(-1e6, 1e6)),
        "name": st.one_of(st.none(), st.text(max_size=6)),
        "flag": st.one_of(st.none(), st.booleans()),
        "label": st.one_of(st.none(), st.sampled_from(["ham", "spam", "eggs"])),
    }
)


class Parts(ClusterTable):
    """A table in memory that travels in parts, which are added in a given order."""

    name = "the parts"

    def __init__(self, rows, cuts, order):
        import pyarrow as pa

        schema = pa.schema(
            [("number", pa.float64()), ("name", pa.string()), ("flag", pa.bool_()), ("label", pa.string())]
        )
        self.table = pa.Table.from_pylist(rows, schema)
        self.schema = schema
        self.pieces = [self.table.slice(a, b - a) for a, b in zip([0, *cuts], [*cuts, len(rows)])]
        self.order = order

    def head(self, rows):
        return open_table(self.table).head(rows)

    def learn(self, summarizer, columns):
        from deciban.engines.work import Learn, Merge

        parts = [Learn(summarizer, tuple(columns))(piece.to_batches()) for piece in self.pieces]
        merge = Merge(summarizer)
        self.order.shuffle(parts)
        half = len(parts) // 2
        return merge.read(merge([merge(parts[:half]), merge(parts[half:])]))


@given(
    rows=st.lists(ROW, min_size=1, max_size=30),
    cuts=st.lists(st.integers(0, 30), max_size=6),
    order=st.randoms(),
    remember=st.sampled_from([0, 3, 5000]),
)
@settings(max_examples=40)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parts_in_any_order_are_the_whole(rows, cuts, order, remember):
    rows = [{"number": 1.0, "name": "a", "flag": True, "label": "ham"}, *rows]
    cuts = sorted(min(cut, len(rows)) for cut in cuts)
    parts = Parts(rows, cuts, order)
    columns = {"number": db.Binned(), "name": db.Categorical(), "flag": db.Categorical()}
    wanted = db.NaiveBayes(columns, alpha="auto", remember=remember or 1)._settings()
    labelling = ColumnLabels("label")
    one = count_table(open_table(parts.table), labelling, wanted, columns)
    many = count_table(parts, labelling, wanted, columns)
    assert one.statistics == many.statistics
    assert one.sample == many.sample
    assert one.schema == many.schema
