"""A Spark session in this process and a virtual machine beside it."""

import os

from pyspark.sql import SparkSession


def start(jar, conf_directory):
    """A session whose driver finds the server as every client does: by `hbase-site.xml` on its class path."""
    # Set before the machine starts; a small heap, since it runs beside a server.
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--driver-memory 1g --jars {jar} --driver-class-path {conf_directory} pyspark-shell"
    builder = SparkSession.builder.master("local[2]").appName("sparkback")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def stop(session):
    """Returns once the virtual machine has ended, and with it whatever it had taken for itself."""
    machine = session.sparkContext._gateway.proc
    session.stop()
    machine.stdin.close()
    return machine.wait(timeout=60)
