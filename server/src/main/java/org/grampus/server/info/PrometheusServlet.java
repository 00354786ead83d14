package org.grampus.server.info;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicReference;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.metrics2.impl.MetricsExportHelper;

/**
 * {@code /prometheus}: the text of HBase's {@code PrometheusHadoopServlet}, with its parameters
 * {@code description} and {@code qry}, for less CPU. Public, with a constructor without arguments,
 * since Jetty makes it by reflection. Any thread.
 */
@SuppressWarnings("serial") // Jetty never serializes it
public final class PrometheusServlet extends HttpServlet {
  /** None while a scrape has it: one beside it makes the names anew. */
  private final AtomicReference<PrometheusWriter> kept = new AtomicReference<>();

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean described = "true".equals(request.getParameter("description"));
    String part = request.getParameter("qry");
    OutputStream out = response.getOutputStream();
    PrometheusWriter before = kept.getAndSet(null);
    PrometheusWriter writer = before == null ? new PrometheusWriter() : before;
    writer.write(MetricsExportHelper.export(), described, part == null ? "" : part, out);
    kept.set(writer); // not one whose client has gone amid a text
  }
}
