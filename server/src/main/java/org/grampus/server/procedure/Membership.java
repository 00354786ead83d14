package org.grampus.server.procedure;

import java.io.IOException;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.procedure.ProcedureMember;
import org.apache.hadoop.hbase.procedure.Subprocedure;
import org.apache.hadoop.hbase.procedure.ZKProcedureMemberRpcs;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.zookeeper.KeeperException;

/**
 * This server's part in all procedures of one kind. A procedure that finds every thread taken, or
 * the member closed, is aborted at the master.
 */
final class Membership implements AutoCloseable {
  private final ServerName server;
  private final ProcedureKind kind;
  private final ZKProcedureMemberRpcs rpcs;
  private final ProcedureMember member;

  /** A member that does not listen yet. */
  Membership(ZKWatcher watcher, ServerName server, ProcedureKind kind) throws IOException {
    this.server = server;
    this.kind = kind;
    try {
      this.rpcs = new ZKProcedureMemberRpcs(watcher, kind.signature());
    } catch (KeeperException e) {
      throw new IOException("cannot join " + kind.signature() + " in ZooKeeper", e);
    }
    ThreadPoolExecutor pool =
        ProcedureMember.defaultPool(server.toString(), kind.threads(), kind.timeoutMillis());
    this.member = new ProcedureMember(rpcs, pool, this::subprocedure);
  }

  /** Takes part from now on, also in procedures that wait for this server already. */
  void start() {
    rpcs.start(server.toString(), member);
  }

  private Subprocedure subprocedure(String name, byte[] arguments) {
    return new RegionSubprocedure(member, kind, name, arguments);
  }

  /** Takes part in nothing more; a running procedure is interrupted and fails at the master. */
  @Override
  public void close() throws IOException {
    try {
      member.close();
    } finally {
      rpcs.close();
    }
  }
}
