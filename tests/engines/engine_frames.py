"""Frames of engines made of pieces of pandas frames, and what must be equal on one machine and on a cluster."""

import numpy as np
import pytest

pd = pytest.importorskip("pandas", reason="pandas is absent")

WORDS = ["red", "blue", "green", "moon", "sun", "star", "tree", "sea", "sand", "wind", "rain", "snow"]


class OnDask:
    """Makes Dask frames whose partitions are the pieces."""

    def frame(self, pieces):
        dd = pytest.importorskip("dask.dataframe", reason="Dask is absent; pip install 'deciban[dask]'")
        from dask.delayed import delayed

        return dd.from_delayed([delayed(piece) for piece in pieces], meta=pieces[0].iloc[:0])

    def rows(self, frame):
        return frame.compute()


class OnSpark:
    """Makes Spark frames whose partitions hold the pieces, or several of them."""

    def __init__(self, session):
        self.session = session

    def frame(self, pieces):
        whole = pd.concat([piece.assign(piece=i) for i, piece in enumerate(pieces)], ignore_index=True)
        frame = self.session.createDataFrame(whole)
        return frame.repartition(len(pieces), "piece").drop("piece")

    def rows(self, frame):
        return frame.toPandas()


@pytest.fixture(params=["dask", pytest.param("spark", marks=pytest.mark.slow)])
def engine(request):
    return OnDask() if request.param == "dask" else OnSpark(request.getfixturevalue("spark"))


def mixed_rows(rows, seed=0, unlabelled=True):
    """Return rows of columns of all kinds; a category appears in the last rows alone, and some have no label."""
    r = np.random.default_rng(seed)
    label = r.choice(["p", "q"], rows)
    frame = pd.DataFrame(
        {
            "number": r.normal(size=rows).round(3) + (label == "p"),
            "count": r.integers(0, 5, rows),
            "colour": r.choice(list("xyz"), rows).astype(object),
            "flag": r.random(rows) < 0.5,
            "text": [" ".join(r.choice(WORDS, 5)) for _ in range(rows)],
            "times": r.integers(0, 4, rows),
            "id": np.arange(rows),
            "label": label.astype(object),
        }
    )
    frame.loc[::17, "number"] = np.nan
    frame.loc[::13, "colour"] = None
    frame.loc[rows - rows // 10 :, "colour"] = "late"
    if unlabelled:
        frame.loc[5::23, "label"] = None
    return frame


def pieces_of(frame, ends):
    """Return the rows of a frame cut at the given ends."""
    return [frame.iloc[a:b] for a, b in zip([0, *ends], [*ends, len(frame)])]


def assert_same_model(one, many):
    """Assert that two models have the same statistics, samples, columns and choices."""
    a, b = one._fitted(), many._fitted()
    assert a.statistics == b.statistics
    assert a.sample == b.sample
    assert str(one.columns_) == str(many.columns_)
    assert str(one.chosen_) == str(many.chosen_)
    assert a.groups == b.groups


def assert_same_predictions(one, many, engine, frame, rows):
    """Assert that a model predicts a frame on a cluster as the other predicts its rows here, bit for bit."""
    found = engine.rows(many.predict_proba(frame)).sort_values("id")
    assert found["prediction"].tolist() == one.predict(rows).tolist()
    columns = [f"probability_{label}" for label in one.classes_.tolist()]
    assert np.array_equal(found[columns].to_numpy(), one.predict_proba(rows))
