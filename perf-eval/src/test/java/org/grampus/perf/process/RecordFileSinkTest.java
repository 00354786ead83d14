package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

final class RecordFileSinkTest {
  @TempDir private Path directory;

  private static RecordFileSink sink(Map<String, String> properties) {
    RecordFileSink sink = new RecordFileSink();
    sink.init(new SubsetConfiguration(new MapConfiguration(properties), "a", "."));
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
      RecordFileSink sink =
          sink(
              Map.of(
                  "a." + RecordFileSink.FILE,
                  file.toString(),
                  "a." + RecordFileSink.ONLY,
                  "Engine"));
      MetricsExportHelper.export().forEach(sink::putMetrics);
      sink.flush();
    }
    DefaultMetricsSystem.shutdown();
    List<MetricsLine> lines = MetricsLine.parse(Files.readString(file));
    assertEquals(2, lines.size());
    assertEquals(Map.of("block_cache.hit_count", 12L), lines.get(0).values());
    assertEquals(Map.of("block_cache.hit_count", 12L), lines.get(1).values());
  }

  @Test
  void allRecordsAreWrittenWhereNoneIsNamed() throws IOException {
    DefaultMetricsSystem.initialize("Test");
    register("Engine", 12);
    register("Server", 13);
    Path file = directory.resolve("metrics");
    RecordFileSink sink = sink(Map.of("a." + RecordFileSink.FILE, file.toString()));
    MetricsExportHelper.export().forEach(sink::putMetrics);
    DefaultMetricsSystem.shutdown();
    String written = Files.readString(file);
    assertTrue(written.contains(" regionserver.Engine: block_cache.hit_count=12\n"), written);
    assertTrue(written.contains(" regionserver.Server: block_cache.hit_count=13\n"), written);
    assertEquals(1, SinkFile.periods(file, 0));
  }
}
