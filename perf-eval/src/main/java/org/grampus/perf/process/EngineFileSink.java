package org.grampus.perf.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.StringJoiner;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;

/**
 * Appends the engine's metrics to a file, a line for each time that they are taken; inside the
 * server. Hadoop's FileSink would begin the file anew whenever regions come or go, since HBase's
 * beans of regions then restart the metrics system. One thread at a time.
 */
public final class EngineFileSink implements MetricsSink {
  /** Where the lines go. */
  static final String FILE = "filename";

  private Path file;

  @Override
  public void init(SubsetConfiguration conf) {
    file = Path.of(conf.getString(FILE));
  }

  @Override
  public void putMetrics(MetricsRecord record) {
    if (!record.name().equals("Engine")) {
      return;
    }
    StringJoiner values = new StringJoiner(", ");
    for (AbstractMetric metric : record.metrics()) {
      values.add(metric.name() + "=" + metric.value());
    }
    try {
      Files.writeString(
          file,
          record.timestamp() + MetricsLine.SOURCE + values + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot append to " + file, e);
    }
  }

  /** Every line is written already. */
  @Override
  public void flush() {}
}
