package org.grampus.server.info;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * {@code /ready}: 200 while clients are served, else 503, for checks of health. The other pages
 * answer before, so that an operator sees what a start waits for. Any thread.
 */
@SuppressWarnings("serial") // no container keeps this one on a disk
final class ReadyServlet extends HttpServlet {
  private final transient BooleanSupplier serves;

  ReadyServlet(BooleanSupplier serves) {
    this.serves = serves;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean ready = serves.getAsBoolean();
    response.setStatus(
        ready ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("text/plain; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.getWriter().write(ready ? "serving\n" : "not serving: starts or stops\n");
  }
}
