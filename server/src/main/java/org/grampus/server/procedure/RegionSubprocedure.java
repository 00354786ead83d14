package org.grampus.server.procedure;

import java.io.IOException;
import org.apache.hadoop.hbase.errorhandling.ForeignException;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.procedure.ProcedureMember;
import org.apache.hadoop.hbase.procedure.Subprocedure;

/**
 * One procedure in the form that HBase's protocol runs. Its failure aborts the whole procedure,
 * which the client then sees; what it did to regions needs no undoing.
 */
final class RegionSubprocedure extends Subprocedure {
  private static final long WAKE_MILLIS = 100;
  private static final byte[] NO_RESULT = {};

  private final ProcedureKind kind;
  private final byte[] arguments;

  RegionSubprocedure(ProcedureMember member, ProcedureKind kind, String name, byte[] arguments) {
    super(member, name, new ForeignExceptionDispatcher(name), WAKE_MILLIS, kind.timeoutMillis());
    this.kind = kind;
    this.arguments = arguments;
  }

  @Override
  public void acquireBarrier() throws ForeignException {
    run(kind.prepare());
  }

  @Override
  public byte[] insideBarrier() throws ForeignException {
    run(kind.commit());
    return NO_RESULT;
  }

  private void run(ProcedureKind.Part part) throws ForeignException {
    try {
      part.run(getName(), arguments);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ForeignException(getMemberName(), e);
    } catch (IOException | RuntimeException | Error e) {
      // an Error too: the master would wait for this member until its time is over
      throw new ForeignException(getMemberName(), e);
    }
  }

  /** Nothing is left behind: the master deletes what an aborted snapshot has collected. */
  @Override
  public void cleanup(Exception cause) {}
}
