package org.grampus.compat.read;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Get as a read spec. */
public final class GetAdapter {
  private GetAdapter() {}

  /**
   * Appends the spec.
   *
   * @param families the region's families
   * @param mayBlock false adds {@link ReadFlags#NON_BLOCKING}
   * @throws UnknownProtocolException for closest_row_before; asynchbase tells by it that the server
   *     is a modern one
   */
  public static void write(Get get, List<byte[]> families, boolean mayBlock, ByteBuf out)
      throws IOException {
    if (get.getClosestRowBefore()) {
      throw new UnknownProtocolException(
          "Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore"
              + " removed in hbase-2.0.0 replaced by reverse Scan.");
    }
    if (get.getRow().isEmpty()) {
      throw new DoNotRetryIOException("Row length 0 is not possible in a Get");
    }
    ReadSpecWriter.header(out, flags(get, mayBlock), get.getRow(), ByteString.EMPTY);
    ReadSpecWriter.limits(
        out,
        versions(get.getMaxVersions()),
        get.hasStoreLimit() ? get.getStoreLimit() : ReadSpecWriter.NO_LIMIT,
        get.getStoreOffset(),
        ReadSpecWriter.NO_LIMIT);
    ReadSpecWriter.readPoint(out, 0);
    ReadSpecWriter.timeRange(out, get.getTimeRange());
    ReadSpecWriter.columns(out, get.getColumnList(), get.getCfTimeRangeList(), families);
    if (get.hasFilter()) {
      ReadSpecWriter.filter(out, get.getFilter());
    } else {
      ReadSpecWriter.noFilter(out);
    }
  }

  private static int flags(Get get, boolean mayBlock) throws DoNotRetryIOException {
    int flags =
        ReadFlags.GET
            | ReadFlags.INCLUDE_START
            | ReadAttributes.flags(get.getAttributeList(), get.getColumnList());
    flags |= mayBlock ? 0 : ReadFlags.NON_BLOCKING;
    flags |= get.getCacheBlocks() ? ReadFlags.CACHE_BLOCKS : 0;
    flags |= get.getExistenceOnly() ? ReadFlags.EXISTENCE_ONLY : 0;
    boolean onDemand = !get.hasLoadColumnFamiliesOnDemand() || get.getLoadColumnFamiliesOnDemand();
    return flags | (onDemand ? ReadFlags.LOAD_ON_DEMAND : 0);
  }

  private static int versions(int asked) throws DoNotRetryIOException {
    if (asked <= 0) {
      throw new DoNotRetryIOException("maxVersions must be positive");
    }
    return asked;
  }
}
