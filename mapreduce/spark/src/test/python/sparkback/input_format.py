"""Counts the rows of a snapshot in Spark by an input format, as the example of docs/mapreduce.md does: by ours all of them, by HBase's none.

Exit code 0: it is so; 1: it is not.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pyspark

from readback import flights
from readback.documented import blocks, home
from readback.server import BEFORE
from readback.source import Source

_OURS = "org.grampus.mapreduce.input.SnapshotInputFormat"
_HBASES = "org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat"
_RESTORED = "hbase.TableSnapshotInputFormat.restore.dir"
_FAMILIES = "hbase.mapred.tablecolumns"  # without them or a scan HBase's format reads nothing
_SECONDS_MAX = 300
_SETTINGS = """
spark.master local[2]
spark.ui.enabled false
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
"""


def _arguments():
    parser = argparse.ArgumentParser(prog="input_format", description=__doc__)
    parser.add_argument("--page", type=Path, required=True, help="docs/mapreduce.md")
    parser.add_argument("--root", type=Path, required=True, help="hbase.rootdir of the server")
    parser.add_argument("--csv", type=Path, required=True, help="what was imported")
    parser.add_argument("--work", type=Path, required=True, help="a directory that is not there yet")
    parser.add_argument("--hbase", action="store_true", help="takes HBase's format")
    return parser.parse_args()


def _block(page, language, mark):
    (found,) = [block for block in blocks(page, language) if mark in block]
    return found


def _here(block, root, restored):
    """The example for this server's snapshot, and for HBase's format if there is a directory where that restores it."""
    changes = {r"file:///[\w/]+": f"file://{root}", "mySnapshot": BEFORE}
    if restored is not None:
        changes |= {re.escape(_OURS): _HBASES, "conf={": f'conf={{"{_RESTORED}": "file://{restored}", "{_FAMILIES}": "f", '}
    for pattern, text in changes.items():
        block, count = re.subn(pattern, lambda _: text, block)
        if count != 1:
            raise ValueError(f"the example has {count} places for {text}:\n{block}")
    return block


def _run(directory, command):
    """The command in a directory of a user."""
    (directory / "spark-defaults.conf").write_text(_SETTINGS, encoding="utf-8")
    spark = os.path.dirname(pyspark.__file__)
    settings = {"SPARK_HOME": spark, "SPARK_CONF_DIR": str(directory), "PATH": f"{spark}/bin:{os.environ['PATH']}"}
    script = ["bash", "-euo", "pipefail", "-c", command]
    return subprocess.run(script, cwd=directory, env=os.environ | settings, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=_SECONDS_MAX)


def main():
    arguments = _arguments()
    directory = home(arguments.work)
    program = _here(_block(arguments.page, "python", _OURS), arguments.root, directory / "restored" if arguments.hbase else None)
    (directory / "count.py").write_text(program, encoding="utf-8")
    wanted = 0 if arguments.hbase else len(Source(arguments.csv, flights.KEY).before)
    done = _run(directory, _block(arguments.page, "sh", "spark-submit"))
    if done.returncode != 0 or done.stdout.split() != [str(wanted)]:
        print(f"FAILED a snapshot in Spark\n  it ends with {done.returncode} and prints {done.stdout!r}, not {wanted}: {done.stderr[-3000:]}")
        return 1
    print(f"ok a snapshot in Spark by {_HBASES if arguments.hbase else _OURS}: {wanted:,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
