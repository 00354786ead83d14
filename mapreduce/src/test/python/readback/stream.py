"""Rows that `grampus.read` gives, and what is wrong with them."""

import os
from dataclasses import dataclass, field

import duckdb
import grampus
import polars
import pyarrow as pa

from readback import column
from readback.column import Column
from readback.command import JVM
from readback.differences import differences
from readback.form import Typed
from readback.reader import ArrowReader, of_arrow
from readback.server import BEFORE, FLIGHTS
from readback.table import Rows


@dataclass
class Stream:
    """A call of `grampus.read`. `rows` are those that it must give; without `columns` it takes what the files have, which are `sources`."""

    table: str
    rows: Rows
    columns: list[Column] | None
    sources: set[bytes] = field(default_factory=set)
    options: dict = field(default_factory=dict)

    def __str__(self):
        return " ".join([self.table, "stream", "as found" if self.columns is None else "typed", *self.options])

    def run(self, _):
        """Sentences about what is wrong."""
        os.environ["GRAMPUS_CLIENT_OPTS"] = JVM
        given = None if self.columns is None else [each.part() for each in self.columns]
        columns = column.with_stamps(self.columns or column.found(self.sources))
        wanted = self.rows.with_any(columns).table(columns, Typed(), ArrowReader.type_of)
        try:
            return differences(wanted, of_arrow(grampus.read(self.table, given, **self.options).read_all(), columns))
        except grampus.GrampusError as e:
            return [f"it is refused: {e}"]


@dataclass
class Counted:
    """A stream as DuckDB reads it: by its name, as if it were a table."""

    rows: Rows

    def __str__(self):
        return f"{FLIGHTS} stream in DuckDB"

    def run(self, _):
        """Sentences about what is wrong."""
        os.environ["GRAMPUS_CLIENT_OPTS"] = JVM
        rows = grampus.read(FLIGHTS, ["f:dest=dest:string"], server=True)
        with duckdb.connect() as connection:
            found = connection.from_arrow(rows).aggregate("dest, count(*)", "dest").fetchall()
        wanted = {}
        for row in self.rows.with_any([Column(b"f:dest", "dest", None)]):
            dest = row[b"f:dest"].decode()
            wanted[dest] = wanted.get(dest, 0) + 1
        return [] if dict(found) == wanted else [f"the groups are {sorted(found)}, not {sorted(wanted.items())}"]


@dataclass
class Frames:
    """Streams of which Polars and pandas make their frames, with all types and nulls."""

    rows: Rows
    columns: list[Column]

    def __str__(self):
        return f"{FLIGHTS} stream in Polars and pandas"

    def run(self, _):
        """Sentences about what is wrong."""
        os.environ["GRAMPUS_CLIENT_OPTS"] = JVM
        schema = pa.schema([(each.name, each.kind.arrow) for each in self.columns])
        frames = {
            "Polars": polars.from_arrow(self._reader()).to_arrow().cast(schema),
            "pandas": pa.Table.from_pandas(self._reader().read_pandas(), schema, preserve_index=False),
        }
        wanted = self.rows.with_any(self.columns).table(self.columns, Typed(), ArrowReader.type_of)
        return [f"{name}: {each}" for name, table in frames.items() for each in differences(wanted, of_arrow(table, self.columns))]

    def _reader(self):
        return grampus.read(FLIGHTS, [each.part() for each in self.columns], server=True)


def of_flights(source):
    """Streams of the imported table."""
    return [
        Stream(FLIGHTS, source.after, source.columns()),
        Stream(FLIGHTS, source.before, None, source.after.sources(), {"snapshot": BEFORE}),
        *through_servers(source),
    ]


def through_servers(source):
    """Streams of the live table."""
    keys = source.after.keys()
    first, stop = keys[len(keys) // 3], keys[len(keys) * 2 // 3]
    some = source.after.where(lambda row: first <= row[b":key"] < stop)
    return [
        Stream(FLIGHTS, some, source.columns(), options={"server": True, "rows": (first, stop)}),
        Counted(source.after),
        Frames(source.after, source.columns()),
    ]
