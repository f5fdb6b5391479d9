"""A report without data holds no cell of a row: no rare value, word, label or number."""

import numpy as np
import pyarrow as pa
import pytest
from reports import check_page

import deciban as db
from deciban.report.disclosure import FEWEST_ROWS, rounded_edges

ROWS = 300


def secrets():
    """Return a table whose rare cells can be recognised, and these cells."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, ROWS)
    income = (rng.normal(50_000, 9_000, ROWS) + 8_000 * y).round(3)
    children = rng.poisson(1.2, ROWS)
    town = np.where(y == 1, rng.choice(["Graz", "Rome"], ROWS), rng.choice(["Graz", "Oslo"], ROWS)).astype(object)
    common = [["cheap", "offer"], ["meeting", "agenda"]]
    text = [" ".join(rng.choice([*common[c], "the"], 12)) for c in y]
    town[:4] = ["Secretville"] * 4
    children[0] = 7777
    text[1] = "whistleblower " * 9 + text[1]
    label = np.array(["no", "yes"], dtype=object)[y]
    table = pa.table({"income": income, "children": children, "town": town, "note": text, "bought": label})
    return table, ["Secretville", "7777", "7,777", "whistleblower", *(f"{v:.3f}" for v in income)]


TABLE, SECRETS = secrets()
COLUMNS = {"note": db.Words(transform="tfidf")}


@pytest.fixture(scope="module")
def nb():
    return db.NaiveBayes(COLUMNS).fit(TABLE, "bought")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [COLUMNS, {"note": db.Words()}, {"income": db.Binned(), **COLUMNS}], ids=str)
def test_no_cell_of_a_row_is_on_the_page(columns):
    report = db.NaiveBayes(columns).fit(TABLE, "bought").report(TABLE, "bought", data=False, columns=10)
    page = check_page(report.to_html())
    shown = page.text + " ".join(str(value) for _, value in page.attributes)
    assert [secret for secret in SECRETS if secret in shown] == []
    assert [secret for secret in SECRETS if secret in str(report)] == []
    assert "Row " not in page.text


@pytest.mark.slow
def test_the_same_cells_are_on_the_page_with_data(nb):
    page = check_page(nb.report(TABLE, "bought", explain=[0, 1], columns=10).to_html())
    for secret in ("Secretville", "7777", "whistleblower", f"{TABLE.column('income')[0].as_py():.6g}"):
        assert secret in page.text


@pytest.mark.slow
def test_common_values_and_words_are_shown(nb):
    page = check_page(nb.report(TABLE, "bought", data=False, columns=10).to_html())
    for name in ("Graz", "Rome", "Oslo", "cheap", "agenda", "income", "children"):
        assert name in page.text
    assert f"fewer than {FEWEST_ROWS} training rows" in page.text


@pytest.mark.slow
def test_labels_that_the_model_does_not_know_have_no_name(nb):
    labels = TABLE.column("bought").to_pylist()
    labels[3] = "typed by mistake"
    table = TABLE.set_column(4, "bought", pa.array(labels))
    hidden, shown = (nb.report(table, "bought", data=data) for data in (False, True))
    assert "typed by mistake" not in hidden.to_html()
    assert "(unknown label 1)" in hidden.to_html()
    assert "typed by mistake" in shown.to_html()
    assert hidden.evaluation.accuracy == shown.evaluation.accuracy


def test_edges_of_bins_are_round_and_hold_all_numbers():
    edges = np.array([17.123, 20.456, 31.789, 90.321])
    found = rounded_edges(edges)
    assert found.tolist() == pytest.approx([17.0, 20.5, 31.8, 90.5], abs=0.51)
    assert found[0] < edges[0]
    assert found[-1] > edges[-1]
    assert not np.isin(edges, found).any()
    assert (np.diff(found) >= 0).all()
