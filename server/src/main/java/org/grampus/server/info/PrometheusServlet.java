package org.grampus.server.info;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;

/**
 * {@code /prometheus}: the text of HBase's {@code PrometheusHadoopServlet}, with its parameters
 * {@code description} and {@code qry}, for less CPU: a server with 1,000 regions has some 45,000
 * metrics in it. Public, with a constructor without arguments, since Jetty makes it by reflection.
 * Any thread.
 */
@SuppressWarnings("serial") // Jetty never serializes it
public final class PrometheusServlet extends HttpServlet {
  /** Bytes that are gathered before they are written. */
  private static final int CHUNK = 8192;

  private static final byte[] TYPE = bytes("# TYPE ");
  private static final byte[] HELP = bytes("# HELP ");
  private static final byte[] COUNTER = bytes(" counter\n");
  private static final byte[] GAUGE = bytes(" gauge\n");

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean described = "true".equals(request.getParameter("description"));
    String part = request.getParameter("qry");
    OutputStream out = response.getOutputStream();
    write(MetricsExportHelper.export(), described, part == null ? "" : part, out);
  }

  /**
   * Writes counters and gauges, in UTF-8.
   *
   * @param part only metrics whose names have it
   */
  static void write(
      Iterable<MetricsRecord> records, boolean described, String part, OutputStream out)
      throws IOException {
    AsciiText text = new AsciiText();
    for (MetricsRecord record : records) {
      byte[] labels = labels(record);
      for (AbstractMetric metric : record.metrics()) {
        if (metric.type() == MetricType.COUNTER || metric.type() == MetricType.GAUGE) {
          append(text, record.name(), metric, described, part, labels);
          if (text.length() >= CHUNK) {
            text.writeTo(out);
          }
        }
      }
    }
    text.writeTo(out);
    out.flush();
  }

  private static void append(
      AsciiText text,
      String record,
      AbstractMetric metric,
      boolean described,
      String part,
      byte[] labels) {
    int begin = text.length();
    if (described && !metric.description().isEmpty()) {
      text.add(HELP);
      text.add(metric.description());
      text.add('\n');
    }
    text.add(TYPE);
    int name = text.length();
    PrometheusName.append(text, record, metric.name());
    int nameEnd = text.length();
    if (!part.isEmpty() && !text.from(name).contains(part)) {
      text.truncate(begin);
      return;
    }
    text.add(metric.type() == MetricType.COUNTER ? COUNTER : GAUGE);
    text.repeat(name, nameEnd);
    text.add(labels);
    text.add(metric.value().toString());
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
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
