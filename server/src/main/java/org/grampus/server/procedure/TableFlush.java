package org.grampus.server.procedure;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.procedure.flush.MasterFlushTableProcedureManager;
import org.apache.hadoop.hbase.procedure.flush.RegionServerFlushTableProcedureManager;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionRegistry;

/**
 * Flush of a table: the procedure's name is the table's. All families are flushed, also when the
 * client names some of them.
 */
final class TableFlush implements ProcedureKind {
  private final RegionRegistry registry;
  private final RegionFanOut fanOut;

  TableFlush(RegionRegistry registry, RegionFanOut fanOut) {
    this.registry = registry;
    this.fanOut = fanOut;
  }

  @Override
  public String signature() {
    return MasterFlushTableProcedureManager.FLUSH_TABLE_PROCEDURE_SIGNATURE;
  }

  @Override
  public long timeoutMillis(Configuration conf) {
    return conf.getLong(
        RegionServerFlushTableProcedureManager.FLUSH_TIMEOUT_MILLIS_KEY,
        RegionServerFlushTableProcedureManager.FLUSH_TIMEOUT_MILLIS_DEFAULT);
  }

  @Override
  public int threads(Configuration conf) {
    return conf.getInt(
        RegionServerFlushTableProcedureManager.FLUSH_REQUEST_THREADS_KEY,
        RegionServerFlushTableProcedureManager.FLUSH_REQUEST_THREADS_DEFAULT);
  }

  @Override
  public ProcedureTask task(String name, byte[] arguments) {
    return new Task(name);
  }

  private final class Task implements ProcedureTask {
    private final String name;

    Task(String name) {
      this.name = name;
    }

    @Override
    public void prepare() throws IOException, InterruptedException {
      fanOut.run(
          registry.ofTable(TableName.valueOf(name)), region -> region.nativeRegion().flush());
    }
  }
}
