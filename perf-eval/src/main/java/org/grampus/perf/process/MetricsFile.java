package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    return ofSink(1, Map.of("context", "regionserver", RecordFileSink.ONLY, "Engine"));
  }

  /** Of all metrics, see {@link SinkFile}. */
  static MetricsFile ofAll(int periodSeconds) {
    return ofSink(periodSeconds, Map.of());
  }

  private static MetricsFile ofSink(int periodSeconds, Map<String, String> properties) {
    Map<String, String> sink = new HashMap<>(properties);
    sink.put("class", RecordFileSink.class.getName());
    return new MetricsFile(periodSeconds, sink);
  }

  /** Configures the server that starts with this directory next. */
  void configure(Path confDir, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("*.period=" + periodSeconds);
    lines.add(SINK + RecordFileSink.FILE + "=" + file);
    sink.forEach((name, value) -> lines.add(SINK + name + "=" + value));
    Files.createDirectories(confDir);
    Files.write(confDir.resolve(PROPERTIES), lines);
  }
}
