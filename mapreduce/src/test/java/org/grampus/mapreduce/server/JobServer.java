package org.grampus.mapreduce.server;

import java.nio.file.Path;
import java.util.Map;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;

/** One standalone server for all tests of the module. */
public final class JobServer {
  private static final String LEASE_KEY = "hbase.client.scanner.timeout.period";
  private static final String USUAL_LEASE_MILLIS = "60000";

  /** How long the server keeps a scanner that no client asks; its clients are told otherwise. */
  static final int LEASE_MILLIS = 10_000;

  private static final LastingServer SHARED =
      new LastingServer(
          ServerKind.GRAMPUS,
          Path.of(System.getProperty("grampus.mapreduce.work", "target/servers")),
          Map.of(LEASE_KEY, String.valueOf(LEASE_MILLIS)),
          Map.of(LEASE_KEY, USUAL_LEASE_MILLIS));

  private JobServer() {}

  /** The server, which is started by its first use. */
  public static LastingServer get() {
    return SHARED;
  }
}
