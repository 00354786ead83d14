package org.grampus.compat.suite.target;

import java.util.List;
import java.util.Locale;

/** What is started: our daemon or a stock HBase, both from this JVM's class path. */
public enum ServerKind {
  /** {@code grampus standalone}. */
  GRAMPUS,
  /** HBase's standalone mode. */
  HBASE;

  /** The kind by its name in lower case. */
  public static ServerKind of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  List<String> command() {
    return switch (this) {
      case GRAMPUS -> List.of("org.grampus.server.daemon.Grampus", "standalone");
      case HBASE -> List.of("org.apache.hadoop.hbase.master.HMaster", "start");
    };
  }

  /** A region server of a cluster, without a master. */
  List<String> regionServerCommand() {
    return switch (this) {
      case GRAMPUS -> List.of("org.grampus.server.daemon.Grampus", "regionserver");
      case HBASE -> List.of("org.apache.hadoop.hbase.regionserver.HRegionServer", "start");
    };
  }
}
