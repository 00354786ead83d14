package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitSharesTest {
  @Test
  void sharesAreByWeightAndAtLeastOne() {
    assertArrayEquals(new int[] {1, 3}, SplitShares.of(new double[] {100, 300}, 4));
    assertArrayEquals(new int[] {1, 1, 1}, SplitShares.of(new double[] {1, 2, 3}, 2));
    assertArrayEquals(new int[] {1, 3}, SplitShares.of(new double[] {0, 10}, 4));
    assertArrayEquals(new int[] {2, 2}, SplitShares.of(new double[] {0, 0}, 4));
    assertArrayEquals(new int[0], SplitShares.of(new double[0], 4));
  }

  @Test
  void theirSumIsTheTotalForAnyWeights() {
    Seeds.check(
        random -> {
          int parts = 1 + random.nextInt(50);
          double[] weights =
              IntStream.range(0, parts).mapToDouble(i -> random.nextInt(1000)).toArray();
          int total = 1 + random.nextInt(200);
          int[] shares = SplitShares.of(weights, total);
          assertEquals(Math.max(parts, total), IntStream.of(shares).sum());
          assertTrue(IntStream.of(shares).allMatch(share -> share > 0));
        });
  }
}
