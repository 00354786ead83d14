package org.grampus.mapreduce.row;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.source.RecordShape;
import org.grampus.mapreduce.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Numbers whose texts are as long as a record may be. */
class LongNumbersTest {
  private static final RecordShape SHAPE = new RecordShape(List.of("k", "v"), true);

  /** Five megabytes: in time that grows with the square, minutes. */
  private static final int MANY = 5_000_000;

  private static final Duration LINEAR_MAX = Duration.ofSeconds(60);

  private static byte[] encoded(String type, Object value) throws Exception {
    RowOptions options =
        new RowOptions(":key=k:string,f:v=v:" + type, null, "|", "f", 7, null, false, 2 * MANY);
    SourceRecord record = new SourceRecord(SHAPE, new Object[] {"k", value}, null);
    Put put = RowMaker.of(options).row(record);
    return CellUtil.cloneValue(put.get(Bytes.toBytes("f"), Bytes.toBytes("v")).get(0));
  }

  private static String refusal(String type, Object value) {
    return assertThrows(BadValueException.class, () -> encoded(type, value), type).getMessage();
  }

  private static void inTime(Executable work) {
    assertTimeoutPreemptively(LINEAR_MAX, work);
  }

  @Test
  void numbersOfManyDigitsAreBadValues() {
    String digits = "7".repeat(MANY);
    inTime(() -> assertTrue(refusal("decimal(38,2)", digits).contains("more digits than a")));
    inTime(() -> assertTrue(refusal("double", "0." + digits).contains("more digits than a")));
    inTime(() -> assertTrue(refusal("float", "0." + digits).contains("more digits than a")));
    inTime(() -> assertTrue(refusal("int", digits + ".0").contains("is no int")));
    inTime(() -> assertTrue(refusal("timestamp", digits + "e-3").contains("is no timestamp")));
  }

  @Test
  void whatOnlyBeginsAsALongNumberIsABadValue() {
    String text = "7".repeat(MANY) + "x";
    for (String type : List.of("decimal(38,2)", "double", "double(text)", "int")) {
      inTime(() -> assertTrue(refusal(type, text).contains("is no "), type));
    }
  }

  @Test
  void zerosOfWhateverNumberAreNoDigits() {
    String zeros = "0".repeat(MANY);
    inTime(() -> assertArrayEquals(Bytes.toBytes(1.0), encoded("double", "1." + zeros)));
    inTime(() -> assertArrayEquals(Bytes.toBytes(7), encoded("int", zeros + "7.0")));
    inTime(() -> assertArrayEquals(Bytes.toBytes(-7), encoded("int", "-7." + zeros)));
    inTime(() -> assertArrayEquals(Bytes.toBytes(0), encoded("int", "-0." + zeros)));
    String half = "1.5" + zeros;
    inTime(() -> assertArrayEquals(Bytes.toBytes(half), encoded("decimal(2,1)", half)));
    String one = "1" + zeros + "e-" + MANY;
    inTime(() -> assertArrayEquals(Bytes.toBytes(one), encoded("decimal(2,1)", one)));
    inTime(() -> assertTrue(refusal("long", "1" + zeros + ".0").contains("is no long")));
  }

  /** Its exact text has more digits than that of any other double. */
  @Test
  void theLongestTextOfADoubleIsADouble() throws Exception {
    double longest = Math.nextDown(Double.MIN_NORMAL);
    String text = new BigDecimal(longest).toPlainString();
    String padded = "0".repeat(DecimalText.DIGITS_MAX) + text + "0".repeat(DecimalText.DIGITS_MAX);
    assertArrayEquals(Bytes.toBytes(longest), encoded("double", text));
    assertArrayEquals(Bytes.toBytes(-longest), encoded("double", "-" + padded));
    assertTrue(refusal("double", padded + "1").contains("more digits than a double"));
    String odd = "9007199254740993." + "0".repeat(DecimalText.DIGITS_MAX);
    assertTrue(refusal("double", odd).contains("more digits than a double"));
    String even = "90071992547409930000." + "0".repeat(DecimalText.DIGITS_MAX);
    assertTrue(refusal("double", even).contains("more digits than a double"));
  }

  @Test
  void binaryNumbersOfManyDigitsAreBadValues() throws Exception {
    BigDecimal number = new BigDecimal(BigInteger.ONE.shiftLeft(8 * MANY), 2);
    for (String type : List.of("decimal(38,2)", "long", "double", "string")) {
      inTime(() -> assertTrue(refusal(type, number).contains("longer than any"), type));
    }
    BigDecimal padded = BigDecimal.ONE.setScale(DecimalText.DIGITS_MAX);
    assertArrayEquals(Bytes.toBytes(1L), encoded("long", padded));
  }

  @Test
  void aLongTextIsTheNumberThatItIsForJava() {
    Random random = new Random(5);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      String text = text(random);
      BigDecimal expected = new BigDecimal(text);
      Optional<BigDecimal> parsed = DecimalText.parse(text);
      if (parsed.isEmpty()) {
        refused++;
        BigDecimal stripped = expected.stripTrailingZeros();
        int digits = Math.max(stripped.precision(), stripped.precision() - stripped.scale());
        assertTrue(digits > DecimalText.DIGITS_MAX, text);
      } else {
        assertEquals(0, expected.compareTo(parsed.get()), text);
      }
    }
    assertTrue(refused > 0 && refused < 2000, refused + " were refused");
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder(List.of("", "-", "+").get(random.nextInt(3)));
    text.append("0".repeat(random.nextInt(2) * random.nextInt(3000)));
    int digits = 1 + random.nextInt(random.nextBoolean() ? 20 : 3000);
    for (int i = 0; i < digits; i++) {
      text.append((char) ('0' + random.nextInt(10)));
    }
    text.append("0".repeat(random.nextInt(3000)));
    if (random.nextBoolean()) {
      text.insert(text.length() - random.nextInt(digits), '.');
    }
    if (random.nextBoolean()) {
      text.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(8000) - 4000);
    }
    return text.toString();
  }
}
