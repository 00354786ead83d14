"""The checks; each yields sentences about what is wrong."""

from collections import Counter, defaultdict

from pyspark.errors import PySparkException
from pyspark.sql import functions as f
from py4j.protocol import Py4JJavaError

from readback.column import Column, key, mapping
from readback.kind import BYTES, STRING
from readback.server import BEFORE, FLIGHTS
from readback.small_tables import BAD, COPY, EMPTY, TYPES
from sparkback import expected

_CARRIER = Column(b"f:carrier", "carrier", STRING)
_DEST = Column(b"f:dest", "dest", STRING)


class Reader:
    """Data frames of tables in one way of reading."""

    def __init__(self, spark, name, **options):
        self._spark, self.name, self._options = spark, name, options

    def load(self, table, columns=None, **options):
        reader = self._spark.read.format("grampus").option("table", table)
        if columns is not None:
            reader = reader.option("columns", mapping(columns))
        for option, setting in (self._options | options).items():
            reader = reader.option(option, setting)
        return reader.load()


def _collect(frame, order):
    """Rows in the order of a field."""
    return [expected.plain(row) for row in sorted(frame.collect(), key=lambda row: row[order])]


def _differs(what, found, wanted):
    if not expected.same(found, wanted):
        first = next((pair for pair in zip(found, wanted) if not expected.same([pair[0]], [pair[1]])), None)
        yield f"{what}: {len(found):,} rows, not {len(wanted):,}; first other pair: {first}"


def _says(what, frame, *parts):
    plan = frame._sc._jvm.PythonSQLUtils.explainString(frame._jdf.queryExecution(), "formatted")
    yield from (f"{what}: the plan does not say {part!r}:\n{plan}" for part in parts if part not in plan)


def everything(reader, source):
    """All rows with all types, and what is counted."""
    columns = source.columns()
    frame = reader.load(FLIGHTS, columns)
    yield from _differs("all rows", _collect(frame, "key"), expected.rows(source.after, columns))
    yield from _differs("count", [(frame.count(),)], [(len(source.after),)])
    yield from _differs("types", _collect(reader.load(TYPES.name, TYPES.columns), "rowkey"), expected.rows(TYPES.rows(), TYPES.columns))
    yield from _differs("no rows", _collect(reader.load(EMPTY.name, EMPTY.columns), "id"), [])
    yield from _differs("count of no rows", [(reader.load(EMPTY.name, EMPTY.columns).count(),)], [(0,)])


def queries(reader, source):
    """Groups, filters and projections, and that a column that is read alone has its nulls."""
    columns = source.columns()
    frame = reader.load(FLIGHTS, columns)
    table = [dict(zip((column.name for column in columns), row)) for row in expected.rows(source.after, columns)]

    groups = defaultdict(lambda: [0, 0])
    for row in table:
        groups[row["dest"]][0] += 1
        groups[row["dest"]][1] += row["hour"]
    found = {row["dest"]: [row["n"], row["hours"]] for row in frame.groupBy("dest").agg(f.count("*").alias("n"), f.sum("hour").alias("hours")).collect()}
    if found != groups:
        yield f"groups are {found}, not {dict(groups)}"

    found = Counter(row["dest"] for row in frame.select("dest").collect())
    if found != Counter(row["dest"] for row in table):
        yield "a column alone has other values or nulls"

    filtered = frame.filter("carrier in ('AA', 'UA') and dest is not null and hour >= 12").select("key", "dest")
    wanted = [(row["key"], row["dest"]) for row in table if row["carrier"] in ("AA", "UA") and row["dest"] is not None and row["hour"] >= 12]
    yield from _differs("filter", _collect(filtered, "key"), wanted)

    missing = frame.filter("tailnum is null").select("key", "origin")
    wanted = [(row["key"], row["origin"]) for row in table if row["tailnum"] is None]
    yield from _differs("nulls", _collect(missing, "key"), wanted)

    keys = source.after.keys()
    first, stop = keys[len(keys) // 3].decode(), keys[len(keys) * 2 // 3].decode()
    some = frame.filter((f.col("key") >= first) & (f.col("key") < stop) & (f.col("carrier") != "AA"))
    wanted = [(row["key"],) for row in table if first <= row["key"] < stop and row["carrier"] != "AA"]
    yield from _differs("rows", _collect(some.select("key"), "key"), wanted)
    if frame.selectExpr("1").rdd.count() != len(table):
        yield "rows without a field are others"
    if len(frame.limit(7).collect()) != 7:
        yield "a limit of 7 rows has others"
    yield from _differs("distinct", [(frame.select("carrier").distinct().count(),)], [(len({row["carrier"] for row in table}),)])


def plans(reader, source):
    """The plan says what was pushed: exact conditions are the scan's, others Spark's."""
    frame = reader.load(FLIGHTS, source.columns())
    pushed = frame.filter("carrier = 'AA' and key >= '2013|1' and key < '2013|2'").select("dest")
    yield from _says("filter", pushed, "PushedFilters: [", "carrier = 'AA'", "[2013|1, 2013|2)", "[dest]")
    if "Filter (" in frame._sc._jvm.PythonSQLUtils.explainString(pushed._jdf.queryExecution(), "simple"):
        yield "an exact condition is looked at again"
    rest = frame.filter("hour = 12")  # a number of text: 012 is 12, too
    yield from _says("rest", rest, "Filter (", "hour")
    yield from _says("count", frame.filter("carrier = 'AA'").groupBy().count(), "count(*)", "carrier = 'AA'")


def binary_filters(readers):
    """Conditions on numbers of HBase's own form, whose bytes are in another order than they. Each value is asked for in one way of reading."""
    for name in ("byte", "short", "int", "long", "double", "boolean"):
        for reader, value in zip(readers, (-1, 1) if name != "boolean" else (False, True)):
            yield from _binary_filter(reader, name, value)


def _binary_filter(reader, name, value):
    frame = reader.load(TYPES.name, TYPES.columns)
    column = f.col(name)
    for text, condition in [("==", column == value), ("<", column < value), (">=", column >= value)]:
        found = sorted(bytes(row[0]) for row in frame.filter(condition).select("rowkey").collect())
        wanted = [row[b":key"] for row in TYPES.rows() if _holds(row, name, _CONDITIONS[text], value)]
        if found != wanted:
            yield f"{name} {text} {value} of {reader.name}: {found}, not {wanted}"


def _holds(row, name, condition, value):
    column = next(column for column in TYPES.columns if column.name == name)
    raw = row.get(column.source)
    return raw is not None and condition(_ordered(column.kind.value(raw)), _ordered(value))


_CONDITIONS = {
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
}


def _ordered(number):
    """NaN is equal to itself and above all numbers, as Spark has it."""
    return (number != number, 0 if number != number else number)


def snapshots(reader, source):
    """A named snapshot has the rows of its time; without columns there are those of the files."""
    columns = source.columns()
    yield from _differs("snapshot", _collect(reader.load(FLIGHTS, columns, snapshot=BEFORE), "key"), expected.rows(source.before, columns))
    found = reader.load(TYPES.name).schema.names
    if found[0] != "rowkey" or "f_int" not in found:
        yield f"the columns of the files are {found}"
    before = reader.load(FLIGHTS, columns, present="carrier").filter("dest is null").select("key")
    wanted = [(row[b":key"].decode(),) for row in source.after if b"f:dest" not in row]
    yield from _differs("a column that all rows have", _collect(before, "key"), wanted)


def refusals(reader, source):
    """What fails says why."""
    number = [key("k", BYTES), Column(b"f:n", "n", source.columns()[1].kind)]
    for why, load, part in [
        ("a value that is not of its type", lambda: reader.load(BAD.name, number).collect(), "column f:n: NA is no long"),
        ("a table that is not there", lambda: reader.load("nothing", [_DEST]).collect(), "nothing"),
        ("an option that is not known", lambda: reader.load(FLIGHTS, [_DEST], speed="1"), "speed"),
        ("a type that is not there", lambda: reader.load(FLIGHTS, columns=None).sparkSession.read.format("grampus").options(table=FLIGHTS, columns="f:q=q:number").load(), "number"),
    ]:
        try:
            load()
            yield f"{why} is not refused"
        except (Py4JJavaError, PySparkException) as e:
            if part not in str(e):
                yield f"{why}: {part!r} is not said, but {str(e)[:500]}"


def writes(spark, reader, source):
    """What is written is read back; a row of nulls is none, and a row without a key is refused."""
    columns = [key("key", STRING), _CARRIER, _DEST]
    frame = reader.load(FLIGHTS, columns)
    save = lambda rows: rows.write.format("grampus").option("table", COPY.name).option("columns", mapping(columns)).mode("append").save()
    save(frame)
    yield from _differs("written", _collect(reader.load(COPY.name, columns), "key"), expected.rows(source.after.with_any(columns), columns))
    schema = "key string, carrier string, dest string"
    save(spark.createDataFrame([("|", None, None)], schema))
    if reader.load(COPY.name, columns).filter("key = '|'").count():
        yield "a row of nulls was written"
    try:
        save(spark.createDataFrame([(None, "AA", "LAX")], schema))
        yield "a row without a key is not refused"
    except Py4JJavaError as e:
        if "no row key" not in str(e):
            yield f"a row without a key: {str(e)[:500]}"
