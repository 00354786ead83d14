"""Runs the examples of docs/spark.md as they stand there."""

import os
import subprocess
import traceback

import pyspark

from readback.documented import blocks

_OPENS = ["java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "java.util.concurrent", "sun.nio.ch"]
_PROGRAM = """
import org.apache.spark.sql.*;

public class Example {{
  public static void main(String[] arguments) {{
    SparkSession spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", false).getOrCreate();
    {}
    spark.stop();
  }}
}}
"""


def python(page, mark="", **names):
    """Sentences about examples in Python, of those that have a mark, that fail. They may use names."""
    examples = [block for block in blocks(page, "python") if mark in block]
    if not examples:
        yield f"{page.name} has no example"
    for block in examples:
        try:
            exec(compile(block, str(page), "exec"), names)  # noqa: S102
        except Exception:
            yield f"an example of {page.name} fails:\n{block}\n{traceback.format_exc()}"


def java(page, jar, conf_directory, directory, wanted):
    """Sentences about examples in Java that fail, or do not print what is wanted."""
    program = directory / "Example.java"
    program.write_text(_PROGRAM.format("\n".join(blocks(page, "java"))), encoding="utf-8")
    jars = os.path.join(os.path.dirname(pyspark.__file__), "jars", "*")
    opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENS]
    command = [os.environ["JAVA"], "-Xmx512m", *opens, "-cp", f"{jars}:{jar}:{conf_directory}", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
    if done.returncode != 0 or done.stdout.split() != wanted:
        yield f"the program of {page.name} ends with {done.returncode} and prints {done.stdout!r}: {done.stderr[-2000:]}"
