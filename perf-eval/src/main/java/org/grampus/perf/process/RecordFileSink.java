package org.grampus.perf.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.configuration2.SubsetConfiguration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSink;

/**
 * Appends metrics to a file, a line for each record and each time that they are taken; inside the
 * server. Hadoop's FileSink would begin the file anew whenever HBase's adapter restarts the metrics
 * system, and calls the kernel four times for each metric, which took most of what the metrics of
 * 1,000 regions cost. One thread at a time.
 */
public final class RecordFileSink implements MetricsSink {
  /** Where the lines go. */
  static final String FILE = "filename";

  /** Name of the only record that is written; all are where it is not set. */
  static final String ONLY = "only";

  /** The text of a record, kept from one to the next. */
  private final StringBuilder line = new StringBuilder();

  private Path file;
  private String only;

  @Override
  public void init(SubsetConfiguration conf) {
    file = Path.of(conf.getString(FILE));
    only = conf.getString(ONLY, null);
  }

  @Override
  public void putMetrics(MetricsRecord record) {
    if (only != null && !record.name().equals(only)) {
      return;
    }
    line.setLength(0);
    line.append(record.timestamp()).append(' ');
    line.append(record.context()).append('.').append(record.name()).append(": ");
    String separator = "";
    for (AbstractMetric metric : record.metrics()) {
      line.append(separator).append(metric.name()).append('=');
      append(metric.value());
      separator = ", ";
    }
    line.append('\n');
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot append to " + file, e);
    }
  }

  /** Most are whole numbers, which need no text of their own. */
  private void append(Number value) {
    if (value instanceof Long || value instanceof Integer) {
      line.append(value.longValue());
    } else {
      line.append(value);
    }
  }

  /** Every line is written already. */
  @Override
  public void flush() {}
}
