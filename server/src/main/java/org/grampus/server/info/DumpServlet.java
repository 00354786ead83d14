package org.grampus.server.info;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.grampus.server.metrics.Snapshot;

/**
 * {@code /dump}: the numbers of the engine, what it said lately, and slow calls with what clients
 * asked for, as text, for a report. For administrators where SPNEGO is set up, as HBase's. The
 * server makes it by its class. Any thread.
 */
@SuppressWarnings("serial") // no container keeps this one on a disk
public final class DumpServlet extends HttpServlet {
  /** The servlet context's attribute with the {@link StatusSource}. */
  static final String SOURCE = StatusSource.class.getName();

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    StatusSource source = (StatusSource) getServletContext().getAttribute(SOURCE);
    response.setContentType("text/plain; charset=utf-8");
    PrintWriter out = response.getWriter();
    Snapshot now = source.latest().get();
    out.println(source.identity().server().get() + " as of " + Instant.ofEpochMilli(now.millis()));
    out.println();
    now.engine().forEach((path, value) -> out.println(path + " " + value));
    out.println();
    source
        .events()
        .all()
        .forEach(
            event ->
                out.println(
                    Instant.ofEpochMilli(event.millis())
                        + " "
                        + event.level()
                        + " "
                        + event.topic()
                        + " "
                        + event.text()));
    out.println();
    source.slowLog().all().forEach(call -> out.println(call.toString().replace('\n', ' ')));
  }
}
