package org.grampus.server.procedure;

import org.apache.hadoop.conf.Configuration;

/** What tells one kind of procedure from another. Any thread. */
interface ProcedureKind {
  /** The kind's name in ZooKeeper. */
  String signature();

  /** How long this server's part may take. */
  long timeoutMillis(Configuration conf);

  /** How many procedures may run at a time. */
  int threads(Configuration conf);

  /** This server's part in a procedure; arguments that make no sense fail when it runs. */
  ProcedureTask task(String name, byte[] arguments);
}
