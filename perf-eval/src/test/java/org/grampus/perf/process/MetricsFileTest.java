package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsFileTest {
  @TempDir private Path directory;

  private List<String> configured(MetricsFile file) throws IOException {
    file.configure(directory.resolve("conf"), Path.of("/metrics"));
    Path written = directory.resolve("conf/hadoop-metrics2-hbase.properties");
    return Files.readAllLines(written).stream().sorted().toList();
  }

  @Test
  void allMetricsGoToTheFileInEachPeriod() throws IOException {
    assertEquals(
        List.of(
            "*.period=10",
            "hbase.sink.file.class=" + RecordFileSink.class.getName(),
            "hbase.sink.file.filename=/metrics"),
        configured(MetricsFile.ofAll(10)));
  }

  @Test
  void metricsOfTheEngineGoToTheFileEachSecond() throws IOException {
    assertEquals(
        List.of(
            "*.period=1",
            "hbase.sink.file.class=" + RecordFileSink.class.getName(),
            "hbase.sink.file.context=regionserver",
            "hbase.sink.file.filename=/metrics",
            "hbase.sink.file.only=Engine"),
        configured(MetricsFile.ofEngine()));
  }
}
