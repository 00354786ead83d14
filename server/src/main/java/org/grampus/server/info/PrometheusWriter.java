package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;

/**
 * Writes metrics as HBase's {@code PrometheusHadoopServlet} does. A server with 1,000 regions has
 * some 45,000 of them, so names are kept from one text to the next. One thread at a time.
 */
public final class PrometheusWriter {
  private static final byte[] HELP = bytes("# HELP ");
  private static final byte[] TYPE = bytes("# TYPE ");
  private static final byte[] COUNTER = bytes(" counter\n");
  private static final byte[] GAUGE = bytes(" gauge\n");

  /** Of each record of the text before, by its place. */
  private final List<PrometheusNames> names = new ArrayList<>();

  /** Without names. */
  public PrometheusWriter() {}

  /**
   * Writes counters and gauges, in UTF-8.
   *
   * @param part only metrics whose names have it
   */
  public void write(
      Iterable<MetricsRecord> records, boolean described, String part, OutputStream out)
      throws IOException {
    TextBuffer text = new TextBuffer(out);
    int place = 0;
    for (MetricsRecord record : records) {
      write(record, names(place++, record.name()), described, part, text);
    }
    names.subList(place, names.size()).clear();
    text.flush();
  }

  private PrometheusNames names(int place, String record) {
    if (place == names.size()) {
      names.add(new PrometheusNames(record));
    } else if (!names.get(place).record().equals(record)) {
      names.set(place, new PrometheusNames(record));
    }
    return names.get(place);
  }

  private static void write(
      MetricsRecord record, PrometheusNames of, boolean described, String part, TextBuffer text)
      throws IOException {
    byte[] labels = labels(record);
    of.begin();
    for (AbstractMetric metric : record.metrics()) {
      byte[] name = of.next(metric.name());
      if (isShown(metric) && (part.isEmpty() || new String(name, US_ASCII).contains(part))) {
        if (described && !metric.description().isEmpty()) {
          text.add(HELP);
          text.add(bytes(metric.description()));
          text.add('\n');
        }
        write(metric, name, labels, text);
      }
    }
    of.end();
  }

  private static boolean isShown(AbstractMetric metric) {
    return metric.type() == MetricType.COUNTER || metric.type() == MetricType.GAUGE;
  }

  private static void write(AbstractMetric metric, byte[] name, byte[] labels, TextBuffer text)
      throws IOException {
    text.add(TYPE);
    text.add(name);
    text.add(metric.type() == MetricType.COUNTER ? COUNTER : GAUGE);
    text.add(name);
    text.add(labels);
    text.add(metric.value());
    text.add('\n');
  }

  /** They are those of the record, the same for all of its metrics. */
  private static byte[] labels(MetricsRecord record) {
    StringBuilder labels = new StringBuilder("{");
    String separator = "";
    for (MetricsTag tag : record.tags()) {
      labels.append(separator).append(tag.name().toLowerCase(Locale.ROOT));
      labels.append("=\"").append(tag.value()).append('"');
      separator = ",";
    }
    return bytes(labels.append("} ").toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
