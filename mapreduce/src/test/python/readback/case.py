"""One download, and what is wrong with it."""

from dataclasses import dataclass, field

from readback import column
from readback.check import check
from readback.column import Column
from readback.command import download
from readback.table import Rows


@dataclass
class Case:
    """A download of a table. `rows` are those that it must have; without `columns` it takes what the files have, which are `sources`."""

    table: str
    format: str
    rows: Rows
    columns: list[Column] | None
    sources: set[bytes] = field(default_factory=set)
    options: list[str] = field(default_factory=list)
    parts: int | None = None

    def __str__(self):
        columns = "as found" if self.columns is None else "typed"
        return " ".join([self.table, self.format, columns, *self.options])

    def run(self, directory):
        """Sentences about what is wrong."""
        given = [] if self.columns is None else [f"--columns={column.mapping(self.columns)}"]
        outcome = download(self.table, directory, self.format, *given, *self.options)
        if outcome.code != 0:
            return [f"exit code {outcome.code}", *outcome.errors]
        columns = column.with_stamps(self.columns or column.found(self.sources))
        rows = self.rows.with_any(columns)
        wrong = check(directory, self.format, rows, columns, self._says())
        if f"downloaded {len(rows):,} rows" not in outcome.out:
            wrong.append(f"it printed {outcome.out!r}")
        return wrong + list(self._left(directory))

    def _says(self):
        mapping = column.found_mapping(column.found(self.sources)) if self.columns is None else column.mapping(self.columns)
        return {"table": self.table, "columns": mapping}

    def _left(self, directory):
        parts = len(list(directory.glob("part-*")))
        if self.parts is not None and parts != self.parts:
            yield f"there are {parts} parts, not {self.parts}"
