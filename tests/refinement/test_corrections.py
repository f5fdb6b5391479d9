"""Corrections: learned evidence of words, on top of the counted evidence of texts."""

import csv
import warnings

import numpy as np
import pytest
from corrected_texts import made_texts

import deciban as db
from deciban.arrays.documents import documents_of
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.choosing.correcting import Lessons, Teacher
from deciban.choosing.rows_again import LabelledRows
from deciban.choosing.sample_rows import SampleRows
from deciban.estimators.frame_rows import FrameRows
from deciban.explain.row_explanation import DECIBANS

MODELS = {
    "bag": db.Words(),
    "set": db.Words("set"),
    "binary": db.Words("binary"),
    "pairs": db.Words("binary", ngrams=(1, 2)),
    "complement": db.Words(complement=True),
    "tfidf": db.Words(transform="tfidf"),
    "lift": db.Words(transform="tfidf", idf=False, evidence="lift", neutral=0.4),
    "hashed": db.Words(buckets=512),
}
SETTINGS = {"refine": "rows", "calibrate": "temperature"}
TEXTS, LABELS = made_texts(900)
NEW_TEXTS = [*made_texts(60, seed=3)[0], "", "nothing known", "theme1word1 theme1word1 theme4word0 theme4word0"]


def fitted(model, texts=TEXTS, labels=LABELS, **settings):
    return db.NaiveBayes(model, **SETTINGS | settings).fit(texts, labels)


@pytest.fixture(scope="module", params=list(MODELS))
def corrected(request):
    """Return a corrected model of every kind of text."""
    nb = fitted(MODELS[request.param])
    assert correction(nb) is not None
    return nb


def correction(nb):
    refinement = nb._fitted().refinement
    return None if refinement is None else refinement.correction


def test_a_correction_gains_where_words_repeat_each_other():
    texts, labels = made_texts(2000, seed=9)
    losses = []
    for refine in ("rows", None):
        nb = fitted(MODELS["bag"], refine=refine)
        losses.append(-np.log(nb.predict_proba(texts)[np.arange(2000), np.searchsorted(nb.classes_, labels)]).mean())
    assert losses[0] < losses[1] - 0.05


def test_scores_are_weighted_counts_and_learned_evidence(corrected):
    """score = log P(c) + offset + weight · (size / mean size)^−power · counted + Σ value · Δ, word by word."""
    classifier = corrected._fitted()
    refinement, learned = classifier.refinement, correction(corrected)
    scorer, plain = classifier.model.parts[0].scorer, classifier.model.plain
    delta = dict(zip(learned.terms.tolist(), learned.delta.astype(float)))
    hashes = scorer.vocabulary.hash.tolist()
    counted = plain.joint_log_probability(Texts.of(NEW_TEXTS)) - plain.log_prior
    for text, own in zip(NEW_TEXTS, counted):
        size = np.clip(abs(own.max()) / learned.size, 0.01, 100) if np.isfinite(own.max()) else 1.0
        score = plain.log_prior + refinement.offsets + refinement.column_weights[0] * size**-learned.power * own
        row = scorer.rows(documents_of([text]))
        gain = np.ones(len(row.indices)) if scorer.gain is None else scorer.gain[row.indices]
        for word, value in zip(row.indices.tolist(), row.data / gain):
            score = score + value * delta.get(hashes[word], 0.0)
        expected = score - np.logaddexp.reduce(score)
        assert np.allclose(corrected.predict_log_proba([text])[0], expected, rtol=0, atol=1e-9)


def test_explanations_add_up_and_so_do_their_addends(corrected):
    explanation = corrected.explain(NEW_TEXTS)
    odds = corrected.predict_log_proba(NEW_TEXTS)
    pair = explanation.favour, explanation.against
    favour, against = (np.searchsorted(corrected.classes_, names) for names in pair)
    rows = np.arange(len(NEW_TEXTS))
    expected = DECIBANS * (odds[rows, favour] - odds[rows, against])
    assert np.allclose(explanation.prior + explanation.evidence.sum(axis=1), expected, rtol=0, atol=1e-9)
    for row, whole in zip(explanation, expected):
        assert row.prior + row.evidence.sum() == pytest.approx(whole, rel=0, abs=1e-9)
        assert row.adjustment == 0


def test_learned_addends_are_the_difference_to_the_weighted_counts(corrected):
    row = corrected.explain(NEW_TEXTS[:1])[0]
    found = row.to_dict(("text",))["evidence"]
    words = [item for item in found if "learned" in item]
    assert words
    assert all(item["counted"] + item["learned"] == pytest.approx(item["decibans"], abs=1e-9) for item in words)
    assert any(abs(item["learned"]) > 0.01 for item in words)
    assert "learned)" in str(row)
    assert "learned)" in row.to_html()


def test_derivations_show_counted_and_learned_lines_that_add_up_to_the_score(corrected):
    text = NEW_TEXTS[0]
    derivation = corrected.derive([text])
    scores = sum(line.decibans for line in derivation.lines)
    scores = scores if derivation.hidden is None else scores + derivation.hidden
    joint = corrected._fitted().model.joint_log_probability(Texts.of([text]))[0] * DECIBANS
    assert np.allclose(scores - scores[0], joint - joint[0], rtol=0, atol=1e-9)
    assert any("learned" in line.factor.name for line in derivation.lines)
    assert "that a correction has learned from all rows" in " ".join(derivation.remarks)


def test_files_hold_corrections(corrected, tmp_path):
    corrected.save(tmp_path / "model.deciban")
    loaded = db.load(tmp_path / "model.deciban")
    assert np.array_equal(loaded.predict_proba(NEW_TEXTS), corrected.predict_proba(NEW_TEXTS))
    assert correction(loaded) == correction(corrected)
    assert "learned evidence of" in str(loaded)


def test_words_of_one_document_alone_have_no_learned_evidence():
    texts = [f"{text} only{i}" for i, text in enumerate(TEXTS)]
    nb = fitted(MODELS["bag"], texts)
    vocabulary = nb._fitted().model.parts[0].scorer.vocabulary
    known = set(correction(nb).terms.tolist())
    alone = [h for h, word in zip(vocabulary.hash.tolist(), vocabulary.words) if word.startswith("only")]
    assert len(alone) == len(TEXTS)
    assert not known.intersection(alone)


@pytest.mark.parametrize("remember", [5000, 400])
def test_the_order_of_the_rows_and_the_number_of_threads_do_not_matter(remember):
    expected = fitted(MODELS["tfidf"], remember=remember).predict_proba(NEW_TEXTS)
    order = np.random.default_rng(1).permutation(len(TEXTS))
    shuffled = [TEXTS[i] for i in order], LABELS[order]
    for threads in (1, 3):
        nb = fitted(MODELS["tfidf"], *shuffled, remember=remember, threads=threads)
        assert np.allclose(nb.predict_proba(NEW_TEXTS), expected, rtol=0, atol=1e-10)


def test_a_file_teaches_what_a_list_does(tmp_path):
    with open(tmp_path / "texts.csv", "w", newline="") as file:
        csv.writer(file).writerows([["text", "label"], *zip(TEXTS, LABELS)])
    for remember in (5000, 400):
        columns = {"text": MODELS["tfidf"]}
        nb = db.NaiveBayes(columns, **SETTINGS, remember=remember).fit(tmp_path / "texts.csv", "label")
        listed = fitted(MODELS["tfidf"], remember=remember)
        assert correction(nb).rows == correction(listed).rows == len(TEXTS)
        assert correction(nb).passes == correction(listed).passes


def test_rows_that_fit_in_memory_are_taught_in_the_order_of_their_keys(monkeypatch):
    nb = fitted(MODELS["tfidf"], remember=400)
    classifier = nb._fitted()
    names, codes = np.unique(LABELS, return_inverse=True)
    teacher = Teacher.of(classifier, SampleRows.of(classifier))
    every = FrameRows(Texts.of(TEXTS), names, Labels(3, codes.astype(np.int32)), 1)
    (kept,) = Lessons(teacher, every)
    assert len(kept.codes) == len(TEXTS)
    monkeypatch.setattr("deciban.choosing.correcting.KEPT_ENTRIES", 10)
    monkeypatch.setattr("deciban.estimators.frame_rows.ROWS_READ_AGAIN", 100)
    parts = list(Lessons(teacher, every))
    assert len(parts) == 9
    assert np.array_equal(np.concatenate([part.base for part in parts]), kept.base)
    assert np.array_equal(np.concatenate([part.codes for part in parts]), kept.codes)


def test_rows_held_out_are_scored_by_a_model_that_never_saw_them():
    plain = db.NaiveBayes(MODELS["tfidf"], alpha=0.5, calibrate="temperature").fit(TEXTS, LABELS)
    classifier = plain._fitted()
    teacher = Teacher.of(classifier, SampleRows.of(classifier))
    names, codes = np.unique(LABELS, return_inverse=True)
    held = LabelledRows(Texts.of(TEXTS[:200]), names, Labels(3, codes[:200].astype(np.int32)))
    rest = teacher.without(held)
    other = db.NaiveBayes(MODELS["tfidf"], alpha=0.5).fit(TEXTS[200:], LABELS[200:])._fitted()
    expected = other.model.joint_log_probability(held.x)
    teacher.temperature.apply(expected, other.log_prior)
    assert np.allclose(rest.tested(held, np.ones(200)).base, expected, rtol=0, atol=1e-9)


def test_taught_rows_are_scored_without_themselves():
    nb = db.NaiveBayes(MODELS["bag"], alpha=0.5, calibrate="temperature").fit(TEXTS, LABELS)
    classifier = nb._fitted()
    teacher = Teacher.of(classifier, SampleRows.of(classifier))
    names, codes = np.unique(LABELS, return_inverse=True)
    given = LabelledRows(Texts.of(TEXTS[:20]), names, Labels(3, codes[:20].astype(np.int32)))
    found = teacher.taught(given, np.ones(20)).base
    left_out = nb.leave_one_out(TEXTS, LABELS)[:20]
    assert np.allclose(found - np.logaddexp.reduce(found, axis=1)[:, None], left_out, rtol=0, atol=1e-9)


def test_leave_one_out_is_that_of_the_counts():
    with_correction, without = fitted(MODELS["tfidf"]), fitted(MODELS["tfidf"], refine=None)
    found, expected = (nb.leave_one_out(TEXTS, LABELS) for nb in (with_correction, without))
    assert np.allclose(found, expected, rtol=0, atol=1e-12)


def test_forgetting_rows_of_a_complete_sample_teaches_again():
    more = made_texts(50, seed=4)
    nb = fitted(MODELS["tfidf"], [*TEXTS, *more[0]], np.r_[LABELS, more[1]])
    nb.forget(*more)
    expected = fitted(MODELS["tfidf"])
    assert np.allclose(nb.predict_proba(NEW_TEXTS), expected.predict_proba(NEW_TEXTS), rtol=0, atol=1e-9)


def test_merging_shards_of_complete_samples_teaches_as_one_fit_does():
    a, b = fitted(MODELS["lift"], TEXTS[:300], LABELS[:300]), fitted(MODELS["lift"], TEXTS[300:], LABELS[300:])
    expected = fitted(MODELS["lift"])
    assert np.allclose((a + b).predict_proba(NEW_TEXTS), expected.predict_proba(NEW_TEXTS), rtol=0, atol=1e-9)


def test_a_merge_of_cut_samples_says_that_the_evidence_of_all_rows_is_gone():
    parts = [fitted(MODELS["tfidf"], *made_texts(900, seed=seed), remember=400) for seed in (0, 1)]
    assert all(correction(nb) is not None for nb in parts)
    with pytest.warns(db.ChoiceWarning, match="had been learned from all rows .* so it is gone; fit again"):
        (parts[0] + parts[1]).predict(NEW_TEXTS)


def test_a_small_update_keeps_what_was_learned():
    nb = fitted(MODELS["tfidf"])
    before = correction(nb)
    nb.partial_fit(*made_texts(20, seed=4))
    assert correction(nb) == before
    assert not nb._fitted().refinement.counts_all_rows


def test_a_stream_can_teach_only_what_is_remembered():
    import pyarrow as pa

    batch = pa.record_batch({"text": TEXTS, "label": LABELS})
    reader = pa.RecordBatchReader.from_batches(batch.schema, iter([batch]))
    with pytest.warns(db.ChoiceWarning, match="can be read only once: .* single words is of the remembered"):
        nb = db.NaiveBayes({"text": MODELS["tfidf"]}, **SETTINGS, remember=400).fit(reader, "label")
    assert correction(nb) is None


def test_few_rows_are_not_taught():
    assert correction(fitted(MODELS["bag"], TEXTS[:90], LABELS[:90])) is None
    assert correction(fitted(MODELS["bag"], refine="sample")) is None


def test_a_sample_of_enough_rows_is_taught_by_default():
    texts, labels = made_texts(4500, seed=2)
    nb = db.NaiveBayes().fit(texts, labels)
    assert correction(nb) is not None
    assert correction(nb).rows == 4500
    assert correction(db.NaiveBayes(refine=None).fit(texts, labels)) is None


def test_a_larger_sample_teaches_more_rows():
    texts, labels = made_texts(7000, seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb = db.NaiveBayes(remember=50_000).fit(texts, labels)
    assert correction(nb).rows == 7000
    assert nb._fitted().refinement.counts_all_rows


def test_integrated_probabilities_are_not_corrected():
    assert correction(fitted(MODELS["bag"], estimate="predictive")) is None


def test_weights_are_copies():
    twice = fitted(MODELS["bag"], TEXTS + TEXTS, np.r_[LABELS, LABELS])
    weighted = db.NaiveBayes(MODELS["bag"], **SETTINGS).fit(TEXTS, LABELS, sample_weight=np.full(len(TEXTS), 2.0))
    assert np.allclose(twice.predict_proba(NEW_TEXTS), weighted.predict_proba(NEW_TEXTS), rtol=0, atol=1e-9)


def test_a_class_prior_acts_afterwards():
    nb = fitted(MODELS["tfidf"])
    uniform = nb.with_class_prior("uniform").predict_log_proba(NEW_TEXTS)
    shift = np.log(1 / 3) - np.log(nb._fitted().statistics.weight / len(TEXTS))
    expected = nb.predict_log_proba(NEW_TEXTS) + shift
    expected -= np.logaddexp.reduce(expected, axis=1)[:, None]
    assert np.allclose(uniform, expected, rtol=0, atol=1e-9)
