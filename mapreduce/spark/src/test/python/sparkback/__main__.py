"""Reads tables that `readback` has made, with Spark. Exit code 0: everything is as it should be; 1: what is not is listed."""

import argparse
import sys
import time
from pathlib import Path

import pyspark

from readback import flights
from readback.server import BEFORE
from readback.source import Source
from sparkback import checks, examples, session


def _arguments():
    parser = argparse.ArgumentParser(prog="sparkback", description=__doc__)
    parser.add_argument("--jar", type=Path, required=True, help="the format's jar")
    parser.add_argument("--conf", type=Path, required=True, help="the directory of the server's hbase-site.xml")
    parser.add_argument("--root", type=Path, required=True, help="hbase.rootdir of the server")
    parser.add_argument("--csv", type=Path, required=True, help="what was imported")
    parser.add_argument("--work", type=Path, required=True, help="a directory for files of its own")
    parser.add_argument("--docs", type=Path, required=True, help="pages whose examples are run")
    parser.add_argument("--servers", action="store_true", help="reads through servers alone, which may be those of a stock HBase")
    return parser.parse_args()


def _report(name, wrong):
    """Says it at once; whether it is as it should be."""
    begun = time.monotonic()
    sentences = list(wrong)
    print("\n  ".join([f"{'FAILED' if sentences else 'ok'} {name}, {time.monotonic() - begun:.1f} s", *sentences]), flush=True)
    return not sentences


def _reader(reader, source):
    yield _report(f"rows of {reader.name}", checks.everything(reader, source))
    yield _report(f"queries of {reader.name}", checks.queries(reader, source))
    yield _report(f"plans of {reader.name}", checks.plans(reader, source))


def _all(spark, source, docs):
    files = checks.Reader(spark, "files")
    servers = checks.Reader(spark, "servers", server="true")
    for reader in files, servers:
        yield from _reader(reader, source)
    yield _report("conditions on numbers", checks.binary_filters([files, servers]))
    yield _report("snapshots", checks.snapshots(files, source))
    yield _report("refusals", checks.refusals(files, source))
    yield _report("writes", checks.writes(spark, servers, source))
    yield _report("examples", examples.python(docs / "spark.md"))
    yield _report("an example of jobs", examples.python(docs / "mapreduce.md", "read.format", spark=spark))


def _through_servers(spark, source):
    servers = checks.Reader(spark, "servers", server="true")
    yield from _reader(servers, source)
    yield _report("conditions on numbers", checks.binary_filters([servers, servers]))
    yield _report("writes", checks.writes(spark, servers, source))


def _left(root):
    for file in (root / ".hbase-snapshot").iterdir():
        if not file.name.startswith(".") and file.name != BEFORE:
            yield f"snapshot {file.name} is left over"


def main():
    arguments = _arguments()
    source = Source(arguments.csv, flights.KEY)
    spark = session.start(arguments.jar, arguments.conf)
    right = list(_through_servers(spark, source) if arguments.servers else _all(spark, source, arguments.docs))
    code = session.stop(spark)
    if not arguments.servers:
        wanted = [str(sum(row.get(b"f:dest") == flights.DESTINATION.encode() for row in source.after))]
        right.append(_report("a program", examples.java(arguments.docs / "spark.md", arguments.jar, arguments.conf, arguments.work, wanted)))
    right.append(_report("the end", [*([f"Spark ended with {code}"] if code else []), *_left(arguments.root)]))
    print(f"checked: {len(source.after):,} rows by Spark {pyspark.__version__}")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
