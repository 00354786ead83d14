package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {
  private static final String TEXT =
      """
      # TYPE server_region_count gauge
      server_region_count{role="RegionServer",hostname="a"} 1002
      server_region_count_more{role="RegionServer"} 7
      engine_files 3.5
      """;

  @Test
  void metricIsReadByItsWholeName() throws IOException {
    assertEquals(1002, PrometheusText.value(TEXT, "server_region_count"));
    assertEquals(3.5, PrometheusText.value(TEXT, "engine_files"));
    assertThrows(IOException.class, () -> PrometheusText.value(TEXT, "server_region"));
  }
}
