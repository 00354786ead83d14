package org.grampus.server.admin;

import org.apache.hadoop.hbase.ServerName;

/** What administrators can do to the process as a whole. */
public interface ServerControl {
  /** This server's name. */
  ServerName server();

  /** Begins an orderly stop and returns. */
  void stop(String reason);
}
