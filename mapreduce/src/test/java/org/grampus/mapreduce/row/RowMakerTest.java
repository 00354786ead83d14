package org.grampus.mapreduce.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.input.Seeds;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** Keys, cells and their bytes. */
class RowMakerTest {
  private static final RecordShape SHAPE =
      new RecordShape(List.of("year", "month", "name", "g:x"), true);

  private static RowOptions options(String columns, String key) {
    return new RowOptions(columns, key, "|", "f", 7, null, false, 1000);
  }

  private static SourceRecord record(Object... values) {
    return new SourceRecord(SHAPE, values, null);
  }

  private static String key(String expression, Object... values) throws Exception {
    return Bytes.toString(RowMaker.of(options(null, expression)).row(record(values)).getRow());
  }

  private static String bad(RowMaker rows, Object... values) {
    return assertThrows(BadValueException.class, () -> rows.row(record(values))).getMessage();
  }

  private static String badKey(String expression, Object... values) {
    return bad(RowMaker.of(options(null, expression)), values);
  }

  @Test
  void keysAreColumnsInTheirForms() throws Exception {
    assertEquals("2013|7", key("year,month", "2013", "7", "n", null));
    assertEquals("2013|07|n  ", key("year,month:02d,name:3s", "2013", "7", "n", null));
    assertEquals("cba|3102", key("name:reverse,year:reverse", "2013", "7", "abc", null));
    assertEquals("x", key("g:x", "1", "2", "3", "x"));
    assertEquals("2013|", key("year,name", "2013", "7", null, "v"));
    assertEquals("2013|1.50", key("year,name", 2013L, 7L, new BigDecimal("1.50"), null));
    // the digits are those of: printf '2013|7' | md5sum
    assertEquals("7d8b|2013|7", key("hash(4),year,month", "2013", "7", "n", null));
  }

  @Test
  void keysThatCannotBeAreBadRecords() {
    assertEquals(
        "column month: '-7' is no whole number from 0 on, which the key needs",
        badKey("month:02d", "2013", "-7", "n", "v"));
    assertEquals(
        "column month: '' is no whole number from 0 on, which the key needs",
        badKey("month:02d", "2013", null, "n", "v"));
    assertEquals(
        "column month: '123' is longer than 2, which the key has room for",
        badKey("month:02d", "2013", "123", "n", "v"));
    assertEquals("its row key is empty", badKey("name", "2013", "7", null, "v"));
    assertTrue(badKey("name", "1", "2", "x".repeat(40_000), "v").contains("40000 bytes"));
    assertEquals("its row key is empty", badKey("hash(2),name", "2013", "7", null, "v"));
    assertEquals("its row key is empty", badKey("name,g:x", "2013", "7", null, ""));
    assertEquals("its row key is empty", badKey("hash(2),name:3s,g:x", "2013", "7", null, null));
    assertEquals(
        "column name: 'a|b' has the separator of the key, '|'; --key-separator says another one",
        badKey("name,g:x", "2013", "7", "a|b", "c"));
  }

  @Test
  void aSeparatorMattersBetweenPartsOnly() throws Exception {
    assertEquals("a|b", key("name", "2013", "7", "a|b", "c"));
    RowOptions none = new RowOptions(null, "name,g:x", "", "f", 7, null, false, 1000);
    assertEquals(
        "a|bc", Bytes.toString(RowMaker.of(none).row(record("1", "2", "a|b", "c")).getRow()));
  }

  private static RowMaker separated(String separator, String expression) {
    return RowMaker.of(new RowOptions(null, expression, separator, "f", 7, null, false, 1000));
  }

  @Test
  void longSeparatorsAreNotMadeByTheEndsOfParts() throws Exception {
    RowMaker rows = separated("::", "name,g:x");
    assertEquals(
        "column name: 'x:' ends with a part of the key's separator, '::'; --key-separator says"
            + " another one",
        bad(rows, "1", "2", "x:", "y"));
    assertEquals(
        "x:::y", Bytes.toString(rows.row(record("1", "2", "x", ":y")).getRow()), "the first two");
    assertTrue(bad(rows, "1", "2", "x", "y::").contains("has the separator of the key"));
    assertTrue(bad(separated("aba", "name,g:x"), "1", "2", "xab", "y").contains("a part of"));
  }

  @Test
  void spacesOfAValueAreNotThoseOfItsWidth() throws Exception {
    assertEquals(
        "column name: 'n ' ends with a space, as the key has behind shorter texts",
        badKey("name:3s", "2013", "7", "n ", "v"));
    assertEquals(" n ", key("name:3s", "2013", "7", " n", "v"));
  }

  @Test
  void expressionsThatCannotBeAreRefused() {
    for (String expression : List.of("", "a,,b", "hash(0),a", "hash(33),a", "hash(2)")) {
      assertThrows(
          IllegalArgumentException.class, () -> RowMaker.of(options(null, expression)), expression);
    }
    MissingColumnException missing =
        assertThrows(
            MissingColumnException.class,
            () -> RowMaker.of(options(null, "day")).row(record("1", "2", "3", "4")));
    assertTrue(missing.getMessage().contains("no column day"), missing.getMessage());
  }

  @Test
  void withoutAMappingEveryColumnIsTextInAFamily() throws Exception {
    Put row = RowMaker.of(options(null, "year")).row(record(2013L, "7", "", "x"));
    assertEquals(3, row.size());
    assertArrayEquals(Bytes.toBytes("2013"), value(row, "f", "year"));
    assertArrayEquals(Bytes.toBytes("7"), value(row, "f", "month"));
    assertArrayEquals(Bytes.toBytes("x"), value(row, "g", "x"));
    assertEquals(7, row.get(Bytes.toBytes("f"), Bytes.toBytes("month")).get(0).getTimestamp());
  }

  @Test
  void twoColumnsAreNotOneCell() throws Exception {
    RowMaker rows = RowMaker.of(options(null, "k"));
    List<String> names = List.of("k", "x", "f:x");
    String twice = "the columns x and f:x are both the cell f:x; leave one out with --columns";
    Object[] values = {"1", "2", "3"};
    SourceRecord ofFile = new SourceRecord(new RecordShape(names, true), values, null);
    assertEquals(
        twice, assertThrows(MissingColumnException.class, () -> rows.row(ofFile)).getMessage());
    SourceRecord alone = new SourceRecord(new RecordShape(names, false), values, null);
    assertEquals(twice, assertThrows(BadValueException.class, () -> rows.row(alone)).getMessage());
    RecordShape next = new RecordShape(List.of("k", "x", "g:x"), false);
    assertEquals(3, rows.row(new SourceRecord(next, values, null)).size());
  }

  private static byte[] value(Put row, String family, String qualifier) {
    return org.apache.hadoop.hbase.CellUtil.cloneValue(
        row.get(Bytes.toBytes(family), Bytes.toBytes(qualifier)).get(0));
  }

  private static byte[] encoded(String type, Object value) throws Exception {
    return ColumnType.of(type, new Times(null)).encode(value);
  }

  @Test
  void typesAreHBasesBytes() throws Exception {
    assertArrayEquals(new byte[] {'a', 0, '\\'}, encoded("bytes", "a\\x00\\x5C"));
    assertArrayEquals(new byte[] {'\\', 'x'}, encoded("bytes", new byte[] {'\\', 'x'}));
    assertArrayEquals(Bytes.toBytes("\\x00"), encoded("string", "\\x00"));
    assertArrayEquals(new byte[] {-128}, encoded("byte", "-128"));
    assertArrayEquals(Bytes.toBytes((short) 7), encoded("short", 7L));
    assertArrayEquals(Bytes.toBytes(-7), encoded("int", new BigDecimal("-7.0")));
    assertArrayEquals(Bytes.toBytes(Long.MIN_VALUE), encoded("long", "-9223372036854775808"));
    assertArrayEquals(Bytes.toBytes(-0.0), encoded("double", "-0.0"));
    assertArrayEquals(Bytes.toBytes(0.1f), encoded("float", "0.1"));
    assertArrayEquals(Bytes.toBytes(0.5f), encoded("float", 0.5));
    assertArrayEquals(Bytes.toBytes(Double.NaN), encoded("double", "NaN"));
    assertArrayEquals(Bytes.toBytes(true), encoded("boolean", "TRUE"));
    assertArrayEquals(Bytes.toBytes(-1L), encoded("timestamp", "1969-12-31T23:59:59.999Z"));
    assertArrayEquals(
        Bytes.toBytes(Long.MAX_VALUE), encoded("timestamp", "+292278994-08-17T07:12:55.807Z"));
    assertArrayEquals(
        Bytes.toBytes(Long.MIN_VALUE), encoded("timestamp", "-292275055-05-16T16:47:04.192Z"));
    assertArrayEquals(Bytes.toBytes(5L), encoded("timestamp", Instant.ofEpochMilli(5)));
    assertArrayEquals(Bytes.toBytes(7), encoded("int", "7.0"));
    assertArrayEquals(Bytes.toBytes(7), encoded("int", 7.0));
    assertArrayEquals(Bytes.toBytes(1200L), encoded("long", "1.2e3"));
    assertArrayEquals(Bytes.toBytes("007"), encoded("long(text)", "007"));
    assertArrayEquals(Bytes.toBytes("7"), encoded("long(text)", new BigDecimal("7.0")));
    String digits = "0.12345678901234567890";
    assertArrayEquals(Bytes.toBytes(digits), encoded("double(text)", digits));
    assertArrayEquals(Bytes.toBytes("1.50"), encoded("decimal(9,2)", new BigDecimal("1.50")));
    assertEquals(null, encoded("double(text)", ""));
  }

  private static String refusal(String type, Object value) {
    return assertThrows(BadValueException.class, () -> encoded(type, value), type + " " + value)
        .getMessage();
  }

  @Test
  void valuesOfOtherTypesAreRefused() {
    assertEquals("'128' is no byte", refusal("byte", "128"));
    assertEquals("'x' is no long", refusal("long", "x"));
    assertEquals("'' is no int", refusal("int", ""));
    assertEquals("'1.5' is no int", refusal("int", new BigDecimal("1.5")));
    assertEquals("'9223372036854775808' is no long", refusal("long", "9223372036854775808"));
    for (String number : List.of("1e400", "0x1p3", "1f", " 1", "inf", "nan", "١")) {
      assertEquals(TextForm.shown(number) + " is no double", refusal("double", number));
    }
    assertEquals("'1e39' is no float", refusal("float", "1e39"));
    assertEquals("'0.1' is no float", refusal("float", 0.1));
    assertEquals("'7.0' is no long", refusal("long(text)", "7.0"));
    assertEquals("'1e999999999' is no int", refusal("int", "1e999999999"));
    assertEquals("'yes' is no boolean", refusal("boolean", "yes"));
    assertTrue(refusal("timestamp", "2026-13-01T00:00:00Z").contains("no timestamp such as"));
    assertTrue(refusal("timestamp", "2026-11-22T23:21:36.0001Z").contains("more than millis"));
    assertTrue(refusal("decimal(4,2)", "1.234").contains("behind the point than a decimal(4,2)"));
    assertTrue(refusal("decimal(4,2)", "123").contains("more digits than a decimal(4,2)"));
    assertTrue(refusal("decimal(4,2)", "1e999999999").contains("more digits than"));
    assertTrue(refusal("bytes", "a\\n").contains("begins no \\xNN"));
    assertTrue(refusal("string", new byte[] {(byte) 0xFF}).contains("no UTF-8"));
    assertTrue(refusal("string", List.of()).contains("nested"));
  }

  @Test
  void noDigitIsLostInADouble() throws Exception {
    for (String number :
        List.of(
            "0.1",
            "0.10000000000000001",
            "9007199254740992",
            "1e23",
            "4.9e-324",
            "-0",
            "0.0",
            "0.1000000000000000000000000",
            "2013.0000000000000000000",
            "9007199254740992.000",
            "1000000000000000000000",
            "1.5000000000000000000000000e300",
            "3.141592653589793",
            "2.2250738585072014E-308",
            "1.7976931348623157E308")) {
      assertArrayEquals(
          Bytes.toBytes(Double.parseDouble(number)), encoded("double", number), number);
    }
    assertArrayEquals(Bytes.toBytes(1.5), encoded("double", new BigDecimal("1.50")));
    assertArrayEquals(Bytes.toBytes(9007199254740992.0), encoded("double", 9007199254740992L));
    for (Object number :
        List.of(
            "9007199254740993",
            "9007199254740993.0",
            "90071992547409930",
            9007199254740993L,
            Long.MAX_VALUE,
            "0.1234567890123456789",
            new BigDecimal("12345678901234567.89"),
            "1e-400")) {
      assertTrue(refusal("double", number).contains("more digits than a double"), "" + number);
    }
    assertArrayEquals(Bytes.toBytes(0.1f), encoded("float", "0.100000001"));
    assertTrue(refusal("float", "16777217").contains("more digits than a float"));
    assertTrue(refusal("float", "0.123456789012").contains("more digits than a float"));
  }

  @Test
  void whatProgramsPrintOfADoubleIsTheDouble() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      float few = Float.intBitsToFloat(random.nextInt());
      if (Double.isFinite(any) && Float.isFinite(few)) {
        byte[] bytes = Bytes.toBytes(any);
        assertArrayEquals(bytes, encoded("double", Double.toString(any)), "" + any);
        String printed = String.format(Locale.ROOT, "%.16e", new BigDecimal(any));
        assertArrayEquals(bytes, encoded("double", printed), printed);
        assertArrayEquals(Bytes.toBytes(few), encoded("float", Float.toString(few)), "" + few);
      }
    }
  }

  /** Of a large float some last digits are zeros that it has not. */
  @Test
  void whatDownloadsWriteOfAFloatIsTheFloat() throws Exception {
    for (String zero : List.of("0e0", "0.0E0", "0e-9", "0E9", "0.0", "0")) {
      assertArrayEquals(Bytes.toBytes(0f), encoded("float", zero), zero);
      assertArrayEquals(Bytes.toBytes(0.0), encoded("double", zero), zero);
    }
    assertArrayEquals(Bytes.toBytes(1f), encoded("float", "100e-2"));
    assertArrayEquals(Bytes.toBytes(1e10f), encoded("float", "1.0E10"));
    assertArrayEquals(Bytes.toBytes(Float.MIN_NORMAL), encoded("float", "1.17549435E-38"));
    assertArrayEquals(Bytes.toBytes((float) 969583872), encoded("float", "969583900.0"));
    assertArrayEquals(Bytes.toBytes((float) 969583872), encoded("float", "969583900"));
    for (String lost : List.of("969583880.0", "969583869", "9695838700.5", "9695838690e0")) {
      assertTrue(refusal("float", lost).contains("more digits than a float"), lost);
    }
    assertTrue(refusal("float", 969583900L).contains("more digits than a float"));
    assertTrue(refusal("float", new BigDecimal("969583900")).contains("more digits than a float"));
    Seeds.check(
        10_000,
        random -> {
          float few =
              random.nextBoolean()
                  ? Float.intBitsToFloat(random.nextInt())
                  : (float) (random.nextGaussian() * Math.pow(10, random.nextInt(20)));
          double any =
              random.nextBoolean()
                  ? Double.longBitsToDouble(random.nextLong())
                  : random.nextGaussian() * Math.pow(10, random.nextInt(20));
          BigDecimal ofFew = shortest(few, digits -> Float.parseFloat(digits) == few);
          BigDecimal ofAny = shortest(any, digits -> Double.parseDouble(digits) == any);
          assertPrints("float", Bytes.toBytes(few), Float.toString(few), printed(few, ofFew));
          assertPrints("double", Bytes.toBytes(any), Double.toString(any), printed(any, ofAny));
        });
  }

  private static void assertPrints(String type, byte[] bytes, String... texts) throws Exception {
    for (String text : texts) {
      if (!text.equals("NaN")) { // which has many forms as bytes
        assertArrayEquals(bytes, encoded(type, text), text);
      }
    }
  }

  /** The fewest digits that are read as a number; null if it has none. */
  private static BigDecimal shortest(double number, Predicate<String> isRead) {
    if (!Double.isFinite(number)) {
      return null;
    }
    BigDecimal exact = new BigDecimal(number);
    return IntStream.rangeClosed(1, 17)
        .mapToObj(digits -> exact.round(new MathContext(digits, RoundingMode.HALF_EVEN)))
        .filter(rounded -> isRead.test(rounded.toString()))
        .findFirst()
        .orElseThrow();
  }

  /** As downloads print a number (columns/src/write/fields.rs): up to 1e16 without exponent. */
  private static String printed(double number, BigDecimal shortest) {
    if (shortest == null) {
      return Double.toString(number);
    }
    BigDecimal absolute = shortest.abs().stripTrailingZeros();
    String sign = Double.toString(number).startsWith("-") ? "-" : "";
    int exponent = absolute.precision() - absolute.scale() - 1;
    if (absolute.signum() == 0 || (exponent >= -4 && exponent < 16)) {
      String plain = absolute.toPlainString();
      return sign + plain + (plain.contains(".") ? "" : ".0");
    }
    String digits = absolute.unscaledValue().toString();
    String rest = digits.length() == 1 ? "" : "." + digits.substring(1);
    return sign + digits.charAt(0) + rest + "e" + exponent;
  }

  @Test
  void timesWithoutAZoneHaveThatOfTheUser() throws Exception {
    LocalDateTime local = LocalDateTime.parse("1970-01-01T01:00:00");
    assertArrayEquals(Bytes.toBytes("1970-01-01T01:00:00.000"), encoded("string", local));
    for (Object time : List.of(local, "1970-01-01T01:00:00")) {
      assertTrue(refusal("timestamp", time).contains("--zone"), "" + time);
      ColumnType type = ColumnType.of("timestamp", new Times(ZoneId.of("Europe/Vienna")));
      assertArrayEquals(Bytes.toBytes(0L), type.encode(time));
    }
    assertTrue(refusal("timestamp", "+999999999-01-01T00:00:00Z").contains("too far from 1970"));
  }

  @Test
  void localTimesThatAreNoneOrTwoAreBad() throws Exception {
    ColumnType type = ColumnType.of("timestamp", new Times(ZoneId.of("Europe/Vienna")));
    for (String time : List.of("2026-03-29T02:30:00", "2026-10-25T02:30:00")) {
      for (Object value : List.of(time, LocalDateTime.parse(time))) {
        String refusal =
            assertThrows(BadValueException.class, () -> type.encode(value)).getMessage();
        assertTrue(refusal.contains("Europe/Vienna, where clocks are changed then"), refusal);
      }
    }
    assertArrayEquals(
        Bytes.toBytes(Instant.parse("2026-10-25T00:30:00Z").toEpochMilli()),
        type.encode("2026-10-25T02:30:00+02:00"));
  }

  @Test
  void ofVersionsWithOneTimestampTheNewestCounts() throws Exception {
    RowOptions overriding = new RowOptions("*", null, "|", "f", 7, null, true, 1000);
    Map<String, Object> old = cell(3, "old");
    Map<String, Object> newer = cell(4, "new");
    RecordShape shape = new RecordShape(List.of("rowkey", "cells"), true);
    for (List<?> cells : List.of(List.of(old, newer), List.of(newer, old))) {
      Put row =
          RowMaker.of(overriding).row(new SourceRecord(shape, new Object[] {"k", cells}, null));
      assertEquals(1, row.size());
      assertArrayEquals(Bytes.toBytes("new"), value(row, "f", "q"));
    }
  }

  private static Map<String, Object> cell(long timestamp, String value) {
    return Map.of(
        "family", "f", "qualifier", "q", "timestamp", timestamp, "type", 4L, "value", value);
  }

  @Test
  void mappedColumnsHaveTheirOwnTimestamps() throws Exception {
    RowMaker rows = RowMaker.of(options(":key=name:string,f:a=year:int,f:b=month:string+ts", null));
    RecordShape shape = new RecordShape(List.of("month_ts", "name", "year", "month"), true);
    Put row =
        rows.row(
            new SourceRecord(
                shape, new Object[] {"1970-01-01T00:00:00.042Z", "k", "5", "m"}, null));
    assertEquals("k", Bytes.toString(row.getRow()));
    assertEquals(42, row.get(Bytes.toBytes("f"), Bytes.toBytes("b")).get(0).getTimestamp());
    assertEquals(7, row.get(Bytes.toBytes("f"), Bytes.toBytes("a")).get(0).getTimestamp());
    assertArrayEquals(Bytes.toBytes(5), value(row, "f", "a"));
  }

  @Test
  void cellsAndRowsThatCannotBeAreBadRecords() {
    RowMaker rows = RowMaker.of(options(":key=name:string,f:a=year:string,f:n=month:int", null));
    assertEquals("it has a row key and no value", bad(rows, null, null, "k", "ignored"));
    assertEquals("column month: 'x' is no int", bad(rows, "1", "x", "k", null));
    String large = bad(rows, "x".repeat(1000), null, "k", null);
    assertTrue(large.contains("column f:a: the cell has 10"), large);
    assertTrue(large.contains("hbase.client.keyvalue.maxsize"), large);
  }

  @Test
  void mappingsThatCannotBeAreRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> RowMaker.of(options("f:a=x:flot", null)))
            .getMessage();
    assertTrue(message.startsWith("--columns: part 1 of the mapping"), message);
  }
}
