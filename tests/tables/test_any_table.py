"""Tables nobody would write down: they fit, save, load and predict, or give a documented error."""

import warnings
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import deciban as db

NAMES = st.text(min_size=0, max_size=8)
WORDS = st.one_of(
    st.sampled_from(["", "a", "b", "🙂", "NaN", "(other)", "é", "a\0b", "line\nbreak", "x" * 10_000]),
    st.text(max_size=20),
)
VALUES = {
    "bool": (pa.bool_(), st.booleans()),
    "int8": (pa.int8(), st.integers(-128, 127)),
    "int64": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "uint64": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "float32": (pa.float32(), st.floats(width=32)),
    "float64": (pa.float64(), st.floats()),
    "decimal": (pa.decimal128(12, 3), st.integers(-(10**8), 10**8).map(lambda n: Decimal(n).scaleb(-3))),
    "string": (pa.string(), WORDS),
    "large_string": (pa.large_string(), WORDS),
    "string_view": (pa.string_view(), WORDS),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), WORDS),
    "null": (pa.null(), st.none()),
    "date": (pa.date32(), st.dates(date(1900, 1, 1), date(2100, 1, 1))),
    "timestamp": (pa.timestamp("us"), st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1))),
    "list": (pa.list_(pa.int64()), st.lists(st.integers(0, 3), max_size=2)),
}
DOCUMENTED = (
    "no rows to learn from", "two columns named", "no event model reads", "no column besides", "can be used",
    "has a label", "continuous", "different values in",
)  # fmt: skip


@st.composite
def tables(draw):
    rows = draw(st.sampled_from([0, 1, 2, 3, 7, 40]))
    columns, names = [], []
    for _ in range(draw(st.integers(1, 5))):
        kind, values = VALUES[draw(st.sampled_from(sorted(VALUES)))]
        cells = draw(st.lists(st.one_of(st.none(), values), min_size=rows, max_size=rows))
        columns.append(pa.array(cells, kind))
        names.append(draw(st.one_of(NAMES, st.just("twice"))))
    label = draw(st.sampled_from(["strings", "one class", "integers", "some missing", "booleans"]))
    options = {
        "strings": WORDS,
        "one class": st.just("only"),
        "integers": st.integers(0, 2),
        "some missing": st.one_of(st.none(), st.sampled_from(["u", "v"])),
        "booleans": st.booleans(),
    }
    y = draw(st.lists(options[label], min_size=rows, max_size=rows))
    return pa.Table.from_arrays([*columns, pa.array(y)], names=[*names, "the label"])


def fitted_or_refused(table, alpha):
    """Return a model, or None after one of the documented errors."""
    problem = None
    try:
        return db.NaiveBayes(alpha=alpha).fit(table, "the label")
    except ValueError as error:
        problem = str(error)
    assert any(text in problem for text in DOCUMENTED), problem
    assert "\n" not in problem
    return None


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(table=tables(), alpha=st.sampled_from([0.0, 0.5, 1.0]))
@pytest.mark.slow
def test_any_table_fits_saves_loads_and_predicts(table, alpha, tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        nb = fitted_or_refused(table, alpha)
        if nb is None:
            return
        path = tmp_path_factory.mktemp("any") / "model.deciban"
        nb.save(path)
        loaded = db.load(path)
        assert loaded.statistics_ == nb.statistics_
        posterior = nb.predict_proba(table)
        assert posterior.shape == (table.num_rows, len(nb.classes_))
        assert np.allclose(posterior.sum(axis=1), 1.0)
        assert np.array_equal(loaded.predict_proba(table), posterior)
        joint = nb.predict_joint_log_proba(table)
        evidence = nb.evidence(table).sum(axis=-1) + nb.model_.log_prior
        finite = np.isfinite(joint)
        assert np.array_equal(finite, np.isfinite(evidence))
        assert np.allclose(joint[finite], evidence[finite], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", sorted(VALUES))
def test_every_arrow_type_is_read_or_refused_by_name(kind):
    examples = {
        "bool": [True, False], "decimal": [Decimal("1.5"), Decimal("2.5")], "null": [None, None],
        "date": [date(2020, 1, 1), date(2021, 1, 1)], "timestamp": [datetime(2020, 1, 1), datetime(2021, 1, 1)],
        "list": [[1], [2]], "string": ["p", "q"], "large_string": ["p", "q"], "string_view": ["p", "q"],
        "dictionary": ["p", "q"], "float32": [0.5, 1.5], "float64": [0.5, 1.5],
    }  # fmt: skip
    table = pa.table({"x": pa.array(examples.get(kind, [1, 2]), VALUES[kind][0]), "z": [1.5, 2.5], "y": ["a", "b"]})
    if kind == "list":
        with pytest.raises(ValueError, match=r"column 'x' is of type list<.*>, which no event model reads"):
            db.NaiveBayes().fit(table, "y")
        assert db.NaiveBayes({"x": None}).fit(table, "y").columns_["x"] is None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", db.ColumnWarning)
        nb = db.NaiveBayes().fit(table, "y")
    left_out = kind in ("date", "timestamp")
    assert (nb.columns_["x"] is None) == left_out
    if kind not in ("null", "date", "timestamp"):
        assert nb.predict(table).tolist() == ["a", "b"]
    declared = db.NaiveBayes({"x": db.Categorical()}).fit(table, "y")
    assert np.isfinite(declared.predict_log_proba(table)).all()
