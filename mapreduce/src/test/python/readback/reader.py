"""Readers: pyarrow and DuckDB, of one format each."""

import duckdb
import pyarrow as pa

from readback.column import Column
from readback.kind import TIMESTAMP
from readback.table import Table


class ArrowReader:
    """pyarrow, file by file. `load(path, schema)` returns a table of Arrow."""

    name = "pyarrow"

    def __init__(self, load):
        self._load = load

    @staticmethod
    def type_of(kind):
        return str(kind.arrow)

    def read(self, parts, columns: list[Column]):
        schema = pa.schema([pa.field(column.name, column.kind.arrow, not column.is_key) for column in columns])
        tables = [self._load(part, schema) for part in parts]
        table = pa.concat_tables(tables) if tables else schema.empty_table()
        return of_arrow(table, columns, [part.num_rows for part in tables])


def of_arrow(table, columns: list[Column], part_rows=None):
    """What a table of Arrow has."""
    values = [exact(column.kind, _python(found)) for column, found in zip(columns, table.columns)]
    return Table(table.column_names, list(map(str, table.schema.types)), values, part_rows)


def _python(column):
    """Timestamps as numbers, since Python has no dates beyond the year 9999."""
    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()


class DuckReader:
    """DuckDB, all files as a user names them: by a pattern. `relation(pattern, columns)` is what to select from."""

    name = "DuckDB"

    def __init__(self, relation):
        self._relation = relation

    @staticmethod
    def type_of(kind):
        return kind.duckdb

    def read(self, parts, columns: list[Column]):
        pattern = parts[0].parent / f"*{parts[0].suffix}"
        relation = self._relation(literal(pattern), columns)
        with duckdb.connect() as connection:
            described = connection.sql(f"DESCRIBE SELECT * FROM {relation}").fetchall()
            wanted = ", ".join(_selected(name, kind) for name, kind, *_ in described)
            rows = connection.sql(f"SELECT {wanted} FROM {relation}").fetchall()
        values = list(zip(*rows)) if rows else [()] * len(described)
        exacts = [exact(column.kind, list(found)) for column, found in zip(columns, values)]
        return Table([name for name, *_ in described], [kind for _, kind, *_ in described], exacts)


def literal(text):
    """A text of SQL."""
    return "'" + str(text).replace("'", "''") + "'"


def _selected(name, kind):
    quoted = '"' + name.replace('"', '""') + '"'
    return f"epoch_ms({quoted})" if kind == TIMESTAMP.duckdb else quoted


def exact(kind, values):
    """Values in the form in which they are compared."""
    return [None if value is None else kind.exact(value) for value in values]
