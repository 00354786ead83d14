package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class MetricsLineTest {
  private static final String FIRST =
      "1763800000123 regionserver.Engine: Context=regionserver, Hostname=db1,"
          + " block_cache.hit_count=12, block_cache.miss_count=3, files.page_read_bytes=-1\n";
  private static final String OTHER =
      "1763800000123 regionserver.Memory: Context=regionserver, requestsBytes=5\n";

  @Test
  void valuesAreFoundByTheirWholeName() {
    List<MetricsLine> lines = MetricsLine.parse(OTHER + FIRST + OTHER);

    assertEquals(1, lines.size());
    assertEquals(1_763_800_000_123L, lines.get(0).millis());
    assertEquals(12, lines.get(0).value("block_cache.hit_count"));
    assertEquals(-1, lines.get(0).value("files.page_read_bytes"));
    assertEquals(0, lines.get(0).value("hit_count"));
  }

  @Test
  void lastLineMayBeHalfWritten() {
    List<MetricsLine> lines = MetricsLine.parse(FIRST + FIRST.substring(0, 90));

    assertEquals(1, lines.size());
  }
}
