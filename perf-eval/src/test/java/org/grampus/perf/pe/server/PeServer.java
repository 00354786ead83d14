package org.grampus.perf.pe.server;

import java.nio.file.Path;
import java.util.Map;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;

/**
 * One standalone server for all tests of the module. With {@code -Dgrampus.compat.target=hbase} it
 * is a stock HBase.
 */
final class PeServer {
  private static final ServerKind KIND =
      ServerKind.of(System.getProperty("grampus.compat.target", "grampus"));
  private static final Path WORK =
      Path.of(System.getProperty("grampus.compat.work", "target/servers"));
  private static final LastingServer SHARED = new LastingServer(KIND, WORK, Map.of(), Map.of());

  private PeServer() {}

  static LastingServer get() {
    return SHARED;
  }

  /** Whether it is ours. */
  static boolean isGrampus() {
    return KIND == ServerKind.GRAMPUS;
  }
}
