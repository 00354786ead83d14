package org.grampus.mapreduce.snapshot;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.read.ScanAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.NativeFrozenScan;

/** Scans of frozen regions by HBase's Scan. */
public final class FrozenScans {
  private FrozenScans() {}

  /**
   * Begins a scan.
   *
   * @param table the region's
   * @param nowMillis the time by which times to live are over
   * @throws IOException when the scan asks for what the engine does not do
   */
  public static NativeFrozenScan begin(
      NativeFrozenRegion region, TableDescriptor table, Scan scan, long nowMillis)
      throws IOException {
    ByteBuf spec = Unpooled.directBuffer();
    try {
      ScanAdapter.write(ProtobufUtil.toScan(scan), List.copyOf(table.getColumnFamilyNames()), spec);
      return region.scan(spec.nioBuffer(), nowMillis);
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot scan a snapshot of " + table.getTableName(), e);
    } finally {
      spec.release();
    }
  }
}
