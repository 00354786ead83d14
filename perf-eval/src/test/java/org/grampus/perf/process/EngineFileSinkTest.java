package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineFileSinkTest {
  @TempDir private Path directory;

  private EngineFileSink sink(Path file) {
    EngineFileSink sink = new EngineFileSink();
    sink.init(
        new SubsetConfiguration(
            new MapConfiguration(Map.of("a." + EngineFileSink.FILE, file.toString())), "a", "."));
    return sink;
  }

  private static void register(String name, long hits) {
    MetricsSource source =
        (collector, all) ->
            collector
                .addRecord(name)
                .setContext("regionserver")
                .addGauge(Interns.info("block_cache.hit_count", ""), hits);
    DefaultMetricsSystem.instance().register(name, "of the test", source);
  }

  @Test
  void linesOfTheEngineAreAppendedAlsoWhenTheSinkBeginsAgain() throws IOException {
    DefaultMetricsSystem.initialize("Test");
    register("Engine", 12);
    register("Server", 13);
    Path file = directory.resolve("metrics");
    for (int start = 0; start < 2; start++) {
      EngineFileSink sink = sink(file);
      MetricsExportHelper.export().forEach(sink::putMetrics);
      sink.flush();
    }
    DefaultMetricsSystem.shutdown();
    List<MetricsLine> lines = MetricsLine.parse(Files.readString(file));
    assertEquals(2, lines.size());
    assertEquals(Map.of("block_cache.hit_count", 12L), lines.get(0).values());
    assertEquals(Map.of("block_cache.hit_count", 12L), lines.get(1).values());
  }
}
