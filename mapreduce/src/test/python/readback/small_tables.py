"""Small tables, cell by cell: every binary type, keys and names of any bytes, one row, and values that are not of their type."""

import struct
from dataclasses import dataclass

from readback.column import Column, key
from readback.kind import BINARY, BOOLEAN_TEXT, BYTES, STRING, decimal
from readback.table import Rows

STAMP = 1_700_000_000_123
# Behind all others; text formats have words for what it holds, which no reader of JSON takes for a number.
NOT_FINITE = b"\xff\xff"
_LAYOUTS = {"byte": "b", "short": "h", "int": "i", "long": "q", "float": "f", "double": "d", "boolean": "?", "timestamp": "q"}
_KEYS = [b"\x00", b"\x00\x00", b'\n,"\\', b"k", b"\xff"]
_VALUES = {
    "byte": [0, -1, 1, -(2**7), 2**7 - 1],
    "short": [0, -1, 1, -(2**15), 2**15 - 1],
    "int": [0, -1, 1, -(2**31), 2**31 - 1],
    "long": [0, -1, 1, -(2**63), 2**63 - 1],
    "float": [0.0, -0.0, 0.1, -3.4e38, 1.2e-38],
    "double": [0.0, -0.0, 0.1, -1.7e308, 5e-324],
    "boolean": [False, True, False, True, False],
    "timestamp": [0, -1, 951_782_400_000, -2_208_988_800_001, 253_402_300_799_999],
}
_OTHERS = {
    Column(b"f:word", "word", BOOLEAN_TEXT): [b"true", b"FALSE", b"1", b"0", b""],
    Column(b"f:amount", "amount", decimal(38, 10)): [b"0", b"-0.0000000001", b"1e3", b"12345.6789", b""],
    Column(b"f:a,b=c", "comma", BYTES): [b"", b"\x00", b"a\\b", bytes(range(256)), "ä".encode()],
    Column("f:größe".encode(), "größe", STRING): ["", "\x00", "a\\b\t", "\u2028 𝄞", '"'],
}


@dataclass
class SmallTable:
    """A table as a list of cells, each of them a row, a source and a value with the timestamp STAMP."""

    name: str
    cells: list[tuple[bytes, bytes, bytes]]
    columns: list[Column]

    def rows(self):
        rows = {}
        for row, source, value in self.cells:
            rows.setdefault(row, {}).update({source: value, Column(source, "", BYTES).stamps().source: struct.pack(">q", STAMP)})
        return Rows(rows)

    def sources(self):
        return {source for _, source, _ in self.cells}


def _binary(kind):
    return Column(b"f:" + kind.name.encode(), kind.name, kind, stamped=kind.name == "long")


def _typed_cells():
    for kind in BINARY:
        for row, value in zip(_KEYS, _VALUES[kind.name]):
            yield row, _binary(kind).source, struct.pack(">" + _LAYOUTS[kind.name], value)
    for column, values in _OTHERS.items():
        for row, value in zip(_KEYS, values):
            yield row, column.source, value if isinstance(value, bytes) else value.encode()
    yield NOT_FINITE, b"f:float", struct.pack(">f", float("nan"))
    yield NOT_FINITE, b"f:double", struct.pack(">d", float("-inf"))


TYPES = SmallTable("types", list(_typed_cells()), [key(), *map(_binary, BINARY), *_OTHERS])
ONE = SmallTable("one", [(b"r", b"f:q", b"v")], [key("id", STRING), Column(b"f:q", "q", STRING)])
EMPTY = SmallTable("empty", [], [key("id", STRING), Column(b"f:q", "q", STRING)])
# Has no rows until sparkback writes some.
COPY = SmallTable("copy", [], [])
BAD = SmallTable("bad", [(b"r1", b"f:n", b"1"), (b"r2\xff", b"f:n", b"NA")], [])
ALL = [TYPES, ONE, EMPTY, COPY, BAD]
