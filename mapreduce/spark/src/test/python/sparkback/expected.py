"""What a query must find, of the rows that were put into a table."""

from datetime import datetime, timedelta, timezone

from readback.column import with_stamps

_EPOCH = datetime(1970, 1, 1)


def value(column, raw):
    """A value as Spark's rows have it."""
    if raw is None:
        return None
    found = column.kind.value(raw)
    return _EPOCH + timedelta(milliseconds=found) if column.kind.name == "timestamp" else found


def rows(table_rows, columns):
    """All rows as tuples, in the order of their keys."""
    columns = with_stamps(columns)
    return [tuple(value(column, row.get(column.source)) for column in columns) for row in table_rows]


def plain(row):
    """A row of Spark as a tuple of Python's own types: times without a zone are UTC here."""
    return tuple(_plain(field) for field in row)


def _plain(field):
    if isinstance(field, bytearray):
        return bytes(field)
    if isinstance(field, datetime) and field.tzinfo is not None:
        return field.astimezone(timezone.utc).replace(tzinfo=None)
    return field


def same(a, b):
    """Equal in type and form: NaN is NaN, and -0.0 is not 0.0."""
    return len(a) == len(b) and all(map(_same_row, a, b))


def _same_row(a, b):
    return len(a) == len(b) and all(map(_same_field, a, b))


def _same_field(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a.hex() == b.hex()
    return type(a) is type(b) and a == b
