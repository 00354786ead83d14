package org.grampus.perf.pe.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.grampus.perf.pe.chance.Chance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CellValuesTest {
  private static CellValues values(ValueProfile profile, ValueLength length) {
    return new CellValues(profile, length, new Chance(11));
  }

  @ParameterizedTest
  @EnumSource(ValueProfile.class)
  void theSameCellHasTheSameValue(ValueProfile profile) {
    CellValues values = values(profile, ValueLength.fixed(100));

    byte[] value = values.value(3, 1, 2);

    assertEquals(100, value.length);
    assertArrayEquals(value, values.value(3, 1, 2));
  }

  @ParameterizedTest
  @EnumSource(value = ValueProfile.class, names = "ZEROS", mode = EnumSource.Mode.EXCLUDE)
  void otherCellsHaveOtherValues(ValueProfile profile) {
    CellValues values = values(profile, ValueLength.fixed(100));
    byte[] value = values.value(3, 1, 2);

    assertFalse(Arrays.equals(value, values.value(4, 1, 2)));
    assertFalse(Arrays.equals(value, values.value(3, 0, 2)));
    assertFalse(Arrays.equals(value, values.value(3, 1, 3)));
  }

  @Test
  void lettersAreRunsOfEightAsThoseOfHBase() {
    byte[] value = values(ValueProfile.LETTERS, ValueLength.fixed(20)).value(1, 0, 0);

    for (int at = 0; at < value.length; at++) {
      assertEquals(value[at / 8 * 8], value[at]);
      assertTrue(value[at] >= 'A' && value[at] <= 'Z');
    }
  }

  @Test
  void profilesCompressAsTheySay() {
    assertTrue(deflated(ValueProfile.RANDOM) > 10_000);
    assertTrue(deflated(ValueProfile.DIGITS) < 6_000);
    assertTrue(deflated(ValueProfile.TEXT) < 4_000);
    assertTrue(deflated(ValueProfile.ZEROS) < 100);
  }

  private static int deflated(ValueProfile profile) {
    byte[] value = values(profile, ValueLength.fixed(10_000)).value(1, 0, 0);
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(value);
      deflater.finish();
      return deflater.deflate(new byte[20_000]);
    } finally {
      deflater.end();
    }
  }

  @Test
  void uniformLengthsAreBelowTheirBound() {
    IntSummaryStatistics lengths = lengths(ValueLength.uniform(50));

    assertEquals(0, lengths.getMin());
    assertEquals(49, lengths.getMax());
  }

  @Test
  void lengthsOfZipfAreMostlyShort() {
    IntSummaryStatistics lengths = lengths(ValueLength.zipf(1000));

    assertEquals(1, lengths.getMin());
    assertTrue(lengths.getMax() < 1000);
    assertTrue(lengths.getMax() > 500);
    assertTrue(lengths.getAverage() < 100);
  }

  @Test
  void clientsOfAProcessShareLengthsOfZipf() {
    assertSame(ValueLength.zipf(1 << 20), ValueLength.zipf(1 << 20));
  }

  private static IntSummaryStatistics lengths(ValueLength length) {
    CellValues values = values(ValueProfile.ZEROS, length);
    return IntStream.range(0, 10_000)
        .map(row -> values.value(row, 0, 0).length)
        .summaryStatistics();
  }
}
