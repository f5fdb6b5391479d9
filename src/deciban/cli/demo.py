"""deciban demo: fit, show, evaluate, explain and predict on a small table that is made up on the spot."""

from __future__ import annotations

from pathlib import Path

import click

from deciban.cli.main import Command

LOANS = 2000
# The model is trained on these, and evaluated on the others.
TRAINED_LOANS = 1500


@click.command(cls=Command, example="deciban demo")
def demo() -> None:
    """Make up a table of loans (numbers, words, booleans, missing values), then fit, show, evaluate, explain, predict.

    The model is evaluated on loans that it was not trained on.
    """
    import tempfile

    from deciban.cli.main import deciban_command

    with tempfile.TemporaryDirectory() as folder:
        header, *loans = synthetic_loans().splitlines(keepends=True)
        Path(folder, "train.csv").write_text("".join([header, *loans[:TRAINED_LOANS]]))
        Path(folder, "test.csv").write_text("".join([header, *loans[TRAINED_LOANS:]]))
        click.echo(
            f"{LOANS:,} loans, made up: {TRAINED_LOANS:,} to train on (train.csv), and {LOANS - TRAINED_LOANS:,} that "
            "the model does not see until it is tested (test.csv).\n"
        )
        for words in DEMO_COMMANDS:
            click.secho(f"$ deciban {' '.join(words)}", bold=True)
            deciban_command([_in_folder(word, folder) for word in words], standalone_mode=False)
            click.echo()
        click.echo("".join(Path(folder, "out.csv").read_text().splitlines(keepends=True)[:6]), nl=False)


DEMO_COMMANDS = [
    line.split()
    for line in (
        "fit train.csv --target repaid -o loans.deciban",
        "show loans.deciban",
        "evaluate loans.deciban test.csv",
        "explain loans.deciban test.csv --row 1",
        "predict loans.deciban test.csv --proba --reasons 1 --keep id -o out.csv",
    )
]


def _in_folder(word: str, folder: str) -> str:
    """Return a file's path in a folder, and any other word as it is."""
    return str(Path(folder, word)) if word.endswith((".csv", ".deciban")) else word


def synthetic_loans() -> str:
    """Return a CSV of loans in which income, city, age and guarantor are evidence about repayment."""
    import numpy as np

    rng = np.random.default_rng(0)
    repaid = rng.random(LOANS) < 0.7
    age = np.clip(rng.normal(np.where(repaid, 44, 35), 11), 18, 90).astype(int).astype(str)
    income = np.exp(rng.normal(np.where(repaid, 10.6, 10.2), 0.5)).round(2).astype(str)
    cities = np.array(["Bergen", "Gdańsk", "Lyon", "Porto"])
    city = cities[np.where(repaid, rng.choice(4, LOANS, p=[0.4, 0.3, 0.2, 0.1]), rng.integers(0, 4, LOANS))]
    guarantor = np.where(rng.random(LOANS) < np.where(repaid, 0.35, 0.15), "true", "false")
    for column in (age, income, city):
        column[rng.random(LOANS) < 0.05] = ""
    rows = zip(range(1, LOANS + 1), age, income, city, guarantor, np.where(repaid, "yes", "no"))
    return "id,age,income,city,guarantor,repaid\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
