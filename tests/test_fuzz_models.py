"""The fuzzer of models: it covers the registry, agrees with deciban, finds planted mistakes, and makes cases small."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from event_models import REGISTRY

import deciban as db
from fuzz.models.cases import CHECKS, STEPS, make_case
from fuzz.models.checks import Finding
from fuzz.models.choices import WAYS, Choices
from fuzz.models.columns import MAKERS
from fuzz.models.session import Session
from fuzz.models.shrink import finding_of, shrink

SEEDS = range(1, 40)


def test_every_event_model_of_the_registry_has_a_reference():
    assert MAKERS.keys() == REGISTRY.keys()


def test_every_operation_is_one_of_a_session():
    assert all(hasattr(Session, name) for name in (*STEPS, *CHECKS))
    assert all(hasattr(Choices, way) for way in WAYS)


@pytest.mark.slow
def test_deciban_agrees_with_the_reference():
    counts = Counter()
    for seed in SEEDS:
        Session(make_case(seed), counts).run()
    assert {name for name, _ in counts} == MAKERS.keys()


def test_a_case_follows_from_its_seed():
    assert str(make_case(3)) == str(make_case(3)) != str(make_case(4))


def test_a_planted_mistake_is_found_and_its_case_made_small(monkeypatch):
    estimate = db.Bernoulli.smoothed

    def mistaken(self, statistics, estimation):
        ones, zeros = estimate(self, statistics, estimation)
        return ones + 1e-6, zeros

    monkeypatch.setattr(db.Bernoulli, "smoothed", mistaken)
    seed = next(s for s in SEEDS if any(part.name == "bernoulli" for part in make_case(s).parts))
    case = make_case(seed)
    found = finding_of(case)
    assert isinstance(found, Finding)
    small = shrink(case, found.kind, seconds=20)
    assert len(small.rows) <= 2
    assert [part.name for part in small.parts] == ["bernoulli"]
    assert finding_of(small).kind == found.kind


def test_a_row_lost_in_a_merge_is_found(monkeypatch):
    monkeypatch.setattr(db.NaiveBayes, "merge", lambda self, other: self)
    case = make_case(1)
    merging = replace(case.operations[0], name="merge")
    found = finding_of(replace(case, operations=(case.operations[0], merging)))
    assert found is not None
    assert found.kind.startswith("merge")


def test_a_model_that_depends_on_the_order_of_rows_is_found(monkeypatch):
    Choices(10).run(Counter())
    predict = db.NaiveBayes.predict_proba
    shift = iter(np.linspace(0, 1e-9, 1000))
    monkeypatch.setattr(db.NaiveBayes, "predict_proba", lambda self, X: predict(self, X) + next(shift))
    with pytest.raises(Finding, match="choices"):
        Choices(10).run(Counter())
