"""Accuracy of deciban without options, and of naive Bayes and other classifiers of scikit-learn, on real tables.

``python -m benchmarks.accuracy`` prints accuracy and log-loss under stratified ten-fold cross-validation, with the same
folds for all, and whether three conditions hold: deciban's mean accuracy is 0.01 above the best single pipeline's, its
log-loss is at most 0.6 times as large, and on no set is deciban more than 0.02 below the best pipeline of that set. A
set that is not in the folder ``DECIBAN_DATA`` is skipped.

- ``--all`` reads every table. It adds classifiers that are not naive Bayes, and compares deciban with its plain model.
- ``--tuned`` prints deciban next to gradient boosting with chosen settings, on tables of up to 12,000 rows.
- ``--rows`` prints deciban with ``refine="rows"`` next to its default, on tables of 10,000 rows or more.

deciban gets the frame as ``pandas.read_csv`` reads it and is always computed. The predictions of the others are kept in
``build/accuracy``; ``--fresh`` computes them again.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Mapping

import numpy as np

import deciban as db
from benchmarks import tuned_boosting
from benchmarks.kept_results import KeptResults
from benchmarks.naive_bayes_pipelines import score_pipelines
from benchmarks.peers import PEERS, predict_peers
from benchmarks.race import OWN
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.refinements import (
    ALL_ROWS,
    MANY_ROWS,
    PLAIN,
    Comparison,
    all_rows_report,
    compare,
    plain_report,
    predict_own,
)
from benchmarks.report import announce, yes_no
from benchmarks.scores import Predictions, Score, figures_table, mean_figures, score_predictions

SETS = ("adult", "mushroom", "car", "house_votes_84", "titanic", "german_credit", "hypothyroid", "colic", "heart_c")
ALLOWED_GAP = 0.02
ASKED_LEAD, ASKED_LOSS = 0.01, 0.6
TUNED_ROWS = 12_000
TITLE = "Accuracy (log-loss in brackets), ten folds."

# Scores of contestants by table.
Results = dict[str, dict[str, Score]]


def score_all(predictions: Mapping[str, Predictions], table: Table) -> dict[str, Score]:
    return {name: score_predictions(found, table.frame[table.target]) for name, found in predictions.items()}


def pipelines_report(results: Results) -> list[str]:
    """Return the table of naive Bayes pipelines with the means, and the verdict on deciban if it took part."""
    best = {"best pipeline": lambda data, found: best_pipeline(found)}
    lines = figures_table(TITLE, results, after=best)
    mean = mean_figures(results)
    return [*lines, "", *verdict(results, mean)] if OWN in mean else lines


def best_pipeline(found: Mapping[str, Score]) -> str:
    return max((name for name in found if name not in (OWN, PLAIN)), key=lambda name: found[name].accuracy)


def verdict(results: Results, mean: dict[str, Score]) -> list[str]:
    """Return the three conditions, and whether they hold."""
    best = mean[best_pipeline(mean)]
    ahead, share = mean[OWN].accuracy - best.accuracy, mean[OWN].log_loss / best.log_loss
    gaps = {data: found[best_pipeline(found)].accuracy - found[OWN].accuracy for data, found in results.items()}
    worst = max(gaps, key=gaps.__getitem__)
    worst_of_nine = max([data for data in gaps if data in SETS] or gaps, key=gaps.__getitem__)
    return [
        f"- mean accuracy minus that of the best single pipeline, {best_pipeline(mean)}: {ahead:+.4f}"
        f" (at least {ASKED_LEAD}: {yes_no(ahead >= ASKED_LEAD)})",
        f"- mean log-loss, as a share of that pipeline's: {share:.3f}"
        f" (at most {ASKED_LOSS}: {yes_no(share <= ASKED_LOSS)})",
        f"- furthest below the best pipeline of a set, among the nine with words, numbers and missing values: "
        f"{gaps[worst_of_nine]:.4f} on {worst_of_nine}"
        f" (at most {ALLOWED_GAP}: {yes_no(gaps[worst_of_nine] <= ALLOWED_GAP)}); "
        f"of all: {gaps[worst]:.4f} on {worst}",
    ]


def peers_report(title: str, results: Results) -> list[str]:
    """Return the table of deciban and of classifiers that are not naive Bayes, and the differences from each."""
    lines, names = figures_table(title, results), next(iter(results.values()))
    if OWN in names:
        peers = [name for name in names if not name.startswith(OWN)]
        lines += ["", *(line for peer in peers for line in difference_lines(results, peer))]
    return lines


def difference_lines(results: Results, peer: str) -> list[str]:
    """Return two lines: deciban's accuracy and log-loss minus those of a peer, over the tables."""
    lines = []
    for index, (figure, sign) in enumerate((("accuracy", 1), ("log-loss", -1))):
        differences = np.array([found[OWN][index] - found[peer][index] for found in results.values()])
        error = differences.std(ddof=1) / np.sqrt(len(differences)) if len(differences) > 1 else np.nan
        better, worse = ((side * sign * differences > 0).sum() for side in (1, -1))
        lines.append(
            f"- {figure} minus that of {peer}: mean {differences.mean():+.4f} (± {2 * error:.4f}, two standard errors "
            f"over the tables), median {np.median(differences):+.4f}; better on {better} tables, worse on {worse}"
        )
    return lines


def compare_pipelines(kept: KeptResults, all_tables: bool, with_deciban: bool) -> list[str]:
    """Return the report on naive Bayes pipelines and, for all tables, those on other peers and on the plain model."""
    pipelines: Results = {}
    peers: Results = {}
    comparisons: dict[str, Comparison] = {}
    own_names = ((OWN, PLAIN) if all_tables else (OWN,)) if with_deciban else ()
    for table in tables(None if all_tables else SETS):
        announce(table.name)
        own = predict_own(table, own_names)
        pipelines[table.name] = score_pipelines(table, kept) | score_all(own, table)
        if all_tables:
            peers[table.name] = score_all(own | predict_peers(table, kept), table)
        if PLAIN in own:
            comparisons[table.name] = compare(own[OWN], own[PLAIN], table.frame[table.target])
    if not pipelines:
        return [NO_DATA]
    lines = pipelines_report(pipelines)
    lines += ["", *peers_report(f"Peers of other kinds: {', '.join(PEERS)}. {TITLE}", peers)] if peers else []
    return [*lines, "", *plain_report(comparisons)] if comparisons else lines


def compare_tuned(kept: KeptResults, with_deciban: bool) -> list[str]:
    """Return the report on gradient boosting with chosen settings."""
    results: Results = {}
    for table in select_tables(lambda rows: rows <= TUNED_ROWS):
        own = predict_own(table, (OWN,) if with_deciban else ())
        tuned = kept.predictions(table, tuned_boosting.NAME, tuned_boosting.TunedBoosting(table))
        results[table.name] = score_all({**own, tuned_boosting.NAME: tuned}, table)
    return peers_report(f"Tables of up to {TUNED_ROWS:,} rows. {TITLE}", results) if results else [NO_DATA]


def compare_all_rows() -> list[str]:
    """Return the report on ``refine="rows"``."""
    comparisons = {}
    for table in select_tables(lambda rows: rows >= MANY_ROWS):
        own = predict_own(table, (OWN, ALL_ROWS))
        comparisons[table.name] = compare(own[ALL_ROWS], own[OWN], table.frame[table.target])
    return all_rows_report(comparisons) if comparisons else [NO_DATA]


def select_tables(is_wanted: Callable[[int], bool]) -> list[Table]:
    """Return the tables whose number of rows is wanted."""
    return [table for table in tables() if is_wanted(len(table.frame))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__.partition("\n")[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="every table in the folder's index, and more peers")
    which.add_argument("--tuned", action="store_true", help="gradient boosting with chosen settings")
    which.add_argument("--rows", action="store_true", help='refine="rows" next to the default, on large tables')
    parser.add_argument("--without-deciban", action="store_true", help="the others alone; not with --rows")
    parser.add_argument("--fresh", action="store_true", help="compute the others again instead of reading kept results")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=db.ColumnWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")  # rare classes, constant columns
    kept, with_deciban = KeptResults(given.fresh), not given.without_deciban
    if given.tuned:
        lines = compare_tuned(kept, with_deciban)
    elif given.rows:
        lines = compare_all_rows()
    else:
        lines = compare_pipelines(kept, given.all, with_deciban)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
