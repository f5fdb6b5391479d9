"""Sessions of the engines: one of Spark for all tests, and Dask's threads. Tests skip where an engine is absent."""

import os
import shutil
import sys
import warnings

import pytest

# Programs that tests start in processes of their own.
collect_ignore = ["connect_session.py", "executor_session.py"]


@pytest.fixture(scope="session")
def spark():
    """Return a session of Spark on two threads of this machine."""
    pytest.importorskip("pyspark", reason="Spark is absent; pip install 'deciban[spark]'")
    pytest.importorskip("pandas")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Java is absent, which Spark needs; install openjdk-17-jre-headless")
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.sql.shuffle.partitions": "4",
        "spark.task.maxFailures": "1",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
