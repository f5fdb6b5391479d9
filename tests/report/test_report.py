"""A report is one harmless file whose numbers are those of the estimator."""

import hashlib
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from event_models import event_models, fitted, labels, rows_for
from reports import HOSTILE, check_page, hostile_table, loans

import deciban as db
from deciban.plots.theme import DARK, LIGHT
from deciban.report.svg import SvgPage, drawn_svg

TABLE = loans()
MOST = 2_000_000


@pytest.fixture(scope="module")
def nb():
    return db.NaiveBayes().fit(TABLE, "repaid")


@pytest.fixture(scope="module")
def report(nb):
    return nb.report(TABLE, "repaid")


@pytest.fixture(scope="module")
def page(report):
    return check_page(report.to_html())


def test_scores_are_those_of_evaluate(nb, report, page):
    found = nb.evaluate(TABLE, "repaid")
    assert report.evaluation.to_dict() == found.to_dict()
    for score in ("accuracy", "log_loss", "brier", "roc_auc", "mcc"):
        assert f"{getattr(found, score):.4f}" in page.text


def test_reliability_and_findings_are_those_of_the_estimator(nb, report, page):
    assert report.reliability.to_dict() == nb.reliability(TABLE, "repaid").to_dict()
    assert report.diagnosis.findings == nb.diagnose(TABLE, "repaid").findings
    for finding in report.diagnosis.findings:
        assert finding.sentence in page.text
    assert report.importance == nb.importance()


def test_the_most_wrong_and_the_least_sure_rows_are_explained(nb, report):
    posterior = nb.predict_proba(TABLE)
    y = np.array(TABLE.column("repaid").to_pylist())
    own = posterior[np.arange(len(y)), np.searchsorted(nb.classes_, y)]
    wrong = nb.predict(TABLE) != y
    worst = np.flatnonzero(wrong)[np.argsort(own[wrong], kind="stable")][:3].tolist()
    unsure = np.argsort(np.abs(posterior[:, 0] - 0.5), kind="stable")[:3].tolist()
    shown = [int(n) for n in re.findall(r"Row (\d+),", str([p.heading for p in report.section("rows").parts]))]
    assert shown == list(dict.fromkeys(worst + unsure))


def test_a_wrong_row_is_explained_against_its_label(nb):
    report = nb.report(TABLE, "repaid", rows=1)
    y = TABLE.column("repaid").to_pylist()
    row = report.section("rows").parts[0].display.row
    assert row.other == y[row.row] != row.decision


def test_rows_asked_for_are_explained_first(nb):
    shown = nb.report(TABLE, "repaid", rows=0, explain=[7, 399]).section("rows").parts
    assert [part.display.row.row for part in shown] == [7, 399]
    assert shown[0].text == str(nb.explain(TABLE.slice(7, 1))[0]).replace("row 0", "row 7")


@pytest.mark.parametrize("number", [400, 10_000])
def test_a_row_that_is_not_there_is_an_error(nb, number):
    with pytest.raises(ValueError, match=f"row {number} was asked for; there are rows 0 to 399"):
        nb.report(TABLE, "repaid", explain=[number])


def test_every_picture_has_its_text_and_its_caption(report, page):
    pictures = [part for section in report.sections for part in section.parts if part.kind == "picture"]
    assert page.tags.count("figure") == len(pictures) >= 8
    for picture in pictures:
        assert picture.text in page.text
        assert picture.display.caption in page.text


def test_the_file_is_written_whole(nb, tmp_path):
    path = tmp_path / "report.html"
    report = nb.report(TABLE, "repaid", path, rows=0, columns=0)
    assert path.read_text() == report.to_html()
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]
    assert path.stat().st_size < MOST


def test_the_digest_is_that_of_the_saved_model(nb, page, tmp_path):
    nb.save(tmp_path / "model.deciban")
    digest = hashlib.sha256((tmp_path / "model.deciban").read_bytes()).hexdigest()
    assert digest in page.text
    assert f"deciban {db.__version__}" in page.text


@pytest.mark.slow
def test_hostile_names_stay_text():
    table, target = hostile_table()
    nb = db.NaiveBayes({"text": db.Words()}).fit(table, target)
    html = nb.report(table, target).to_html()
    page = check_page(html)
    assert len(html.encode()) < MOST
    assert "<script" not in html
    assert "49" not in page.text.split("{{ 7 * 7 }}")[0][-20:]
    for name in HOSTILE[:8]:
        assert name.replace("\u202e", r"\u202e").replace("\u202c", r"\u202c") in page.text
    assert "\x1b" not in html
    assert "\x00" not in html


@pytest.mark.slow
def test_a_picture_has_the_colours_of_both_themes(report):
    page = SvgPage()
    for part in (part for section in report.sections for part in section.parts if part.kind == "picture"):
        svg = page.add(part.display)
        assert not re.search("#[0-9a-fA-F]{6}", svg)
        light, dark = drawn_svg(part.display, LIGHT), drawn_svg(part.display, DARK)
        used = set(re.findall(r"var\((--p\d+)\)", svg))
        for (a, b), name in page.variables.items():
            if name in used:
                assert a in light.lower()
                assert b in dark.lower()
    assert f"{page.variables[LIGHT.paper, DARK.paper]}: {DARK.paper}" in page.style(DARK)


def test_pictures_are_left_out_where_bytes_are_few(report):
    whole = len(report.to_html().encode())
    small = replace(report, max_bytes=whole - 20_000).to_html()
    assert len(small.encode()) <= whole - 20_000
    page = check_page(small)
    assert "left out" in page.text
    assert page.tags.count("figure") == report.to_html().count("<figure>")
    assert "50%" in page.text


def test_too_few_bytes_are_an_error(report):
    with pytest.raises(ValueError, match=r"max_bytes is 1,000, and the report takes .* without any picture"):
        replace(report, max_bytes=1000).to_html()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": -1}, "rows is -1"),
        ({"columns": 1.5}, "columns is 1.5"),
        ({"max_bytes": 0}, "max_bytes is 0"),
        ({"explain": [-1]}, "row -1 was asked for"),
        ({"explain": [1], "data": False}, "no data may be shown"),
    ],
)
def test_impossible_options_are_one_sentence(nb, options, message):
    with pytest.raises(ValueError, match=message):
        nb.report(TABLE, "repaid", **options)


def test_rows_without_labels_are_an_error(nb):
    with pytest.raises(ValueError, match="no labelled rows"):
        nb.report(TABLE.slice(0, 0), "repaid")


@pytest.mark.slow
@pytest.mark.parametrize("model", event_models())
def test_every_event_model_has_a_report(model):
    check_page(fitted(model).report(rows_for(model), labels(), rows=1).to_html())


@pytest.mark.slow
def test_one_class_and_many_classes_have_a_report():
    x = np.random.default_rng(0).normal(size=(300, 2))
    for classes in (1, 40):
        y = np.arange(300) % classes
        check_page(db.NaiveBayes(db.Gaussian()).fit(x, y).report(x, y, rows=1).to_html())


def test_a_notebook_shows_the_report_in_a_frame_of_its_own(report):
    html = report._repr_html_()
    assert html.startswith("<iframe sandbox srcdoc=")
    assert html.count("<") == 2


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_one_sentence_that_names_the_extra(nb, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"a report needs {package}, .* pip install 'deciban\[report\]'"):
        nb.report(TABLE, "repaid")


@pytest.mark.slow
def test_a_learning_curve_is_shown_on_request(nb):
    report = nb.report(TABLE, "repaid", rows=0, columns=0, learning_curve=True)
    curve = report.section("curve").parts[0].display.curve
    assert curve.sizes[-1] == 280
    assert (curve.mean[0] < curve.mean[1]).all()
    assert str(curve) in check_page(report.to_html()).text


def test_numbers_of_other_priors_and_costs_are_those_of_the_estimator(nb, report):
    priors, costs = (part.display.points for part in report.section("decisions").parts)
    assert priors.to_dict() == nb.vary_prior(TABLE, "repaid").to_dict()
    assert costs.to_dict() == nb.vary_costs(TABLE, "repaid").to_dict()


def test_densities_are_those_of_the_most_important_columns(nb):
    parts = nb.report(TABLE, "repaid", rows=0, columns=2).section("important").parts
    assert [part.display.densities.column for part in parts] == [n for n in nb.importance() if n in TABLE.column_names][
        :2
    ]
