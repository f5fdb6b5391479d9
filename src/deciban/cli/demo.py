"""deciban demo: fit, show, evaluate and predict on a small table that is made up on the spot."""

from __future__ import annotations

from pathlib import Path

import click

from deciban.cli.main import Command

LOANS = 2000


@click.command(cls=Command, example="deciban demo")
def demo() -> None:
    """Make up a table of loans (numbers, words, booleans, missing values), then fit, show, evaluate and predict."""
    import tempfile

    from deciban.cli.main import deciban_command

    with tempfile.TemporaryDirectory() as folder:
        loans, model = Path(folder) / "loans.csv", Path(folder) / "loans.deciban"
        loans.write_text(synthetic_loans())
        for words in (
            ["fit", str(loans), "--target", "repaid", "-o", str(model)],
            ["show", str(model)],
            ["evaluate", str(model), str(loans)],
            [
                "predict",
                str(model),
                str(loans),
                "--proba",
                "--keep",
                "id",
                "--format",
                "csv",
                "-o",
                f"{folder}/out.csv",
            ],
        ):
            click.secho(f"$ deciban {' '.join(words)}".replace(f"{folder}/", ""), bold=True)
            deciban_command(words, standalone_mode=False)
            click.echo()
        click.echo("".join(Path(folder, "out.csv").read_text().splitlines(keepends=True)[:6]), nl=False)


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
