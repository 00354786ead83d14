package org.grampus.compat.read;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.IncompatibleFilterException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;

/** Scan as a read spec. */
public final class ScanAdapter {
  private ScanAdapter() {}

  /**
   * Appends the spec.
   *
   * @param families the region's families
   * @return whether the scan's filter decides about whole rows, which forbids partial rows
   */
  public static boolean write(Scan scan, List<byte[]> families, ByteBuf out) throws IOException {
    ReadSpecWriter.header(out, flags(scan), scan.getStartRow(), scan.getStopRow());
    ReadSpecWriter.limits(
        out,
        Math.max(scan.getMaxVersions(), 1),
        scan.hasStoreLimit() ? scan.getStoreLimit() : ReadSpecWriter.NO_LIMIT,
        scan.getStoreOffset(),
        hasBatch(scan) ? scan.getBatchSize() : ReadSpecWriter.NO_LIMIT);
    ReadSpecWriter.readPoint(out, Math.max(scan.getMvccReadPoint(), 0));
    ReadSpecWriter.timeRange(out, scan.getTimeRange());
    ReadSpecWriter.columns(out, scan.getColumnList(), scan.getCfTimeRangeList(), families);
    if (!scan.hasFilter()) {
      ReadSpecWriter.noFilter(out);
      return false;
    }
    boolean filtersRows = ReadSpecWriter.filter(out, scan.getFilter());
    if (filtersRows && scan.hasBatchSize()) {
      throw incompatibleBatch();
    }
    return filtersRows;
  }

  private static boolean hasBatch(Scan scan) {
    return scan.hasBatchSize() && scan.getBatchSize() > 0;
  }

  private static IOException incompatibleBatch() {
    IncompatibleFilterException cause =
        new IncompatibleFilterException(
            "Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow");
    return new IOException(cause.toString(), cause);
  }

  private static int flags(Scan scan) throws DoNotRetryIOException {
    int flags = ReadAttributes.flags(scan.getAttributeList(), scan.getColumnList());
    flags |= scan.getCacheBlocks() ? ReadFlags.CACHE_BLOCKS : 0;
    flags |= scan.getReversed() ? ReadFlags.REVERSED : 0;
    flags |= scan.getIncludeStartRow() ? ReadFlags.INCLUDE_START : 0;
    flags |= includesStop(scan) ? ReadFlags.INCLUDE_STOP : 0;
    flags |= scan.getReadType() == Scan.ReadType.PREAD ? ReadFlags.NO_READ_AHEAD : 0;
    boolean onDemand =
        !scan.hasLoadColumnFamiliesOnDemand() || scan.getLoadColumnFamiliesOnDemand();
    return flags | (onDemand ? ReadFlags.LOAD_ON_DEMAND : 0);
  }

  /** A client that does not know the flag means a get when both rows are the same. */
  private static boolean includesStop(Scan scan) {
    if (scan.hasIncludeStopRow()) {
      return scan.getIncludeStopRow();
    }
    return !scan.getStartRow().isEmpty() && scan.getStartRow().equals(scan.getStopRow());
  }
}
