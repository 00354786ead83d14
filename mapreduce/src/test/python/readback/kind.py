"""What the bytes of a value mean: the types of a mapping (docs/downloads.md), and what readers must make of them."""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa


@dataclass(frozen=True)
class Kind:
    """A type. `value` is what a reader must return for the bytes of a cell."""

    name: str
    value: Callable[[bytes], object]
    arrow: pa.DataType
    duckdb: str

    def exact(self, value):
        """A form of a value that is equal for equal values alone: NaN is NaN, and -0.0 is not 0.0."""
        return value.hex() if isinstance(value, float) else value


def _fixed(layout):
    return lambda raw: struct.unpack(layout, raw)[0]


def _text(parse):
    """Numbers and truth values as text are null where the text is empty."""
    return lambda raw: parse(raw.decode()) if raw else None


BYTES = Kind("bytes", bytes, pa.binary(), "BLOB")
STRING = Kind("string", bytes.decode, pa.string(), "VARCHAR")
TIMESTAMP = Kind("timestamp", _fixed(">q"), pa.timestamp("ms", "UTC"), "TIMESTAMP WITH TIME ZONE")
LONG_TEXT = Kind("long(text)", _text(int), pa.int64(), "BIGINT")
DOUBLE_TEXT = Kind("double(text)", _text(float), pa.float64(), "DOUBLE")
BOOLEAN_TEXT = Kind("boolean(text)", _text(lambda word: word.lower() in ("true", "1")), pa.bool_(), "BOOLEAN")


def decimal(precision, scale):
    """The type of decimals of a precision and a scale."""
    name = f"decimal({precision},{scale})"
    return Kind(name, _text(Decimal), pa.decimal128(precision, scale), f"DECIMAL({precision},{scale})")


BINARY = [
    Kind("byte", _fixed(">b"), pa.int8(), "TINYINT"),
    Kind("short", _fixed(">h"), pa.int16(), "SMALLINT"),
    Kind("int", _fixed(">i"), pa.int32(), "INTEGER"),
    Kind("long", _fixed(">q"), pa.int64(), "BIGINT"),
    Kind("float", _fixed(">f"), pa.float32(), "FLOAT"),
    Kind("double", _fixed(">d"), pa.float64(), "DOUBLE"),
    Kind("boolean", _fixed(">?"), pa.bool_(), "BOOLEAN"),
    TIMESTAMP,
]

_NARROWEST_FIRST = [
    (LONG_TEXT, re.compile(rb"-?\d{1,18}")),
    (decimal(9, 2), re.compile(rb"-?\d{1,7}\.\d\d")),
    (DOUBLE_TEXT, re.compile(rb"-?\d+(\.\d+)?(e[-+]\d+)?")),
    (STRING, re.compile(rb".*", re.DOTALL)),
]


def of_text(values):
    """The narrowest type that takes all of these texts."""
    distinct = set(values)
    return next(kind for kind, form in _NARROWEST_FIRST if all(map(form.fullmatch, distinct)))
