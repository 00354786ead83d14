"""A CSV file as it is imported: in two halves, of which the second also corrects rows of the first, and with rows that are deleted behind them."""

import csv
import gzip

from readback.column import Column, key
from readback.kind import STRING, of_text
from readback.table import Rows

FAMILY = b"f"
_EVERY_CORRECTED, _EVERY_DELETED = 50, 400


class Source:
    """The file, and what a table must hold after each step of its import."""

    def __init__(self, path, key_columns):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", newline="") as text:
            self.header, *lines = csv.reader(text)
        self._key = [self.header.index(name) for name in key_columns.split(",")]
        self.first, rest = lines[::2], lines[1::2]
        self.second = rest + self._corrections()
        self.deleted = sorted({self._row(line) for line in self.first[::_EVERY_DELETED]})
        before = {}
        self._apply(before, self.first)
        self.before = Rows(before)
        after = {row: dict(cells) for row, cells in before.items()}
        self._apply(after, self.second)
        for row in self.deleted:
            del after[row]
        self.after = Rows(after)

    def _row(self, line):
        return "|".join(line[column] for column in self._key).encode()

    def _corrections(self):
        """Lines of the first half with the values of the line before."""
        for_each = range(_EVERY_CORRECTED, len(self.first), _EVERY_CORRECTED)
        return [self._with_key_of(self.first[number], self.first[number - 1]) for number in for_each]

    def _with_key_of(self, line, other):
        return [line[column] if column in self._key else value for column, value in enumerate(other)]

    def _apply(self, rows, lines):
        """An empty field has no cell, so that what was there stays."""
        same = {}  # values repeat; once is enough
        for line in lines:
            cells = rows.setdefault(self._row(line), {})
            for name, value in zip(self.header, line):
                if value:
                    cells[self._source(name)] = same.setdefault(value, value.encode())

    def _source(self, name):
        return FAMILY + b":" + name.encode()

    def columns(self):
        """All columns, each of the narrowest type that takes its values."""
        sources = {name: self._source(name) for name in self.header}
        values = {source: [] for source in sources.values()}
        for row in [*self.before, *self.after]:
            for source in row.keys() & values.keys():
                values[source].append(row[source])
        return [key("key", STRING)] + [Column(source, name, of_text(values[source])) for name, source in sources.items()]

    def splits(self, regions):
        """Keys that cut the rows into `regions` regions of about the same size."""
        keys = self.after.keys()
        return [keys[len(keys) * number // regions] for number in range(1, regions)]

    def write(self, path, lines):
        """Writes one half for the import."""
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([self.header, *lines])
