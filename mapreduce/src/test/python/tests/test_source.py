"""What a table must hold follows from the source alone, by the rules of the import."""

import tempfile
import unittest
from pathlib import Path

from readback import column, flights
from readback.column import Column, key
from readback.kind import BYTES, DOUBLE_TEXT, LONG_TEXT, STRING, of_text
from readback.source import Source


class SourceTest(unittest.TestCase):
    def source(self, text, key_columns="k"):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "source.csv"
            path.write_text(text, newline="")
            return Source(path, key_columns)

    def test_a_line_is_a_row_and_an_empty_field_no_cell(self):
        rows = list(self.source('k,l,a\n0,0,0\n2,x,"a\r\nb"\n1,y,\n', "k,l").after)
        self.assertEqual([row[b":key"] for row in rows], [b"1|y", b"2|x"], "the first row is deleted")
        self.assertEqual(rows[1][b"f:a"], b"a\r\nb")
        self.assertNotIn(b"f:a", rows[0])

    def test_the_second_half_corrects_the_first(self):
        source = self.source("k,a\n" + "".join(f"{number:03d},{number}\n" for number in range(300)))
        before, after = ({row[b":key"]: row[b"f:a"] for row in rows} for rows in (source.before, source.after))
        self.assertEqual((before[b"100"], after[b"100"]), (b"100", b"98"))
        self.assertEqual((len(before), len(after)), (150, 299))

    def test_regions_are_of_about_the_same_size(self):
        source = self.source("k,a\n" + "".join(f"{number:03d},1\n" for number in range(101)))
        self.assertEqual(source.splits(4), [b"026", b"051", b"076"])

    def test_types_are_the_narrowest(self):
        self.assertIs(of_text([b"1", b"-2"]), LONG_TEXT)
        self.assertEqual(of_text([b"1.50", b"-2.00"]).name, "decimal(9,2)")
        self.assertIs(of_text([b"1", b"2.5e-09"]), DOUBLE_TEXT)
        self.assertIs(of_text([b"1", b"NA"]), STRING)

    def test_the_flights_are_always_the_same_and_hard_to_read_back(self):
        with tempfile.TemporaryDirectory() as directory:
            files = [Path(directory) / name for name in ("one", "two")]
            for file in files:
                flights.write(file)
            text = files[0].read_bytes().decode()
            self.assertEqual(text, files[1].read_bytes().decode())
            kinds = {each.kind.name for each in Source(files[0], flights.KEY).columns()}
        self.assertEqual(kinds, {"string", "long(text)", "double(text)", "decimal(9,2)"})
        for hard in ('""', "two\nlines", "東京", ",,"):
            self.assertIn(hard, text)


class ColumnTest(unittest.TestCase):
    def test_a_mapping_as_it_is_written(self):
        columns = [key("k", STRING), Column(b"f:a,b", "ab", BYTES), Column(b"f:n", "n", LONG_TEXT, stamped=True)]
        self.assertEqual(column.mapping(columns), r":key=k:string,f:a\x2Cb=ab:bytes,f:n=n:long(text)+ts")
        self.assertEqual([each.name for each in column.with_stamps(columns)], ["k", "ab", "n", "n_ts"])

    def test_a_mapping_as_it_is_found(self):
        columns = column.found([b"g:", "f:ö".encode(), b"f:a b"])
        self.assertEqual(column.found_mapping(columns), r"f:\xC3\xB6,f:a\x20b,g:")
        self.assertEqual([each.name for each in columns], ["rowkey", "f_ö", r"f_a\x20b", "g"])
        self.assertEqual(column.found_mapping(column.found([])), ":key")
