"""A program for test_spark_processes.py: an executor of Spark is killed during fit, and another one during predict.

It is a process of its own, because a process has one Spark context, and this one has a cluster of two executors.
"""

import os
import signal
import sys
import threading
import time
import warnings
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyspark
from engine_frames import assert_same_model, mixed_rows
from pyspark.sql import SparkSession

import deciban as db

warnings.simplefilter("ignore")
PARTITIONS, PATIENCE = 8, 300


def slowly(folder):
    """Return a function that yields batches after a while, and leaves a file that says that work has begun."""

    def pass_on(batches):
        for batch in batches:
            Path(folder, uuid4().hex).touch()
            time.sleep(0.3)
            yield batch

    return pass_on


def parent(process):
    """Return the id of a process's parent, 0 if the process has ended."""
    try:
        return int(Path("/proc", str(process), "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def executors():
    """Return the ids of the executors that descend from this process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        ancestor = int(folder.name)
        while ancestor > 1 and ancestor != os.getpid():
            ancestor = parent(ancestor)
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if ancestor == os.getpid() and b"CoarseGrainedExecutorBackend" in command:
            found.append(int(folder.name))
    return found


def kill_during(work, folder):
    """Return the result of some work, during which an executor is killed by its id."""
    killed = []

    def wait_and_kill():
        end = time.monotonic() + PATIENCE
        while len(list(folder.iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.02)
        killed.extend(executors()[:1])
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=wait_and_kill)
    thread.start()
    result = work()
    thread.join()
    assert killed[0] not in executors()
    return result


def main(folder):
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
    rows = mixed_rows(160)[["number", "colour", "id", "label"]]
    frame = session.createDataFrame(rows).repartition(PARTITIONS)
    folders = [Path(folder, name) for name in ("fit", "predict")]
    for each in folders:
        each.mkdir()
    slow = [frame.mapInArrow(slowly(str(each)), frame.schema) for each in folders]
    one, many = (db.NaiveBayes({"id": None}, alpha="auto", calibrate=False, refine=None) for _ in range(2))
    kill_during(lambda: many.fit(slow[0], "label"), folders[0])
    assert_same_model(one.fit(rows, "label"), many)
    print("an executor was killed during fit")
    predicted = many.predict_proba(slow[1])
    found = kill_during(predicted.toPandas, folders[1]).sort_values("id")
    assert np.array_equal(found[["probability_p", "probability_q"]].to_numpy(), one.predict_proba(rows))
    print("an executor was killed during predict")
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1])
