"""A download that is as it should be passes, and one that was changed in any way does not. The files are written by pyarrow and fastavro here."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import fastavro
import google_crc32c
import pyarrow as pa
import pyarrow.parquet

from readback.check import check
from readback.column import Column, key
from readback.formats import FORMATS
from readback.kind import BYTES, DOUBLE_TEXT, LONG_TEXT, STRING
from readback.table import Rows

COLUMNS = [key("id", STRING), Column(b"f:n", "n", LONG_TEXT), Column(b"f:t", "t", STRING), Column(b"f:b", "b", BYTES), Column(b"f:d", "d", DOUBLE_TEXT)]
ROWS = Rows(
    {
        b"a": {b"f:n": b"1", b"f:t": b"", b"f:b": b"\x00", b"f:d": b"0.1"},
        b"b": {b"f:t": 'ä, "b"\n'.encode(), b"f:d": b"NaN"},
        b"c": {b"f:n": b"-3", b"f:b": b"x", b"f:d": b"-0.0"},
        b"d": {b"f:n": b"4"},
    }
)
SAYS = {"table": "t"}
AVRO = {"string": "string", "int64": "long", "binary": "bytes", "double": "double"}
TEXTS = {
    "csv": ('id,n,t,b,d\r\na,1,"",\\x00,0.1\r\nb,,"ä, ""b""\n",,NaN\r\n', "id,n,t,b,d\r\nc,-3,,x,-0.0\r\nd,4,,,\r\n"),
    "tsv": ('id\tn\tt\tb\td\na\t1\t\t\\x00\t0.1\nb\t\tä, "b" \t\tNaN\n', "id\tn\tt\tb\td\nc\t-3\t\tx\t-0.0\nd\t4\t\t\t\n"),
    "jsonl": (
        '{"id":"a","n":1,"t":"","b":"\\\\x00","d":0.1}\n{"id":"b","t":"ä, \\"b\\"\\n"}\n',
        '{"id":"c","n":-3,"b":"x","d":-0.0}\n{"id":"d","n":4}\n',
    ),
}
# JSON has no NaN.
ROWS_OF = {"jsonl": Rows({row[b":key"]: {source: value for source, value in row.items() if value != b"NaN"} for row in ROWS})}


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.directory = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.directory)

    def file(self, number, name):
        return self.directory / f"part-{number:05d}.{name}"

    def write_tables(self, write):
        values = [
            (["a", "b"], [1, None], ["", 'ä, "b"\n'], [b"\0", None], [0.1, float("nan")]),
            (["c", "d"], [-3, 4], [None, None], [b"x", None], [-0.0, None]),
        ]
        schema = pa.schema([pa.field(column.name, column.kind.arrow, not column.is_key) for column in COLUMNS])
        for number, columns in enumerate(values):
            arrays = [pa.array(column, field.type) for column, field in zip(columns, schema)]
            write(number, pa.table(arrays, schema=schema))

    def write_parquet(self, number, table):
        pa.parquet.write_table(table, self.file(number, "parquet"))

    def write_avro(self, number, table):
        fields = [{"name": field.name, "type": ["null", AVRO[str(field.type)]]} for field in table.schema]
        with self.file(number, "avro").open("wb") as file:
            fastavro.writer(file, {"type": "record", "name": "row", "fields": fields}, table.to_pylist())

    def write(self, name):
        if name == "parquet":
            self.write_tables(self.write_parquet)
        if name == "avro":
            self.write_tables(self.write_avro)
        for number, text in enumerate(TEXTS.get(name, ())):
            self.file(number, name).write_bytes(text.encode())
        self.write_manifest(name)
        (self.directory / "_SUCCESS").touch()

    def write_manifest(self, name, **changes):
        parts = [self.report(number, name) for number in range(2)]
        manifest = {"format": name, "rows": 4, "bytes": sum(part["bytes"] for part in parts), "files": parts} | SAYS | changes
        (self.directory / "_manifest.json").write_text(json.dumps(manifest))

    def report(self, number, name):
        file = self.file(number, name)
        content = file.read_bytes()
        return {"name": file.name, "rows": 2, "bytes": len(content), "crc32c": f"{google_crc32c.value(content):08x}"}

    def wrong(self, name):
        return check(self.directory, name, ROWS_OF.get(name, ROWS), COLUMNS, SAYS)

    def replace(self, name, number, old, new):
        """Changes a file and what is said of it, so that readers alone can see it."""
        content = self.file(number, name).read_bytes()
        self.assertIn(old.encode(), content)
        self.file(number, name).write_bytes(content.replace(old.encode(), new.encode(), 1))
        self.write_manifest(name)

    def assert_seen_by_both(self, name, sentence):
        wrong = self.wrong(name)
        for reader in ("pyarrow", "DuckDB"):
            self.assertTrue(any(reader in line and sentence in line for line in wrong), wrong)

    def test_what_is_right_passes(self):
        for name in FORMATS:
            with self.subTest(name):
                self.setUp()
                self.write(name)
                self.assertEqual(self.wrong(name), [])

    def test_a_changed_value(self):
        for name, old, new in [("csv", "c,-3", "c,-4"), ("tsv", "c\t-3", "c\t-4"), ("jsonl", '"n":-3', '"n":-4')]:
            with self.subTest(name):
                self.setUp()
                self.write(name)
                self.replace(name, 1, old, new)
                self.assert_seen_by_both(name, "row 'c', column n: -4, not -3")

    def test_the_sign_of_zero(self):
        self.write("csv")
        self.replace("csv", 1, "-0.0", "0.0")
        self.assert_seen_by_both("csv", "row 'c', column d")

    def test_null_in_place_of_the_empty_text(self):
        self.write("csv")
        self.replace("csv", 0, 'a,1,""', "a,1,")
        self.assert_seen_by_both("csv", "row 'a', column t: None, not ''")

    def test_a_missing_row(self):
        self.write("jsonl")
        self.replace("jsonl", 1, '{"id":"d","n":4}\n', "")
        self.assert_seen_by_both("jsonl", "row 'd' is missing")
        self.assertIn("pyarrow: part-00001.jsonl has 1 rows, not 2", self.wrong("jsonl"))

    def test_a_swapped_order_of_rows(self):
        self.write("csv")
        self.replace("csv", 1, "c,-3,,x,-0.0\r\nd,4,,,\r\n", "d,4,,,\r\nc,-3,,x,-0.0\r\n")
        self.assert_seen_by_both("csv", "row 'c' stands behind row 'd'")

    def test_a_swapped_order_of_parts(self):
        self.write("csv")
        first, second = self.file(0, "csv").read_bytes(), self.file(1, "csv").read_bytes()
        self.file(0, "csv").write_bytes(second)
        self.file(1, "csv").write_bytes(first)
        self.write_manifest("csv")
        self.assert_seen_by_both("csv", "row 'a' stands behind row 'd'")

    def test_another_type(self):
        self.write("parquet")
        for number in range(2):
            changed = pa.parquet.read_table(self.file(number, "parquet")).set_column(1, "n", pa.array([1, 1], pa.int32()))
            pa.parquet.write_table(changed, self.file(number, "parquet"))
        self.write_manifest("parquet")
        self.assert_seen_by_both("parquet", "column n is of type")

    def test_another_name(self):
        self.write("csv")
        for number in range(2):
            self.replace("csv", number, "id,n", "id,m")
        self.assert_seen_by_both("csv", "")

    def test_a_file_that_cannot_be_read(self):
        self.write("parquet")
        self.file(1, "parquet").write_bytes(b"PAR1")
        self.write_manifest("parquet")
        self.assert_seen_by_both("parquet", "cannot read it")

    def test_a_changed_byte(self):
        self.write("tsv")
        content = self.file(0, "tsv").read_bytes()
        self.file(0, "tsv").write_bytes(content.replace("ä".encode(), "ö".encode()))
        self.assertTrue(any("CRC-32C" in line for line in self.wrong("tsv")))

    def test_what_the_manifest_says(self):
        self.write("csv")
        for changes in ({"rows": 5}, {"bytes": 1}, {"table": "u"}, {"format": "tsv"}, {"files": []}):
            with self.subTest(changes):
                self.write_manifest("csv", **changes)
                self.assertNotEqual(self.wrong("csv"), [])

    def test_no_success_and_something_left_over(self):
        self.write("csv")
        (self.directory / "_SUCCESS").unlink()
        (self.directory / "_download").mkdir()
        self.assertEqual(self.wrong("csv"), ["_SUCCESS is missing", "_download is left over"])

    def test_no_manifest(self):
        self.write("csv")
        (self.directory / "_manifest.json").unlink()
        self.assertIn("the manifest cannot be read", self.wrong("csv")[0])
