package org.grampus.spark.mapping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Values mean what they mean to HBase and to the engine. */
class ValuesTest {
  /** Digits: in time that grows with the square, minutes. */
  private static final int MANY = 4_000_000;

  private static final Duration LINEAR_MAX = Duration.ofSeconds(60);

  private static Object decode(String type, byte[] value) {
    return Values.decode(ColumnType.parse(type), value);
  }

  private static Object decode(String type, String value) {
    return decode(type, Bytes.toBytes(value));
  }

  @Test
  void valuesComeBackAsTheyWere() {
    Map<String, Object> values =
        Map.ofEntries(
            Map.entry("string", UTF8String.fromString("ä𝄞")),
            Map.entry("byte", (byte) -3),
            Map.entry("short", (short) -300),
            Map.entry("int", -70_000),
            Map.entry("long", Long.MIN_VALUE),
            Map.entry("float", -1.5f),
            Map.entry("double", 1e300),
            Map.entry("boolean", true),
            Map.entry("timestamp", -1_000L),
            Map.entry("long(text)", -12L),
            Map.entry("double(text)", 1.5e300),
            Map.entry("boolean(text)", false),
            Map.entry(
                "decimal(30,4)", Decimal.apply(new BigDecimal("-123456789012345.6789"), 30, 4)));
    values.forEach(
        (type, value) ->
            assertEquals(value, decode(type, Values.encode(ColumnType.parse(type), value)), type));
    assertArrayEquals(Bytes.toBytes(-70_000), Values.encode(ColumnType.parse("int"), -70_000));
    assertArrayEquals(Bytes.toBytes(true), Values.encode(ColumnType.parse("boolean"), true));
  }

  /** As row keys, two of them would be one row. */
  @Test
  void noPartOfAMillisecondIsCutOff() {
    long noon = 43_200_000_000L;
    for (long micros : new long[] {noon + 100, noon + 900, -1, Long.MAX_VALUE}) {
      IllegalArgumentException error =
          assertThrows(
              IllegalArgumentException.class, () -> Values.encode(ColumnType.TIMESTAMP, micros));
      assertTrue(error.getMessage().contains("date_trunc('millisecond'"), error.getMessage());
    }
    assertArrayEquals(
        Bytes.toBytes(43_200_000L), Values.encode(ColumnType.parse("timestamp"), noon));
  }

  @Test
  void theEmptyTextIsNoNumber() {
    for (String type :
        new String[] {"long(text)", "double(text)", "boolean(text)", "decimal(3,1)"}) {
      assertNull(decode(type, ""));
    }
    assertEquals(UTF8String.EMPTY_UTF8, decode("string", ""));
  }

  @Test
  void textIsParsedAsTheEngineDoes() {
    assertEquals(7L, decode("long(text)", "+07"));
    assertEquals(Double.POSITIVE_INFINITY, decode("double(text)", "Infinity"));
    assertEquals(.5, decode("double(text)", ".5"));
    assertEquals(true, decode("boolean(text)", "TRUE"));
    assertEquals(Decimal.apply(new BigDecimal("1000"), 5, 1), decode("decimal(5,1)", "1e3"));
    assertEquals(UTF8String.fromString("a\uFFFD"), decode("string(replace)", new byte[] {'a', -1}));
  }

  @Test
  void whatIsNotOfItsTypeIsRefused() {
    refused("int", new byte[3], "3 bytes are no int, which has 4");
    refused("boolean", new byte[0], "0 bytes are no boolean");
    refused("string", new byte[] {-1}, "\\xFF is no UTF-8");
    for (String text : new String[] {" 1", "1.0", "٣", "9223372036854775808"}) {
      refused("long(text)", Bytes.toBytes(text), "is no long(text)");
    }
    for (String text : new String[] {"1e400", "nan", "0x1p3", "1d", "."}) {
      refused("double(text)", Bytes.toBytes(text), "is no double(text)");
    }
    refused("boolean(text)", Bytes.toBytes("yes"), "is no boolean(text)");
    refused("decimal(3,1)", Bytes.toBytes("1.25"), "more digits than a decimal(3,1)");
    refused("decimal(3,1)", Bytes.toBytes("100"), "more digits than a decimal(3,1)");
    refused("decimal(3,1)", Bytes.toBytes("1e999999999"), "more digits");
    refused("timestamp", Bytes.toBytes(Long.MAX_VALUE), "out of the range");
  }

  /** As the engine does, in time that grows with the text. */
  @Test
  void longTextsAreParsedOnce() {
    String zeros = "0".repeat(MANY);
    String digits = "7".repeat(MANY);
    Decimal one = Decimal.apply(new BigDecimal("1.0"), 3, 1);
    assertTimeoutPreemptively(
        LINEAR_MAX, () -> assertEquals(one, decode("decimal(3,1)", zeros + "1." + zeros)));
    assertTimeoutPreemptively(
        LINEAR_MAX, () -> refused("decimal(38,2)", Bytes.toBytes(digits), "more digits than a"));
    assertTimeoutPreemptively(
        LINEAR_MAX, () -> refused("decimal(38,2)", Bytes.toBytes(digits + "x"), "is no decimal"));
    assertTimeoutPreemptively(
        LINEAR_MAX, () -> refused("double(text)", Bytes.toBytes(digits + "x"), "is no double"));
  }

  private static void refused(String type, byte[] value, String sentence) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> decode(type, value));
    assertTrue(error.getMessage().contains(sentence), error.getMessage());
  }
}
