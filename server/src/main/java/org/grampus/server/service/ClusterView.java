package org.grampus.server.service;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;

/**
 * What this server knows of its cluster, for ClientMetaService. Any thread; must not block long.
 */
public interface ClusterView {
  /** The cluster's id, or null while it is not known. */
  String clusterId();

  /** The active master, when there is one. */
  Optional<ServerName> activeMaster();

  /** Masters that wait to become active. */
  List<ServerName> backupMasters();

  /** Locations of hbase:meta, the primary first; empty while it is not assigned. */
  List<HRegionLocation> metaRegionLocations() throws IOException;

  /** Region servers that are alive, at most this many, in no order; never none. */
  List<ServerName> bootstrapNodes(int limit);
}
