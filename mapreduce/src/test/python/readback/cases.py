"""The downloads that are made: each format with types and without them. Those without have an option, too, since each download is a process."""

from readback.case import Case
from readback.flights import DESTINATION
from readback.formats import FORMATS
from readback.server import BEFORE, FLIGHTS, REGIONS
from readback.small_tables import EMPTY, NOT_FINITE, ONE, TYPES

_FILTERED = b"f:dest"
_SPLITS = 2 * REGIONS + 1


def of_flights(source):
    """Downloads of the imported table. The first one finds its second half in memory: a snapshot flushes it."""
    typed, sources = source.columns(), source.after.sources()

    def case(name, rows, *options, columns=typed, parts=REGIONS):
        return Case(FLIGHTS, name, rows, columns, sources, list(options), parts)

    for name in FORMATS:
        yield case(name, source.after, *_TYPED.get(name, ()), parts=0 if name in _MERGED else REGIONS)
        yield case(name, *_OPTIONS[name](source), columns=None, parts=_PARTS.get(name))


def through_servers(source):
    """Downloads that read the live table."""
    typed = source.columns()
    some, rows = _some_rows(source)
    yield Case(FLIGHTS, "csv", source.after, typed, options=["--server"], parts=REGIONS)
    yield Case(FLIGHTS, "parquet", some, typed, options=["--server", rows, f"--splits={REGIONS}"])
    filtered, condition = _to_one_place(source)
    yield Case(FLIGHTS, "jsonl", filtered, typed, options=["--server", condition], parts=REGIONS)


def _some_rows(source):
    keys = source.after.keys()
    first, stop = keys[len(keys) // 3], keys[len(keys) * 2 // 3]
    return source.after.where(lambda row: first <= row[b":key"] < stop), f"--rows={first.decode()},{stop.decode()}"


def _to_one_place(source):
    """A row without the column passes this filter, as in HBase."""
    rows = source.after.where(lambda row: row.get(_FILTERED, DESTINATION.encode()) == DESTINATION.encode())
    return rows, f"--filter=SingleColumnValueFilter('f','dest',=,'binary:{DESTINATION}')"


def _more_splits(source):
    return source.after, f"--splits={_SPLITS}", "--compression=snappy"


def _of_snapshot(source):
    return source.before, f"--snapshot={BEFORE}"


def _merged(source):
    return source.after, f"--splits={_SPLITS}", "--merge"


_MERGED = {"parquet", "csv"}
_TYPED = {"parquet": ["--merge"], "csv": ["--merge"], "jsonl": ["--server"]}
_OPTIONS = {"parquet": _more_splits, "avro": _merged, "csv": _of_snapshot, "tsv": _some_rows, "jsonl": _to_one_place}
_PARTS = {"parquet": _SPLITS, "avro": 0, "csv": REGIONS}


def of_small_tables():
    """Downloads of the small tables."""
    finite = TYPES.rows().where(lambda row: row[b":key"] != NOT_FINITE)
    for name in sorted(FORMATS.keys() - {"avro"}):  # whose columns cannot be called so
        yield _small(TYPES, name, finite, "--rows=,\\xFF\\xFF") if name == "jsonl" else _small(TYPES, name, TYPES.rows())
    yield Case(TYPES.name, "csv", TYPES.rows(), None, TYPES.sources())
    yield _small(ONE, "parquet", ONE.rows())
    yield Case(EMPTY.name, "csv", EMPTY.rows(), None, EMPTY.sources())


def _small(table, name, rows, *options):
    return Case(table.name, name, rows, table.columns, options=list(options), parts=1)
