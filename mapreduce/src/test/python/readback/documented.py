"""Runs the commands and the Python of pages as they stand there, but for the names of places that a reader has of his own."""

import csv
import gzip
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from readback.column import Column
from readback.command import JVM
from readback.directory import Directory
from readback.kind import STRING
from readback.server import BEFORE
from readback.small_tables import TYPES
from readback.table import Rows

HOME = Path(os.environ.get("GRAMPUS_HOME", "."))
DOCS = HOME / "docs"
_SECONDS_MAX = 600
_EVENTS = 300


def blocks(page, language):
    """The examples of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def block(page, language, mark):
    """The one example with a text; a page that is written anew says here that its test is missing."""
    (found,) = [each for each in blocks(DOCS / page, language) if mark in each]
    return found


def home(directory):
    """A new directory in which relative names are those of a checkout, and which has files of its own."""
    directory.mkdir()
    for name in ("bin", "docs"):
        (directory / name).symlink_to(HOME / name)
    return directory


def _changed(text, changes):
    """The text with other places; each must be there."""
    for before, after in changes.items():
        if before not in text:
            raise ValueError(f"there is no {before} in\n{text}")
        text = text.replace(before, after)
    return text


def _run(command, directory):
    environment = os.environ | {"GRAMPUS_CLIENT_OPTS": JVM}
    return subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=_SECONDS_MAX)


def _bash(directory, script):
    return _run(["bash", "-euo", "pipefail", "-c", script], directory)


def _failed(done):
    return [f"exit code {done.returncode}", *done.stderr.splitlines()[-20:]]


def _rows(printed, verb):
    """The numbers of rows that commands have said."""
    return [int(number.replace(",", "")) for number in re.findall(rf"^{verb} ([\d,]+) rows", printed, re.MULTILINE)]


@dataclass
class Commands:
    """Downloads of docs/downloads.md and imports of docs/imports.md. `rows` are those of the table, and the file has others."""

    rows: Rows
    file: Path

    def __str__(self):
        return "commands of downloads.md and imports.md"

    def run(self, directory):
        """Sentences about what is wrong."""
        data = {"/data/": f"{directory}/data/"}
        done = _bash(home(directory), _changed(block("downloads.md", "sh", "bin/grampus download"), data))
        if done.returncode != 0:
            return _failed(done)
        selected = self.rows.where(lambda row: row.get(b"f:origin") == b"JFK").with_any([Column(b"f:origin", "origin", STRING)])
        wanted = {"flights": len(self.rows), "jfk": len(selected)}
        found = {name: Directory(directory / "data" / name).manifest["rows"] for name in wanted}
        wrong = [] if found == wanted else [f"the downloads have {found} rows, not {wanted}"]
        return wrong + self._imported(directory, data)

    def _imported(self, directory, data):
        text = (gzip.open if self.file.suffix == ".gz" else open)(self.file, "rb").read()
        (directory / "flights.csv.gz").write_bytes(gzip.compress(text, 1))
        events = directory / "events"
        events.mkdir()
        pa.parquet.write_table(_events(), events / "some.parquet")
        changes = {**data, "s3a://bucket/events": str(events), "--table flights ": "--table flights3 "}
        done = _bash(directory, _changed(block("imports.md", "sh", "bin/grampus import"), changes))
        if done.returncode != 0:
            return _failed(done)
        lines = sum(1 for _ in csv.reader(StringIO(text.decode(), newline=""))) - 1
        wanted = [len(self.rows), lines, _EVENTS]
        found = _rows(done.stdout, "imported")
        return [] if found == wanted else [f"{found} rows were imported, not {wanted}"]


def _events():
    return pa.table(
        {
            "id": [f"e{number:04d}" for number in range(_EVENTS)],
            "user": ["u"] * _EVENTS,
            "time": pa.array(range(_EVENTS), pa.timestamp("ms", "UTC")),
            "amount": pa.array(range(_EVENTS), pa.decimal128(12, 2)),
        }
    )


@dataclass
class Miles:
    """The program of docs/mapreduce.md over batches, of a server that keeps its files below `root`."""

    rows: Rows
    root: str

    def __str__(self):
        return "the program MilesByCarrier of mapreduce.md"

    def run(self, directory):
        """Sentences about what is wrong."""
        script = _changed(block("mapreduce.md", "sh", "MilesByCarrier"), {"file://$PWD/data/hbase": f"file://{self.root}"})
        done = _bash(home(directory), f'PATH="$JAVA_HOME/bin:$PATH"\n{script}')
        if done.returncode != 0:
            return _failed(done)
        wanted = Counter()
        for row in self.rows:
            if b"f:carrier" in row and b"f:distance" in row:
                wanted[row[b"f:carrier"].decode()] += int(row[b"f:distance"])
        lines = (directory / "build" / "miles" / "part-r-00000").read_text(encoding="utf-8").splitlines()
        found = {carrier: int(miles) for carrier, miles in (line.split("\t") for line in lines)}
        return [] if found == wanted else [f"the miles are {found}, not {dict(wanted)}"]


@dataclass
class Python:
    """A page's example of the Python package."""

    page: str
    changes: dict

    def __str__(self):
        return f"Python of {self.page}"

    def run(self, directory):
        """Sentences about what is wrong."""
        done = _run([sys.executable, "-c", _changed(block(self.page, "python", "import grampus"), self.changes)], directory.parent)
        if done.returncode != 0:
            return _failed(done)
        return [] if done.stdout else ["it has printed nothing"]


def examples(rows, file, root):
    """All that are run beside downloads."""
    places = {'"monday"': f'"{BEFORE}"', '"ns:events"': f'"{TYPES.name}"', "hdfs://namenode/hbase": f"file://{root}"}
    return [Commands(rows, file), Miles(rows, root), Python("python.md", places), Python("mapreduce.md", {})]
