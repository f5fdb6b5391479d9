"""The promise on real data: the same rows give the same model, whatever their order, batches and shards.

``python -m benchmarks.promise`` prints, for ``adult``, the largest difference of any probability between models of
shuffled, streamed and merged rows, and whether their files are equal byte for byte; what forgetting leaves behind; the
log-loss of choices on a sample next to choices on all rows, for rows drawn by Zipf's law; streams of batches of ten
next to one fit; and the recall of a rare class under a uniform prior, by every way to set one.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

import deciban as db
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.report import announce, table_line

STREAMED = ("adult", "mushroom", "spambase", "kr_vs_kp", "sick")


def file_of(nb: db.NaiveBayes) -> bytes:
    """Return the model file with its sample."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.deciban"
        nb.save(path, rows=True)
        return path.read_bytes()


def stream(frame: pd.DataFrame, target: str, size: int) -> db.NaiveBayes:
    """Return a model that has learned batches of a size, one after another."""
    nb = db.NaiveBayes()
    for begin in range(0, len(frame), size):
        nb.partial_fit(frame.iloc[begin : begin + size], target)
    return nb


def variants(frame: pd.DataFrame, target: str, ones: bool) -> Iterator[tuple[str, db.NaiveBayes]]:
    """Yield models of the same rows, each learned in another way."""
    for seed in range(10):
        yield f"shuffle {seed}", db.NaiveBayes().fit(frame.sample(frac=1.0, random_state=seed), target)
    for size in (1, 10, 1000) if ones else (10, 1000):
        yield f"batches of {size}, then tune()", stream(frame, target, size).tune()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        shards = np.array_split(rng.permutation(len(frame)), 10)
        models = [db.NaiveBayes().fit(frame.iloc[shard], target) for shard in shards]
        order = rng.permutation(10)
        yield f"ten shards, merged in random order {seed}", sum((models[i] for i in order[1:]), models[order[0]])


def orders(table: Table, ones: bool) -> list[str]:
    """Return a table of the differences between models of the same rows."""
    frame, target = table.frame, table.target
    whole = db.NaiveBayes().fit(frame, target)
    expected, file = whole.predict_proba(frame), file_of(whole)
    lines = [table_line(("rows of adult", "largest difference of a probability", "file")), "| --- | --- | --- |"]
    for name, nb in variants(frame, target, ones):
        announce(name)
        difference = np.abs(nb.predict_proba(frame) - expected).max()
        lines.append(table_line((name, f"{difference:g}", "equal" if file_of(nb) == file else "different")))
    return lines


def forgetting(table: Table) -> list[str]:
    """Return what rows that were added and forgotten leave behind."""
    frame, target = table.frame, table.target
    extra = frame.sample(1000, random_state=1)
    rest = frame.drop(extra.index)
    never = db.NaiveBayes().fit(rest, target)
    nb = db.NaiveBayes().fit(frame, target).forget(extra, target)
    truth, y = never.predict_proba(extra), extra[target]
    equal = nb._copy(replace(nb._fitted(), choices=never._fitted().choices)).predict_proba(frame)
    difference = np.abs(equal - never.predict_proba(frame)).max()
    losses = [log_loss(y, p, labels=never.classes_) for p in (truth, nb.predict_proba(extra))]
    more = losses[1] - losses[0]
    return [
        f"- forgetting 1,000 rows, against never having seen them: largest difference at equal choices {difference:g}; "
        f"after choosing again on {nb.chosen_.rows:,} rows, log-loss of these rows {losses[1]:.4f} against "
        f"{losses[0]:.4f} ({more:+.4f}, at most 0.002 apart: {reached(abs(more), 0.002)})",
    ]


def frequent_rows(table: Table) -> list[str]:
    """Return the log-loss of choices on a sample and on all rows, where few rows are very frequent."""
    frame, target = table.frame, table.target
    rng = np.random.default_rng(0)
    order = rng.permutation(len(frame))
    distinct, test = frame.iloc[order[:20_000]], frame.iloc[order[20_000:]]
    share = 1 / np.arange(1, len(distinct) + 1)
    copies = np.bincount(rng.choice(len(distinct), 1_000_000, p=share / share.sum()), minlength=len(distinct))
    weighted = distinct.assign(copies=copies)[copies > 0]
    losses = []
    for remember in (5000, 1_000_000):
        announce(f"Zipf's law, {remember} rows remembered")
        nb = db.NaiveBayes(remember=remember).fit(weighted, target, sample_weight="copies")
        losses.append(log_loss(test[target], nb.predict_proba(test), labels=nb.classes_))
    difference = losses[0] - losses[1]
    return [
        f"- 1,000,000 rows drawn by Zipf's law from 20,000: log-loss {losses[0]:.4f} on other rows, {losses[1]:.4f} "
        f"with choices on all rows ({difference:+.4f}, at most 0.005: {reached(difference, 0.005)})"
    ]


def streams(sets: tuple[str, ...]) -> list[str]:
    """Return the log-loss of streams of batches of ten rows next to that of one fit of the same 3,000 rows."""
    lines = [table_line(("3,000 rows of", "fit", "batches of 10", "at most 0.005 apart")), "| --- | --- | --- | --- |"]
    for table in tables(sets):
        announce(f"stream of {table.name}")
        order = np.random.default_rng(0).permutation(len(table.frame))
        frame, test = table.frame.iloc[order[:3000]], table.frame.iloc[order[3000:]]
        test = test if len(test) >= 100 else frame
        models = db.NaiveBayes().fit(frame, table.target), stream(frame, table.target, 10)
        losses = [log_loss(test[table.target], nb.predict_proba(test), labels=nb.classes_) for nb in models]
        verdict = reached(abs(losses[1] - losses[0]), 0.005)
        lines.append(table_line((table.name, f"{losses[0]:.4f}", f"{losses[1]:.4f}", verdict)))
    return lines


def rare_class(table: Table) -> list[str]:
    """Return the recall of a rare class under a uniform prior, by every way to set one."""
    frame, target = table.frame, table.target
    order = np.random.default_rng(0).permutation(len(frame))
    train, test = frame.iloc[order[:2500]], frame.iloc[order[2500:]]
    plain = db.NaiveBayes().fit(train, target)
    rare = train[target].value_counts().index[-1]
    routes = {
        "none": plain,
        "class_prior='uniform' in fit": db.NaiveBayes(class_prior="uniform").fit(train, target),
        "class_weight='balanced' in fit": db.NaiveBayes(class_weight="balanced").fit(train, target),
        "with_class_prior('uniform')": plain.with_class_prior("uniform"),
        "reestimate(class_prior='uniform')": db.NaiveBayes().fit(train, target).reestimate(class_prior="uniform"),
    }
    uniform = plain.with_class_prior("uniform").predict_proba(test)
    lines = [table_line(("prior", f"recall of {rare!r} in {table.name}", "largest difference")), "| --- | --- | --- |"]
    for name, nb in routes.items():
        recall = (nb.predict(test)[(test[target] == rare).to_numpy()] == rare).mean()
        difference = np.abs(nb.predict_proba(test) - uniform).max()
        lines.append(table_line((name, f"{recall:.3f}", "" if name == "none" else f"{difference:.1g}")))
    return lines


def reached(value: float, bound: float) -> str:
    return "yes" if value <= bound else "no"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promise", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="leave out the stream of single rows, which takes minutes")
    given = parser.parse_args()
    found = {table.name: table for table in tables(("adult", "sick"))}
    if len(found) < 2:
        raise SystemExit(NO_DATA)
    adult = found["adult"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print("\n".join(orders(adult, not given.quick)), end="\n\n")
        print("\n".join([*forgetting(adult), *frequent_rows(adult)]), end="\n\n", flush=True)
        print("\n".join(streams(STREAMED)), end="\n\n", flush=True)
        print("\n".join(rare_class(found["sick"])))


if __name__ == "__main__":
    main()
