package org.grampus.server.info;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** {@code /rs-status}: the state of the server on one page. Any thread. */
@SuppressWarnings("serial") // no container keeps this one on a disk
final class StatusServlet extends HttpServlet {
  private final transient StatusSource source;

  StatusServlet(StatusSource source) {
    this.source = source;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/html; charset=utf-8");
    response.getWriter().write(new StatusPage(source).render());
  }
}
