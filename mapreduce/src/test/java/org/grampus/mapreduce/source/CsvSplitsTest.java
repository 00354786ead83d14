package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.input.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every record of a CSV file is read once, whatever the splits, and as another library reads it.
 */
class CsvSplitsTest {
  private static final String[] PIECES = {
    "a", "ä€𝄞", ",", "\"\"", "\n", "\r\n", "\r", " ", "\"\"\"\"", "b\"c", "x,y"
  };
  private static final String[] LINE_ENDS = {"\n", "\r\n", "\r"};

  @TempDir Path directory;

  @Test
  void eachRecordIsReadOnceForAnySplits() {
    Seeds.check(
        random -> {
          try {
            oneFile(random);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void oneFile(Random random) throws IOException {
    int columns = 1 + random.nextInt(4);
    String text = text(random, columns);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(directory.resolve("file.csv"), bytes);
    long[] wanted = new long[random.nextInt(12)];
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = 1L + random.nextInt(bytes.length);
    }
    Arrays.sort(wanted);
    List<String> read = new ArrayList<>();
    long begin = 0;
    List<Long> borders = new ArrayList<>();
    for (long border : CsvBorders.find(new ByteArrayInputStream(bytes), wanted)) {
      borders.add(border);
    }
    borders.add((long) bytes.length);
    for (long end : borders) {
      if (end > begin) {
        read(file, begin, end, read);
        begin = end;
      }
    }
    assertEquals(expected(text), read, text);
  }

  /** A header and records, with a field quoted by chance or because it must be. */
  private static String text(Random random, int columns) {
    String end = LINE_ENDS[random.nextInt(LINE_ENDS.length)];
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "" : "\uFEFF");
    text.append(String.join(",", List.of("c0", "c1", "c2", "c3").subList(0, columns))).append(end);
    int records = random.nextInt(20);
    for (int record = 0; record < records; record++) {
      for (int column = 0; column < columns; column++) {
        text.append(column > 0 ? "," : "").append(field(random, columns == 1));
      }
      boolean last = record == records - 1;
      text.append(last && random.nextBoolean() ? "" : end);
    }
    return text.toString();
  }

  private static String field(Random random, boolean needed) {
    StringBuilder field = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      field.append(PIECES[random.nextInt(PIECES.length)]);
    }
    String value = field.toString();
    boolean plain = !value.contains("\"") && value.matches("[^,\r\n]*");
    return plain && random.nextBoolean() && !(needed && value.isEmpty())
        ? value
        : "\"" + value.replace("b\"c", "b\"\"c") + "\"";
  }

  private static void read(Path file, long begin, long end, List<String> into) throws IOException {
    FileSplit split =
        new FileSplit(
            new org.apache.hadoop.fs.Path(file.toUri()), begin, end - begin, new String[0]);
    try (CsvSource source = CsvSource.open(new Configuration(false), split, null)) {
      for (SourceRecord record = source.next(); record != null; record = source.next()) {
        assertNull(record.problem());
        List<String> values = new ArrayList<>();
        for (Object value : record.values()) {
          values.add(value == null ? "" : (String) value);
        }
        into.add(values.toString());
      }
    }
  }

  private static List<String> expected(String text) throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).build();
    String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
    List<String> records = new ArrayList<>();
    try (CSVParser parser = format.parse(new StringReader(unmarked))) {
      for (CSVRecord record : parser) {
        records.add(record.toList().toString());
      }
    }
    return records;
  }

  private List<String> records(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("bad.csv"), text);
    FileSplit split =
        new FileSplit(
            new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), new String[0]);
    List<String> seen = new ArrayList<>();
    try (CsvSource source = CsvSource.open(new Configuration(false), split, null)) {
      for (SourceRecord record = source.next(); record != null; record = source.next()) {
        String what =
            record.problem() != null
                ? record.problem() + " <" + source.raw() + ">"
                : Arrays.toString(record.values());
        seen.add(source.place().number() + ": " + what);
      }
    }
    return seen;
  }

  @Test
  void whatIsNoRecordIsSaidAndTheNextOneIsRead() throws IOException {
    assertEquals(
        List.of(
            "2: [1, null]",
            "3: it has 3 fields, and not 2 <1,2,3>",
            "4: there is text between a closing quote and the end of the field <\"a\"x,2>",
            "5: [two\nlines, ]",
            "7: [5\" pipe, x]",
            "8: it has 1 fields, and not 2 <>",
            "9: a quote is not closed before the end of the file <\"open,1\n2,3\n>"),
        records("a,b\n1,\n1,2,3\n\"a\"x,2\n\"two\nlines\",\"\"\n5\" pipe,x\n\n\"open,1\n2,3\n"));
  }

  @Test
  void linesCountWhateverEndsThem() throws IOException {
    for (String end : LINE_ENDS) {
      assertEquals(
          List.of(
              "2: [1, 2]",
              "3: it has 1 fields, and not 2 <3>",
              "4: [two" + end + "lines, x]",
              "6: [4, 5]"),
          records(String.join(end, "a,b", "1,2", "3", "\"two", "lines\",x", "4,5", "")));
    }
  }

  @Test
  void theLastFieldMayHaveNeitherTextNorAnEndOfLine() throws IOException {
    assertEquals(List.of("2: [x, null]"), records("a,b\n\"x\","));
    assertEquals(List.of("2: [x, ]"), records("a,b\nx,\"\""));
  }

  @Test
  void bytesThatAreNoTextAreNotReplaced() throws IOException {
    Path file = directory.resolve("latin.csv");
    Files.write(file, "a\n\u00e4\nb\n".getBytes(StandardCharsets.ISO_8859_1));
    FileSplit split =
        new FileSplit(new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), null);
    try (CsvSource source = CsvSource.open(new Configuration(false), split, null)) {
      assertEquals("it is no UTF-8", source.next().problem());
      assertEquals("b", source.next().values()[0]);
      assertNull(source.next());
      assertTrue(source.progress() >= 1);
    }
  }
}
