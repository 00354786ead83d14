package org.grampus.server.info;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Refuses requests to a server on loopback that a page of another site sends through the browser of
 * a user of this machine: by a name of its own that it lets point here (DNS rebinding), or by what
 * browsers say of the sender. Otherwise such a page could read all metrics and change log levels.
 */
public final class HostFilter implements Filter {
  /** Whether a host, as browsers write it, is this machine; names are not looked up. */
  private static boolean isLoopback(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.matches("127(\\.\\d{1,3}){3}")
        || name.equals("[::1]")
        || name.equals("::1");
  }

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    if (isOurs(http.getHeader("Host"))
        && isOwnOrigin(http.getHeader("Origin"))
        && !isFromElsewhere(http)) {
      chain.doFilter(request, response);
      return;
    }
    ((HttpServletResponse) response)
        .sendError(
            HttpServletResponse.SC_FORBIDDEN,
            "This server listens on loopback: use localhost or 127.0.0.1, and no page of another"
                + " site");
  }

  private static boolean isOurs(String host) {
    return host == null || isLoopback(host.replaceFirst(":\\d*$", ""));
  }

  private static boolean isOwnOrigin(String origin) {
    if (origin == null) {
      return true;
    }
    try {
      String host = new URI(origin).getHost();
      return host != null && isLoopback(host);
    } catch (URISyntaxException e) {
      return false; // the sender of what is no origin is unknown
    }
  }

  /** A link on another site may lead here; its scripts and images may not. */
  private static boolean isFromElsewhere(HttpServletRequest request) {
    boolean navigates = "navigate".equals(request.getHeader("Sec-Fetch-Mode"));
    boolean changes = request.getServletPath().startsWith("/logLevel");
    return "cross-site".equals(request.getHeader("Sec-Fetch-Site")) && (!navigates || changes);
  }

  @Override
  public void destroy() {}
}
