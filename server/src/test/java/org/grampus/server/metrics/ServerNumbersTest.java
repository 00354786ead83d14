package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.grampus.engine.EngineMetrics;
import org.junit.jupiter.api.Test;

class ServerNumbersTest {
  private static ServerNumbers numbers(boolean localFiles) {
    EngineMetrics engine =
        EngineMetrics.read(
            "{\"engine.files.page_read_bytes\":4711,\"histograms\":{},\"tables\":{},\"work\":[]}");
    Snapshot now = new Snapshot(engine, List.of(), new RegionTotals(), 0, 0, 0, 0, 0, 0, 0);
    return new ServerNumbers(() -> now, null, null, null, null, localFiles);
  }

  @Test
  void onlyReadsOfThisMachinesDisksAreLocal() {
    assertEquals(4711, numbers(true).getLocalBytesRead());
    assertEquals(4711, numbers(false).getTotalBytesRead());
    assertEquals(0, numbers(false).getLocalBytesRead(), "as if no data node were here");
  }
}
