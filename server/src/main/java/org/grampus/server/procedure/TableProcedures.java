package org.grampus.server.procedure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RegionSnapshots;

/** This server's part in the master's procedures over whole tables, of every kind. */
public final class TableProcedures implements AutoCloseable {
  private final List<Membership> memberships = new ArrayList<>();

  /**
   * Takes part as a server that is registered, until closed.
   *
   * @param fanOut runs what is done to each region
   */
  public TableProcedures(
      Configuration conf,
      ZKWatcher watcher,
      ServerName server,
      RegionRegistry registry,
      RegionSnapshots snapshots,
      RegionFanOut fanOut)
      throws IOException {
    List<ProcedureKind> kinds =
        List.of(
            ProcedureKind.flush(conf, registry, fanOut),
            ProcedureKind.snapshot(conf, registry, snapshots, fanOut));
    for (ProcedureKind kind : kinds) {
      memberships.add(new Membership(watcher, server, kind));
    }
    memberships.forEach(Membership::start);
  }

  @Override
  public void close() throws IOException {
    for (Membership membership : memberships) {
      membership.close();
    }
  }
}
