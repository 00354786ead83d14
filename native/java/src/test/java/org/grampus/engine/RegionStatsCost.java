package org.grampus.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Prints what the statistics of 10,000 regions with a row each cost, one by one and all at once.
 * Not a test: {@code java -cp target/classes:target/test-classes:GSON
 * org.grampus.engine.RegionStatsCost}.
 */
final class RegionStatsCost {
  private static final int REGIONS = 10_000;
  private static final int ROUNDS = 15;

  private RegionStatsCost() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Files.createTempDirectory("region-stats-cost-");
    TestTable table = new TestTable(root, null);
    List<NativeRegion> regions = new ArrayList<>();
    for (int n = 0; n < REGIONS; n++) {
      NativeRegion region = table.open(String.format("%032x", n));
      TestTable.put(region, "row", TestTable.bytes("v"));
      regions.add(region);
    }
    measure("one by one", () -> regions.stream().mapToInt(r -> r.stats().stores().size()).sum());
    measure("all at once", () -> table.engine().regionStats().size());
    regions.forEach(region -> region.close(true));
    table.close();
  }

  private static void measure(String noun, IntSupplier work) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long begin = System.nanoTime();
      if (work.getAsInt() != REGIONS) {
        throw new IllegalStateException("not all regions");
      }
      best = Math.min(best, System.nanoTime() - begin);
    }
    System.out.printf("%s: %.1f ms%n", noun, best / 1e6);
  }
}
