"""Laws of refined models: lines add up to the log-odds, whatever kind of rows, number of classes and missing values."""

import numpy as np
import pyarrow as pa
import pytest
from refined_models import CASES, refined

import deciban as db

DECIBANS = 10 / np.log(10)


def label_codes(nb, rows, labels):
    given = np.array(rows[labels].to_pylist()) if isinstance(labels, str) else labels
    return np.searchsorted(nb.classes_, given)


@pytest.mark.parametrize("case", CASES)
def test_lines_add_up_to_the_log_odds(case):
    nb, rows, _ = refined(case)
    found = nb.explain(rows)
    every = np.arange(len(found))
    joint = nb.predict_joint_log_proba(rows)
    odds = (joint[every, found.contrast.favour] - joint[every, found.contrast.against]) * DECIBANS
    assert np.abs(found.prior + found.evidence.sum(axis=1) - odds).max() < 1e-9
    assert np.allclose(found.posterior, nb.predict_proba(rows), rtol=0, atol=1e-12)
    assert len(found.lines) == found.evidence.shape[1] == len(set(found.lines))
    for i in (0, 17, 99):
        row = found[i]
        assert row.prior + row.evidence.sum() + row.adjustment == pytest.approx(row.odds, abs=1e-9)
        assert row.odds == pytest.approx(odds[i], abs=1e-9)
        shown = row.lines(4)
        assert sum(line.decibans for line in shown[:-1]) == pytest.approx(shown[-1].decibans, abs=1e-9)
        by_line = np.zeros(len(found.lines))
        np.add.at(by_line, [item.column for item in row.items], row.evidence)
        assert np.allclose(by_line, found.evidence[i], rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_totals_are_means_of_the_lines(case):
    nb, rows, _ = refined(case)
    found = nb.explain(rows)
    expected = dict(zip(found.lines, np.abs(found.evidence).mean(axis=0)))
    totals = found.totals()
    assert totals == pytest.approx(expected, abs=1e-9)
    assert list(totals.values()) == sorted(totals.values(), reverse=True)


@pytest.mark.parametrize("case", CASES)
def test_without_the_items_of_a_flip_the_decision_is_another(case):
    nb, rows, _ = refined(case)
    for row in [nb.explain(rows)[i] for i in range(0, 60, 4)]:
        if row.flip is None:
            continue
        gone = {id(item) for item in row.flip.items}
        left = row.log_prior + sum(item.scores for item in row.items if id(item) not in gone)
        assert row.classes.tolist()[int(np.argmax(left))] == row.flip.decision
        assert row.flip.decision != row.decision


@pytest.mark.parametrize("case", CASES)
def test_a_derivation_and_its_scales_have_the_same_sum(case):
    nb, rows, _ = refined(case)
    row = rows.slice(3, 1) if isinstance(rows, pa.Table) else rows[3:4]
    derivation = nb.derive(row)
    assert np.allclose(derivation.posterior, nb.predict_proba(row)[0], rtol=0, atol=1e-9)
    scales = nb.scales(row=row)
    explained = nb.explain(row, favour=scales.favour, against=scales.against)[0]
    assert scales.sum(row)[0] == pytest.approx(explained.odds, abs=1e-9)
    assert scales.prior + scales.row_decibans.sum() == pytest.approx(explained.odds, abs=1e-9)
    assert "score" in str(derivation)


@pytest.mark.parametrize("case", CASES)
def test_left_out_posteriors_are_probabilities_and_more_modest(case):
    nb, rows, labels = refined(case)
    left_out = nb.leave_one_out(rows, labels)
    assert np.isfinite(left_out).all()
    assert np.allclose(np.exp(left_out).sum(axis=1), 1.0)
    own = np.arange(len(left_out)), label_codes(nb, rows, labels)
    assert left_out[own].mean() < nb.predict_log_proba(rows)[own].mean()


@pytest.mark.parametrize("case", CASES)
def test_a_file_keeps_every_bit(case, tmp_path):
    nb, rows, _ = refined(case)
    nb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(rows), nb.predict_proba(rows))
    assert np.array_equal(loaded.explain(rows).evidence, nb.explain(rows).evidence)
    assert loaded.importance() == nb.importance()


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("table")])
def test_a_value_that_was_never_seen_is_no_evidence_alone_or_in_a_pair(case):
    nb, rows, _ = refined(case)
    seen = {name: rows[name].drop_null()[0].as_py() for name in rows.column_names if name != "label"}
    odd = nb.explain(seen | {"second": "never seen"})
    silent = {item.name: item.silent for item in odd[0].silent}
    with_second = {line for line in odd.lines if "second" in line.split(" × ")}
    assert {silent[line] for line in with_second} == {"never seen in training"}
    if "complete" in case:  # where some values are missing, that there is one is evidence
        assert not any(evidence for line, evidence in zip(odd.lines, odd.evidence[0]) if line in with_second)


@pytest.mark.parametrize("changed", [{"class_prior": "uniform"}, {"class_weight": {"class 0": 1, "class 1": 5}},
                                     {"calibrate": False}, {"calibrate": "temperature"}])  # fmt: skip
def test_settings_that_change_the_posterior_leave_the_sum_true(changed):
    _, rows, _ = refined("table 2 missing")
    nb = db.NaiveBayes(**changed).fit(rows, "label")
    assert nb._fitted().refinement is not None
    found, log_posterior = nb.explain(rows), nb.predict_log_proba(rows)
    every = np.arange(len(found))
    odds = (log_posterior[every, found.contrast.favour] - log_posterior[every, found.contrast.against]) * DECIBANS
    assert np.abs(found.prior + found.evidence.sum(axis=1) + found.adjustment - odds).max() < 1e-9
    derivation = nb.derive(rows.slice(0, 1))
    is_changed = "class_weight" in changed
    assert ("predicted, after what changes the posterior" in str(derivation)) == is_changed
    assert np.allclose(derivation.predicted, nb.predict_proba(rows.slice(0, 1))[0])


def test_without_refinement_the_lines_are_the_columns():
    _, rows, _ = refined("table 2 complete")
    plain = db.NaiveBayes().fit(rows, "label").reestimate(refine=None)
    assert plain._fitted().refinement is None
    assert plain.explain(rows).lines == tuple(rows.column_names[:-1])
    assert not plain.importance().is_refined
