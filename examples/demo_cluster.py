"""Demo for `make demo-cluster`: one model file from one machine, two Dask processes and two Spark executors.

Spark is left out where it, or Java, is absent.
"""

import importlib.util
import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import deciban as db

ROWS, PARTITIONS = 3000, 6
WORDS = ["late", "broken", "again", "refund", "thanks", "great", "fast", "friendly", "order", "parcel", "shop", "box"]


def letters() -> pd.DataFrame:
    """Return letters to a shop: numbers, categories, texts, and whether the writer is content."""
    rng = np.random.default_rng(0)
    content = rng.random(ROWS) < 0.6
    tilt = np.where(content[:, None], [1, 1, 1, 1, 3, 3, 3, 3, 2, 2, 2, 2], [3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 2, 2])
    return pd.DataFrame(
        {
            "days": rng.poisson(np.where(content, 2, 5)),
            "price": rng.lognormal(3, 1, ROWS).round(2),
            "country": rng.choice(["at", "de", "nl"], ROWS),
            "letter": [" ".join(rng.choice(WORDS, 6, p=row / row.sum())) for row in tilt],
            "writer": np.where(content, "content", "angry"),
        }
    )


@contextmanager
def dask_frame(rows: pd.DataFrame) -> Iterator[Any]:
    """Give the rows to a Dask cluster of two worker processes."""
    from dask import dataframe
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster),
    ):
        yield dataframe.from_pandas(rows, npartitions=PARTITIONS)


@contextmanager
def spark_frame(rows: pd.DataFrame) -> Iterator[Any]:
    """Give the rows to a Spark cluster of two executors with one core each."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "900m",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
    }
    session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield session.createDataFrame(rows).repartition(PARTITIONS)
    finally:
        session.stop()


def train(title: str, rows: Any, folder: Path) -> str:
    """Train on rows, save the model, and print and return the digest of its file."""
    path = folder / f"{title.split(',')[0]}.deciban"
    db.NaiveBayes().fit(rows, "writer").save(path)
    digest = sha256(path.read_bytes()).hexdigest()
    print(f"{title:45} {path.stat().st_size:6,} bytes  sha256 {digest[:16]}", flush=True)
    return digest


def main() -> None:
    """Train everywhere and compare the files."""
    warnings.simplefilter("ignore", FutureWarning)  # of Spark, about new versions of pandas
    rows = letters()
    with TemporaryDirectory() as name:
        folder = Path(name)
        digests = {train("one machine", rows, folder)}
        with dask_frame(rows) as frame:
            digests.add(train("Dask, two worker processes", frame, folder))
        if importlib.util.find_spec("pyspark") and (shutil.which("java") or "JAVA_HOME" in os.environ):
            with spark_frame(rows) as frame:
                digests.add(train("Spark, two executors", frame, folder))
        else:
            print("Spark, or the Java that it needs, is absent and is left out.")
    if len(digests) > 1:
        sys.exit("the files differ")
    print("The files are equal, byte for byte.")


if __name__ == "__main__":
    main()
