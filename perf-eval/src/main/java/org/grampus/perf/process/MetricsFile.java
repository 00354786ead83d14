package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.metrics2.sink.FileSink;

/**
 * A file to which a server's metrics go, once in each period. A server has one of them at most,
 * since one file of properties configures all sinks.
 *
 * @param periodSeconds from one time to the next
 * @param sink properties of what writes it, beside its name
 */
public record MetricsFile(int periodSeconds, Map<String, String> sink) {
  private static final String PROPERTIES = "hadoop-metrics2-hbase.properties";
  private static final String SINK = "hbase.sink.file.";

  /** Copies the properties. */
  public MetricsFile {
    sink = Map.copyOf(sink);
  }

  /** Of the engine's metrics, see {@link EngineMetrics}. */
  static MetricsFile ofEngine() {
    return new MetricsFile(
        1, Map.of("class", EngineFileSink.class.getName(), "context", "regionserver"));
  }

  /** Of all metrics, see {@link SinkFile}. */
  static MetricsFile ofAll(int periodSeconds) {
    return new MetricsFile(periodSeconds, Map.of("class", FileSink.class.getName()));
  }

  /** Configures the server that starts with this directory next. */
  void configure(Path confDir, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("*.period=" + periodSeconds);
    lines.add(SINK + EngineFileSink.FILE + "=" + file);
    sink.forEach((name, value) -> lines.add(SINK + name + "=" + value));
    Files.createDirectories(confDir);
    Files.write(confDir.resolve(PROPERTIES), lines);
  }
}
