package org.grampus.perf.pe.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.stream.LongStream;
import org.grampus.perf.pe.chance.Chance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PermutationTest {
  private static long[] all(long size, long seed) {
    Permutation permutation = new Permutation(size, new Chance(seed));
    return LongStream.range(0, size).map(permutation::at).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7, 16, 17, 1000, 1024, 1025, 65_537})
  void eachNumberIsThereOnce(int size) {
    BitSet seen = new BitSet(size);
    for (long number : all(size, 7)) {
      assertTrue(number >= 0 && number < size, () -> "outside: " + number);
      seen.set((int) number);
    }
    assertEquals(size, seen.cardinality());
  }

  @Test
  void anotherSeedIsAnotherOrder() {
    assertNotEquals(
        LongStream.of(all(1000, 1)).boxed().toList(), LongStream.of(all(1000, 2)).boxed().toList());
  }

  @Test
  void neighboursAreFarApart() {
    long[] numbers = all(10_000, 3);
    long near = 0;
    for (int i = 1; i < numbers.length; i++) {
      near += Math.abs(numbers[i] - numbers[i - 1]) < 100 ? 1 : 0;
    }
    assertTrue(near < 400, "by chance there are about 200 neighbours within 100, not " + near);
  }

  @Test
  void sizesBeyondIntsAreFine() {
    for (int seed = 0; seed < 200; seed++) {
      Permutation permutation = new Permutation(Long.MAX_VALUE, new Chance(seed));

      long number = permutation.at(Long.MAX_VALUE - 1);

      assertTrue(number >= 0, "seed " + seed + ": " + number);
      assertNotEquals(number, permutation.at(Long.MAX_VALUE - 2));
    }
  }

  @Test
  void placesOutsideAreRefused() {
    Permutation permutation = new Permutation(10, new Chance(5));

    assertThrows(IndexOutOfBoundsException.class, () -> permutation.at(10));
    assertThrows(IndexOutOfBoundsException.class, () -> permutation.at(-1));
  }
}
