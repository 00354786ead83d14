package org.grampus.server.info;

import java.io.IOException;
import java.net.BindException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hbase.thirdparty.org.eclipse.jetty.servlet.ServletHolder;
import org.grampus.server.region.LoadReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's info server of a region server: the status page and its charts' numbers, {@code /ready},
 * {@code /dump}, {@code /prometheus}, and what HBase's class brings, {@code /jmx}, {@code /conf},
 * {@code /stacks}, {@code /logLevel} and {@code /logs}. Its threads end with {@link #close}.
 */
public final class InfoPort implements AutoCloseable {
  /** The port; -1 for none. */
  public static final String PORT = "hbase.regionserver.info.port";

  /** Whether a port that is taken is counted up. */
  public static final String AUTO = "hbase.regionserver.info.port.auto";

  /** The address; loopback when it is not set. */
  public static final String ADDRESS = "hbase.regionserver.info.bindAddress";

  private static final Logger LOG = LoggerFactory.getLogger(InfoPort.class);
  private static final int DEFAULT_PORT = 16030;
  private static final int LAST_PORT = 65535;

  /** The directory below hbase-webapps; HBase's "regionserver" has pages for its own class only. */
  private static final String NAME = "grampus-regionserver";

  private final InfoServer server;
  private final int port;

  private InfoPort(InfoServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Binds the port and serves.
   *
   * @param isSet whether the port was chosen by an operator; one that was not may be taken, and the
   *     server then does without pages
   * @throws IOException when the port that was chosen cannot be had
   */
  public static InfoPort open(Configuration conf, boolean isSet, StatusSource source)
      throws IOException {
    int port = conf.getInt(PORT, DEFAULT_PORT);
    if (port < 0) {
      return new InfoPort(null, LoadReport.NO_INFO_PORT);
    }
    String address = conf.get(ADDRESS, "127.0.0.1");
    Configuration own = PageSettings.ofServer(conf, address);
    while (true) {
      try {
        InfoServer server = bind(own, address, port, source);
        return new InfoPort(server, boundPort(server));
      } catch (BindException e) {
        if (conf.getBoolean(AUTO, false) && port > 0 && port < LAST_PORT) {
          port++;
        } else if (isSet) {
          throw new IOException(taken(address, port, e), e);
        } else {
          LOG.warn("no status pages: {}", taken(address, port, e));
          return new InfoPort(null, LoadReport.NO_INFO_PORT);
        }
      }
    }
  }

  private static String taken(String address, int port, BindException error) {
    Throwable reason = error;
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return "port "
        + port
        + " on "
        + address
        + " ("
        + PORT
        + ") cannot be bound ("
        + reason.getMessage()
        + "); stop what uses it, set "
        + PORT
        + ", or set "
        + AUTO
        + " to true";
  }

  private static InfoServer bind(Configuration conf, String address, int port, StatusSource source)
      throws IOException {
    InfoServer server =
        new InfoServer(NAME, address, port, false, PageSettings.withoutPrometheus(conf));
    boolean started = false;
    try {
      server.setAttribute(HttpServer.CONF_CONTEXT_ATTRIBUTE, conf); // what /conf shows
      server.addUnprivilegedServlet(
          "status", "/rs-status", new ServletHolder(new StatusServlet(source)));
      server.addUnprivilegedServlet(
          "numbers", "/rs-numbers", new ServletHolder(new NumbersServlet(source)));
      server.addUnprivilegedServlet(
          "ready", "/ready", new ServletHolder(new ReadyServlet(source.serves())));
      server.setAttribute(DumpServlet.SOURCE, source);
      server.addPrivilegedServlet("dump", "/dump", DumpServlet.class); // as HBase's
      if (PageSettings.hasPrometheus(conf)) {
        server.addPrivilegedServlet(
            PageSettings.PROMETHEUS, "/prometheus", PrometheusServlet.class);
      }
      server.start();
      started = true;
      return server;
    } finally {
      if (!started) {
        stop(server);
      }
    }
  }

  @SuppressWarnings("deprecation") // HBase has no other way to learn it
  private static int boundPort(InfoServer server) {
    return server.getPort();
  }

  private static void stop(InfoServer server) {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("the info server does not stop in order", e);
    }
  }

  /** The port that is bound, or {@link LoadReport#NO_INFO_PORT}. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    if (server != null) {
      stop(server);
    }
  }
}
