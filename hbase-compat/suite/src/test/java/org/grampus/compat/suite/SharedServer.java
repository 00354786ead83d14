package org.grampus.compat.suite;

import java.nio.file.Path;
import java.util.Map;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;

/** One server of the kind under test for all classes of the run. */
final class SharedServer {
  // Compacted files that hold references go away soon, the client leaves the check of a cell's size
  // to the server, and a stock server learns of the live servers soon after its start.
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hfile.compaction.discharger.interval",
          "500",
          "hbase.client.keyvalue.maxsize",
          "0",
          "hbase.server.bootstrap.request_master_min_interval.secs",
          "1");

  private static final ServerKind KIND =
      ServerKind.of(System.getProperty("grampus.compat.target", "grampus"));
  private static final Path WORK =
      Path.of(System.getProperty("grampus.compat.work", "target/servers"));
  private static final LastingServer SHARED = new LastingServer(KIND, WORK, SETTINGS, Map.of());

  private SharedServer() {}

  static ServerKind kind() {
    return KIND;
  }

  static LastingServer get() {
    return SHARED;
  }
}
