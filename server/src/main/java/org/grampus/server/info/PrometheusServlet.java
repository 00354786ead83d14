package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
  private static final int BUFFER_BYTES = 8192;
  private static final byte[] TYPE = bytes("# TYPE ");
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
      Iterable<MetricsRecord> records, boolean described, String part, OutputStream response)
      throws IOException {
    OutputStream out = new BufferedOutputStream(response, BUFFER_BYTES);
    for (MetricsRecord record : records) {
      byte[] labels = labels(record);
      for (AbstractMetric metric : record.metrics()) {
        byte[] name = PrometheusName.of(record.name(), metric.name());
        if (isShown(metric) && (part.isEmpty() || new String(name, US_ASCII).contains(part))) {
          if (described && !metric.description().isEmpty()) {
            out.write(bytes("# HELP " + metric.description() + "\n"));
          }
          write(metric, name, labels, out);
        }
      }
    }
    out.flush();
  }

  private static boolean isShown(AbstractMetric metric) {
    return metric.type() == MetricType.COUNTER || metric.type() == MetricType.GAUGE;
  }

  private static void write(AbstractMetric metric, byte[] name, byte[] labels, OutputStream out)
      throws IOException {
    out.write(TYPE);
    out.write(name);
    out.write(metric.type() == MetricType.COUNTER ? COUNTER : GAUGE);
    out.write(name);
    out.write(labels);
    out.write(bytes(metric.value().toString()));
    out.write('\n');
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
