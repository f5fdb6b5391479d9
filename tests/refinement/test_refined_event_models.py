"""Everything that describes a model describes refined models of declared event models, and their lines add up."""

import numpy as np
import pyarrow as pa
import pytest

import deciban as db

RNG = np.random.default_rng(0)
ROWS = 600
LABEL = RNG.integers(0, 3, ROWS)
NUMBERS = RNG.normal(size=(ROWS, 3)) + LABEL[:, None]
NUMBERS[:, 1] = NUMBERS[:, 0] + 0.1 * RNG.normal(size=ROWS)
COUNTS = RNG.poisson(1 + 2 * LABEL[:, None], (ROWS, 3))
BITS = (RNG.random((ROWS, 3)) < 0.2 + 0.2 * LABEL[:, None]).astype(float)
BITS[:, 1] = BITS[:, 0]
TEXTS = [" ".join(RNG.choice(["a1", "b1", "c1", "d1"], 4, p=np.roll([0.5, 0.3, 0.1, 0.1], c))) for c in LABEL]
TABLE = pa.table({"number": NUMBERS[:, 0], "text": TEXTS, "count": COUNTS[:, 0], "near": NUMBERS[:, 1]})
CASES = {
    "normal": (db.Gaussian(), NUMBERS, {}),
    "student": (db.Gaussian(), NUMBERS, {"estimate": "predictive"}),
    "multinomial": (db.Multinomial(), COUNTS, {}),
    "bits": (db.Bernoulli(), BITS, {}),
    "threshold": (db.Bernoulli(threshold=0.5), NUMBERS, {}),
    "complement": (db.Complement(), COUNTS, {}),
    "table": ({"text": db.Words(complement=True), "number": db.Gaussian(), "count": db.Poisson()}, TABLE, {}),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    model, rows, settings = CASES[request.param]
    nb = db.NaiveBayes(model, refine="sample", alpha="auto", **settings).fit(rows, LABEL)
    assert nb._fitted().refinement is not None
    return request.param, nb, rows


def test_lines_add_up(case):
    _, nb, rows = case
    found, joint, every = nb.explain(rows), nb.predict_joint_log_proba(rows), np.arange(ROWS)
    odds = (joint[every, found.contrast.favour] - joint[every, found.contrast.against]) * 10 / np.log(10)
    assert np.abs(found.prior + found.evidence.sum(axis=1) - odds).max() < 1e-9
    row = rows.slice(0, 1) if isinstance(rows, pa.Table) else rows[:1]
    scales = nb.scales(row=row)
    assert scales.prior + scales.row_decibans.sum() == pytest.approx(nb.explain(row)[0].odds, abs=1e-9)
    assert np.isfinite(nb.leave_one_out(rows, LABEL)).all()


def test_every_description_is_printed(case):
    name, nb, rows = case
    row = rows.slice(0, 1) if isinstance(rows, pa.Table) else rows[:1]
    shown = [
        nb.explain(row),
        nb.derive(row),
        nb.scales(),
        nb.scales(row=row),
        nb.importance(),
        nb.story(),
        nb.parameters(),
    ]
    if not isinstance(rows, pa.Table):  # labels of a table are a column of it
        shown.append(nb.diagnose(rows, LABEL))
    for found in shown:
        assert str(found)
        assert found._repr_html_()
    unknown = [line for line, value in nb.importance().items() if value != value]
    assert unknown == {"complement": ["x0", "x1", "x2"], "table": ["text"]}.get(name, [])


def test_a_normal_density_stands_in_the_derivation():
    nb = db.NaiveBayes(db.Gaussian(), refine="sample", alpha="auto").fit(NUMBERS, LABEL)
    assert "× 10·log₁₀(N(" in str(nb.derive(NUMBERS[:1]))
