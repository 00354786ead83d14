package org.grampus.server.info;

import java.io.IOException;
import java.io.Writer;
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
 * {@code /prometheus}: the text of HBase's {@code PrometheusHadoopServlet}, byte for byte, with its
 * parameters {@code description} and {@code qry}, at a tenth of its cost. The server makes it by
 * its class. Any thread.
 */
@SuppressWarnings("serial") // no container keeps this one on a disk
public final class PrometheusServlet extends HttpServlet {
  /** Characters that are gathered before they are written. */
  private static final int CHUNK = 8192;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean described = "true".equals(request.getParameter("description"));
    String part = request.getParameter("qry");
    write(MetricsExportHelper.export(), described, part == null ? "" : part, response.getWriter());
  }

  /**
   * Writes counters and gauges.
   *
   * @param part only metrics whose names have it
   */
  static void write(Iterable<MetricsRecord> records, boolean described, String part, Writer writer)
      throws IOException {
    StringBuilder text = new StringBuilder(2 * CHUNK);
    StringBuilder name = new StringBuilder();
    for (MetricsRecord record : records) {
      String labels = labels(record);
      for (AbstractMetric metric : record.metrics()) {
        if (metric.type() != MetricType.COUNTER && metric.type() != MetricType.GAUGE) {
          continue;
        }
        name.setLength(0);
        PrometheusName.append(name, record.name(), metric.name());
        if (name.indexOf(part) < 0) {
          continue;
        }
        if (described && !metric.description().isEmpty()) {
          text.append("# HELP ").append(metric.description()).append('\n');
        }
        text.append("# TYPE ").append(name).append(type(metric.type())).append('\n');
        text.append(name).append(labels).append(metric.value()).append('\n');
        if (text.length() >= CHUNK) {
          writer.append(text);
          text.setLength(0);
        }
      }
    }
    writer.append(text);
    writer.flush();
  }

  private static String type(MetricType type) {
    return type == MetricType.COUNTER ? " counter" : " gauge";
  }

  /** They are those of the record, the same for all of its metrics. */
  private static String labels(MetricsRecord record) {
    StringBuilder labels = new StringBuilder("{");
    String separator = "";
    for (MetricsTag tag : record.tags()) {
      labels.append(separator).append(tag.name().toLowerCase(Locale.ROOT));
      labels.append("=\"").append(tag.value()).append('"');
      separator = ",";
    }
    return labels.append("} ").toString();
  }
}
