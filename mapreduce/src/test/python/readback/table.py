"""Rows as columns: what was put into a table, or what a reader has found in files."""

from dataclasses import dataclass

from readback.column import KEY


@dataclass
class Table:
    """Columns with their names and types; the first one has the row keys. `part_rows` is of each file, where a reader reads file by file."""

    names: list[str]
    types: list[str]
    values: list[list]
    part_rows: list[int] | None = None

    @property
    def keys(self):
        return self.values[0]


class Rows:
    """The rows of a table in the order of their keys; each is a dictionary of a cell's source and its bytes, the row key among them."""

    def __init__(self, rows):
        self._rows = [rows[row] | {KEY: row} for row in sorted(rows)]

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return iter(self._rows)

    def keys(self):
        return [row[KEY] for row in self._rows]

    def where(self, condition):
        """The rows for which a condition holds."""
        return Rows({row[KEY]: row for row in self._rows if condition(row)})

    def sources(self):
        return set().union(*self._rows) - {KEY}

    def with_any(self, columns):
        """A download has the rows that have one of its columns."""
        sources = {column.source for column in columns if not column.is_key}
        return self.where(lambda row: not sources.isdisjoint(row)) if sources else self

    def table(self, columns, form, type_of):
        """What a reader must find: `form` says how a file format shows a value, `type_of` what the reader calls a type."""
        columns = [form.column(column) for column in columns]
        values = [self._column(column, form) for column in columns]
        return Table([column.name for column in columns], [type_of(column.kind) for column in columns], values)

    def _column(self, column, form):
        raws = [row.get(column.source) for row in self._rows]
        shown = {raw: form.value(column.kind, raw) for raw in set(raws) if raw is not None}
        return [shown.get(raw) for raw in raws]
