package org.grampus.server.info;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;

/**
 * What the pages of a process need beside an operator's settings, each time in a copy: master and
 * server may listen on different addresses, so what is right for one is wrong for the other.
 */
public final class PageSettings {
  private static final String CONTENT = "hbase.http.filter.csp.value";
  private static final String MASTER_ADDRESS = "hbase.master.info.bindAddress";

  /** HBase's own pages have scripts and styles within them; they load nothing from elsewhere. */
  private static final String OF_MASTER = "default-src 'self' data: 'unsafe-inline' 'unsafe-eval'";

  private PageSettings() {}

  /** For the pages of an embedded master. */
  public static Configuration ofMaster(Configuration conf) {
    return protect(conf, conf.get(MASTER_ADDRESS, "0.0.0.0"), OF_MASTER);
  }

  /** For the pages of a server that listens on an address. */
  static Configuration ofServer(Configuration conf, String address) {
    return protect(conf, address, "default-src 'self'");
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
