"""A program for test_spark_processes.py: learns on Spark Connect and on one machine, and prints whether both are equal.

It is a process of its own, because a process has sessions of Connect or classic ones, not both.
"""

import warnings

import numpy as np
from engine_frames import mixed_rows
from pyspark.sql import SparkSession

import deciban as db

warnings.simplefilter("ignore")


def main():
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
    }
    session = SparkSession.builder.remote("local[2]").config(map=settings).getOrCreate()
    rows = mixed_rows(120)[["number", "colour", "id", "label"]]
    frame = session.createDataFrame(rows).repartition(3)
    models = [db.NaiveBayes({"id": None}, alpha="auto", calibrate=False, refine=None) for _ in range(2)]
    one, many = (nb.fit(x, "label") for nb, x in zip(models, (rows, frame)))
    a, b = one._fitted(), many._fitted()
    predicted = many.predict_proba(frame)
    found = predicted.toPandas().sort_values("id")[["probability_p", "probability_q"]].to_numpy()
    print("module:", type(predicted).__module__)
    print("equal:", a.statistics == b.statistics and a.sample == b.sample and str(one.chosen_) == str(many.chosen_))
    print("equal predictions:", np.array_equal(found, one.predict_proba(rows)))
    try:
        many.partial_fit(frame.selectExpr("*", "-1.0 AS weight"), "label", sample_weight="weight")
    except ValueError as error:
        print("error:", error)
    session.stop()


if __name__ == "__main__":
    main()
