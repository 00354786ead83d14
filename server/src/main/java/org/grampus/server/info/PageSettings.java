package org.grampus.server.info;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.HttpServer;

/**
 * What the pages of a process need beside an operator's settings, each time in a copy: master and
 * server may listen on different addresses, so what is right for one is wrong for the other.
 */
public final class PageSettings {
  private static final String CONTENT = "hbase.http.filter.csp.value";
  private static final String MASTER_ADDRESS = "hbase.master.info.bindAddress";

  /** HBase's own pages have scripts and styles within them; they load nothing from elsewhere. */
  private static final String OF_MASTER = "default-src 'self' data: 'unsafe-inline' 'unsafe-eval'";

  /** In the list of {@link HttpServer#METRIC_SERVLETS_CONF_KEY}, which has it by default. */
  static final String PROMETHEUS = "prometheus";

  /** HBase passes over names that it does not know, and cannot read an empty list. */
  private static final String NO_SERVLET = "none";

  private PageSettings() {}

  /** For the pages of an embedded master. */
  public static Configuration ofMaster(Configuration conf) {
    return protect(conf, conf.get(MASTER_ADDRESS, "0.0.0.0"), OF_MASTER);
  }

  /** For the pages of a server that listens on an address. */
  static Configuration ofServer(Configuration conf, String address) {
    return protect(conf, address, "default-src 'self'");
  }

  /** Whether an operator wants {@code /prometheus}. */
  static boolean hasPrometheus(Configuration conf) {
    return metricServlets(conf).contains(PROMETHEUS);
  }

  /** Settings with which HBase's info server leaves {@code /prometheus} to {@link InfoPort}. */
  static Configuration withoutPrometheus(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.setStrings(
        HttpServer.METRIC_SERVLETS_CONF_KEY,
        Stream.concat(
                metricServlets(conf).stream().filter(name -> !name.equals(PROMETHEUS)),
                Stream.of(NO_SERVLET))
            .toArray(String[]::new));
    return own;
  }

  private static List<String> metricServlets(Configuration conf) {
    String[] names =
        conf.getStrings(HttpServer.METRIC_SERVLETS_CONF_KEY, HttpServer.METRICS_SERVLETS_DEFAULT);
    return names == null ? List.of() : List.of(names); // null of an empty value
  }

  private static Configuration protect(Configuration conf, String address, String content) {
    Configuration own = new Configuration(conf);
    own.setIfUnset(CONTENT, content);
    // a link in the directory of the logs must not lead out of it
    own.setIfUnset("hbase.jetty.logs.serve.aliases", "false");
    if (isLoopback(address)) {
      HostFilterInitializer.addTo(own);
    }
    return own;
  }

  /** However it is written; a name that has no address yet may turn out to be one. */
  private static boolean isLoopback(String address) {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return true;
    }
  }
}
