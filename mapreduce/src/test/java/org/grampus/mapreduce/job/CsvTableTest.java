package org.grampus.mapreduce.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class CsvTableTest {
  private static final List<String> HEADER = List.of("a", "b", "c");

  private static CSVRecord line(String text) throws IOException {
    try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180)) {
      return parser.getRecords().get(0);
    }
  }

  @Test
  void keyColumnsAreJoinedInTheOrderGiven() throws IOException {
    Put put = new CsvTable(HEADER, List.of("c", "a"), "|", "f").put(line("1,2,3"));
    assertArrayEquals(Bytes.toBytes("3|1"), put.getRow());
    assertEquals(3, put.size());
  }

  @Test
  void emptyFieldsHaveNoCell() throws IOException {
    Put put = new CsvTable(HEADER, List.of("a"), "|", "f").put(line("1,,\"x, y\""));
    assertFalse(put.has(Bytes.toBytes("f"), Bytes.toBytes("b")));
    assertTrue(put.has(Bytes.toBytes("f"), Bytes.toBytes("c"), Bytes.toBytes("x, y")));
  }

  @Test
  void wrongInputIsNamed() throws IOException {
    assertThrows(ImportException.class, () -> new CsvTable(HEADER, List.of("d"), "|", "f"));
    CsvTable table = new CsvTable(HEADER, List.of("a"), "|", "f");
    ImportException error = assertThrows(ImportException.class, () -> table.put(line("1,2")));
    assertTrue(error.getMessage().contains("has 2 fields"), error.getMessage());
  }
}
