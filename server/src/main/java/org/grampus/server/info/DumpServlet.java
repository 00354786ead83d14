package org.grampus.server.info;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.grampus.server.metrics.Snapshot;

/** {@code /dump}: the numbers of the engine and what it said lately as text, for a report. */
@SuppressWarnings("serial") // no container keeps this one on a disk
final class DumpServlet extends HttpServlet {
  private final transient StatusSource source;

  DumpServlet(StatusSource source) {
    this.source = source;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
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
